/** `svc import dbt <dir>`: makes a project of a dbt project; nothing in it is run but its templates. */
import { existsSync, mkdirSync, readFileSync, unlinkSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { copyWhole, writeWhole } from '../engine/artifacts/write-file.ts'
import { settingsFile } from '../engine/config/find-project.ts'
import { SvcError } from '../engine/errors.ts'
import type { DbtImport, ImportedFile, ImportRequest } from '../engine/import/dbt/import-dbt.ts'
import type { TypedColumn } from '../engine/workspace/columns-of-texts.ts'
import { renderImport, type ShownImport } from '../render/dbt-import.ts'
import { type Command, type CommandContext, jsonOption, reportOf } from './command.ts'

export const importDbtCommand: Command = {
  name: 'import dbt',
  brief: 'a project of svc from one of dbt',
  summary: 'Make a project of a dbt project: models, seeds, sources, tests, documentation and exposures.',
  arguments: [{ name: 'dir', summary: 'the folder that has dbt_project.yml', required: true }],
  options: [
    { name: 'output', short: 'o', value: 'folder', summary: 'where the project is written', default: '.' },
    {
      name: 'profiles-dir',
      value: 'folder',
      summary: 'the folder of profiles.yml; by default as dbt finds it',
    },
    { name: 'target', value: 'name', summary: 'the target of the profile; by default the one that it names' },
    { name: 'write', summary: 'write the files (default)' },
    { name: 'no-write', summary: 'print the report only' },
    jsonOption,
  ],
  examples: [
    { line: 'svc import dbt ../my-dbt -o .', says: 'writes svc.yaml, models/ and seeds/ here' },
    { line: 'svc import dbt ../my-dbt --no-write', says: 'what would come over, and what not' },
  ],
  exitCodes: {
    0: 'everything came over',
    1: 'something is left to be done by hand, or a file is in the way; the report names its place',
    2: 'wrong usage, or no dbt project',
    3: 'a file cannot be read or written',
  },
  async run({ arguments: [dir = ''], options, world }) {
    const output = resolve(world.cwd, options.text('output') ?? '.')
    const isWritten = !options.flag('no-write')
    const found = await importWithColumns({
      project: resolve(world.cwd, dir),
      output,
      folder: options.text('profiles-dir'),
      target: options.text('target'),
      env: world.env,
      now: world.now().getTime(),
      cwd: world.cwd,
    })
    if (isWritten) writeAll(found.files, output, world)
    const folder = relative(world.cwd, output).replaceAll('\\', '/')
    const shown = { ...found, folder: folder === '' ? '.' : folder, isWritten }
    const exitCode = found.notes.some(note => note.level === 'todo') ? 1 : 0
    return reportOf(shown, renderImport, importJson, exitCode)
  },
}

/** Templates may ask for the columns of tables: those of files that were written so far tell them, one round after the other. */
async function importWithColumns(request: ImportRequest): Promise<DbtImport> {
  const { importDbt } = await import('../engine/import/dbt/import-dbt.ts')
  const { openTextColumns } = await import('../engine/workspace/columns-of-texts.ts')
  const columns = openTextColumns()
  const known = new Map<string, readonly TypedColumn[]>()
  try {
    for (;;) {
      const found = importDbt(request, known)
      const unknown = found.wanted.filter(name => !known.has(name))
      if (unknown.length === 0) return found
      const texts = found.files.flatMap(file => ('text' in file ? [file] : []))
      const more = await columns.of(texts, unknown, found.listed)
      if (more.size === 0) return found
      for (const [name, those] of more) known.set(name, those)
    }
  } finally {
    columns.close()
  }
}

/** All or none: nothing is written where another file is in the way, and a failure takes back what was written. */
function writeAll(files: readonly ImportedFile[], output: string, { pid }: CommandContext['world']): void {
  const inTheWay = files.filter(file => isTaken(file, join(output, file.path)))
  const [first] = inTheWay
  if (first !== undefined) {
    const isProject = inTheWay.some(({ path }) => path === settingsFile)
    const message = isProject
      ? `there is a project in ${output} already`
      : `the file ${first.path} exists already${inTheWay.length > 1 ? `, and ${inTheWay.length - 1} more` : ''}`
    throw new SvcError('asset-exists', message, {
      hint: 'Choose an empty folder with --output, or look at the report with --no-write. Nothing was written.',
    })
  }
  const written: string[] = []
  try {
    for (const file of files) {
      const path = join(output, file.path)
      if (existsSync(path)) continue
      mkdirSync(dirname(path), { recursive: true })
      written.push(path)
      if ('text' in file) writeWhole(path, file.text, pid)
      else copyWhole(file.copyOf, path, pid)
    }
  } catch (error) {
    for (const path of written) if (existsSync(path)) unlinkSync(path)
    throw error
  }
}

/** A file that has the same bytes already is not in the way. */
function isTaken(file: ImportedFile, path: string): boolean {
  if (!existsSync(path)) return false
  const bytes = 'text' in file ? Buffer.from(file.text) : readFileSync(file.copyOf)
  return !readFileSync(path).equals(bytes)
}

function importJson({ name, target, isWritten, assets, files, counts, notes }: ShownImport) {
  return {
    project: name,
    target,
    written: isWritten,
    assets,
    files: files.map(({ path }) => path),
    counts,
    // A note of several assets is an entry for each, so that what is lost of one is found by its name.
    notes: notes.flatMap(({ assets: several, ...note }) =>
      several.length < 2 ? [note] : several.map(asset => ({ ...note, asset })),
    ),
  }
}
