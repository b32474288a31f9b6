/** `svc ai context`: what a language model or an agent has to know about the project (interface.md 4.4, decisions 4). */
import { type Command, environmentOption, jsonOption } from './command.ts'
import { assetNamed } from './nearest-asset.ts'
import { renewFiles } from './renew-files.ts'

/** Bytes: about sixty thousand tokens, which leaves room for an answer in the windows that models have. */
const standardBytes = 250_000

export const aiContextCommand: Command = {
  name: 'ai context',
  brief: 'the project as a text for a language model',
  summary: 'Print what a language model has to know: assets, columns, SQL, lineage, glossary and policies.',
  arguments: [],
  options: [
    {
      name: 'asset',
      value: 'asset',
      summary: 'one asset with all upstream and downstream of it, near ones first',
    },
    { name: 'include-tests', summary: 'also tests, and their last results' },
    { name: 'include-history', summary: 'also versions and the last runs' },
    {
      name: 'max-bytes',
      value: 'number',
      summary: 'far assets are cut, then left out, to fit',
      default: String(standardBytes),
    },
    { ...environmentOption, summary: 'environment whose test results and history are meant' },
    jsonOption,
  ],
  examples: [
    { line: 'svc ai context --asset daily_sales', says: 'as Markdown, to hand to a model' },
    { line: 'svc ai context --json --include-tests', says: 'the context pack of the project' },
  ],
  exitCodes: { 0: 'done, also for a project with errors', 2: 'wrong usage, no project or unknown asset' },
  async run(context) {
    const { options, output } = context
    const mostBytes = options.count('max-bytes') ?? standardBytes
    const workspace = await context.openWorkspace({ isOnlyInside: true })
    const asset = options.text('asset')
    const focus = asset === undefined ? undefined : assetNamed(workspace, asset)
    await renewFiles(context, workspace)
    const { gatherPack } = await import('../engine/upload/make-pack.ts')
    const { contextOf } = await import('../engine/ai/context.ts')
    const { contextNotes, renderContext } = await import('../render/ai-context.ts')
    const gathered = await gatherPack(workspace)
    const wish = {
      focus,
      results: options.flag('include-tests'),
      history: options.flag('include-history'),
      mostBytes,
      shortens: !options.flag('json'),
    }
    const found = contextOf(gathered, wish)
    output.err.lines(contextNotes(found, gathered.errors))
    return { exitCode: 0, text: () => renderContext(found, focus, wish.results), json: found.pack }
  },
}
