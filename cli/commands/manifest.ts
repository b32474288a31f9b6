/**
 * `svc manifest`: writes the files that describe the project for other programs (interface.md 2.13, decisions
 * 4).
 */
import { countOf } from '../render/numbers.ts'
import { wrap } from '../render/width.ts'
import { type Command, environmentOption, jsonOption } from './command.ts'

export const manifestCommand: Command = {
  name: 'manifest',
  brief: 'write .svc/manifest.json and its parts',
  summary: 'Write .svc/manifest.json, lineage.json, schemas.json and tests.json.',
  arguments: [],
  options: [
    environmentOption,
    { name: 'update', summary: 'rewrite the entries of changed assets, keep the rest' },
    { ...jsonOption, summary: 'print the manifest as well' },
  ],
  examples: [
    { line: 'svc manifest', says: 'from all asset files' },
    { line: 'svc manifest --update --json', says: 'only what changed; the whole to stdout' },
  ],
  exitCodes: { 0: 'done', 2: 'wrong usage or no project', 3: 'a file failed' },
  async run(context) {
    const workspace = await context.openWorkspace()
    const { writeManifest } = await import('../engine/artifacts/write-artifacts.ts')
    const { manifest, files, changed } = await writeManifest(workspace, {
      update: context.options.flag('update'),
    })
    return {
      exitCode: 0,
      text: style =>
        wrap(
          `Wrote ${files.join(', ')}: ${countOf(manifest.assets.length, 'asset')}, ${countOf(manifest.lineage.length, 'edge')}, ${countOf(manifest.tests.length, 'test')}, ${countOf(changed, 'entry changed', 'entries changed')}`,
          style.width,
        ),
      json: manifest,
    }
  },
}
