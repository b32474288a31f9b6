/** `svc glossary import`: entries of a table, of DataHub, of OpenMetadata or of another project. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type EntryKind, entryShapes } from '@svc/server/language'
import { SvcError } from '../../engine/errors.ts'
import { checkChange, refuseBroken, writeChange } from '../../engine/glossary/change-glossary.ts'
import { changedTexts } from '../../engine/glossary/entry-changes.ts'
import type { ImportProblem } from '../../engine/glossary/import/imported.ts'
import { importJson, renderImport } from '../../render/glossary-import.ts'
import { type Command, jsonOption, reportOf } from '../command.ts'

export const importCommand: Command = {
  name: 'glossary import',
  brief: 'entries of a table, DataHub, OpenMetadata',
  summary:
    'Add entries of a table (CSV), of an export of DataHub or OpenMetadata, or of another glossary to glossary.yaml.',
  arguments: [{ name: 'file', summary: '.csv, .yml, .yaml or .json', required: true }],
  options: [
    {
      name: 'kind',
      value: 'kind',
      summary: 'what the rows of a table without a column "kind" are; else recognized by its columns',
      choices: Object.keys(entryShapes),
    },
    { name: 'update', summary: 'entries that exist get what the file says; else they stay' },
    { name: 'dry-run', summary: 'show what would come; write nothing' },
    jsonOption,
  ],
  examples: [
    { line: 'svc glossary import terms.csv --dry-run', says: 'what would come' },
    { line: 'svc glossary import business_glossary.yml', says: 'of DataHub' },
  ],
  exitCodes: {
    0: 'done, also if there was nothing new',
    1: 'a row cannot be read, or the glossary has or would have mistakes; nothing is written',
    2: 'wrong usage or no project',
    3: 'the file cannot be read',
  },
  async run(context) {
    const { options, world } = context
    const file = context.arguments[0] ?? ''
    const text = readText(resolve(world.cwd, file), file)
    const { readImport } = await import('../../engine/glossary/import/read-import.ts')
    const imported = readImport(file, text, options.text('kind') as EntryKind | undefined)
    const workspace = await context.openWorkspace()
    const { project } = workspace
    refuseBroken(project.glossary)
    const analysis = await workspace.analysis()
    const { mergeImported } = await import('../../engine/glossary/import/merge-imported.ts')
    const merged = mergeImported({ project, analysis, updates: options.flag('update') }, imported)
    refuseUnreadable(file, [...imported.problems, ...merged.problems])
    const change = await checkChange(workspace, changedTexts(project, merged.changes), true)
    const isDry = options.flag('dry-run')
    if (!isDry) await writeChange(workspace, change)
    const { format, ignored } = imported
    const written = !isDry && merged.changes.length > 0
    const { entries } = merged
    const report = { file, format, ignored, isDry, written, entries, warnings: change.warnings }
    return reportOf(report, renderImport, importJson)
  },
}

function readText(path: string, written: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as { code?: string }
    const why =
      code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : String(code)
    throw new SvcError('file-failed', `${written} cannot be read: ${why}`, { place: written })
  }
}

const mostShown = 20

function refuseUnreadable(file: string, problems: readonly ImportProblem[]): void {
  if (problems.length === 0) return
  const lines = problems.slice(0, mostShown).map(({ place, message }) => `\n  ${place}: ${message}`)
  const more = problems.length - lines.length
  const what = problems.length === 1 ? 'an entry' : `${problems.length} entries`
  throw new SvcError(
    'import-unreadable',
    `${what} of ${file} cannot be taken over:${lines.join('')}${more > 0 ? `\n  and ${more} more` : ''}`,
    { hint: 'Nothing was written. Fix the file, and run the command again.' },
  )
}
