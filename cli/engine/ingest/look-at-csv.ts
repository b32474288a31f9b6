/** Analyses CSV files: the layout of each, each of their lines, and the types of their columns from every value. */
import { csvTypes, lookAtText } from '@svc/server/catalog'
import { SvcError } from '../errors.ts'
import type { FileGuard } from './file-guard.ts'
import { hashFile } from './file-guard.ts'
import type { LocalFiles, Looked } from './local-files.ts'
import { keysOf, withFolders } from './partitioned.ts'
import { csvSource } from './record-source.ts'
import { warnOfEmpty } from './skipped-files.ts'
import { judgeLayouts } from './text-layouts.ts'
import { warnOfLines } from './text-warnings.ts'
import { refuseBombs } from './unpacked-size.ts'
import { unparsedLines } from './unparsed-lines.ts'

export async function lookAtCsv(files: LocalFiles, guard: FileGuard): Promise<Looked> {
  const { context, ingest, local, paths, options } = files
  const { signal, spoolFolder } = context
  await refuseBombs(paths, ingest.limits, signal)
  const keys = keysOf(files)
  const progress = progressOf(files)
  const look = await lookAtText(paths, options, {
    local,
    folder: spoolFolder,
    keys,
    sorts: context.asset.definition.contract?.evolution.types === 'discard_row',
    mostBytes: ingest.limits.recordBytes,
    signal,
    onBytes: progress.onBytes,
  })
  if (look.files.length === 0) {
    throw new SvcError('source-unreadable', `"${paths[0]}" is empty: it has not even a header`)
  }
  await warnOfEmpty(context, paths)
  const { layouts, agreed } = judgeLayouts(context, look.files, options)
  warnOfLines(context, look.files, agreed)
  const groups = look.groups.map(group => ({ ...group, partitions: keys }))
  const hasHeaders = look.files.some(({ survey }) => survey.repeated.count > 0)
  const { type, rows } = await csvTypes(local, groups, options, hasHeaders)
  if (rows !== look.records) throw otherRecords(paths, rows, look.records)
  const isText = groups.some(({ jsonLines }) => jsonLines !== undefined)
  const source = csvSource(
    groups,
    withFolders(type, files.partitions),
    { ...options, isText },
    guard.condition,
  )
  const hashes = await hashesOf(files, new Map(look.files.map(({ path, hash }) => [path, hash])))
  const unparsed = unparsedLines(context, look.bad)
  return { source: { ...source, unparsed }, rows, bytes: progress.bytes(), hashes, layouts }
}

function progressOf({ context }: LocalFiles) {
  let bytes = 0
  return {
    bytes: () => bytes,
    onBytes(more: number) {
      bytes += more
      context.onProgress({ rows: 0, bytes, pages: 0 })
    },
  }
}

/** Files without text were not read, and count by their content too. */
async function hashesOf({ paths, context }: LocalFiles, known: ReadonlyMap<string, string>) {
  const options = { signal: context.signal, onBytes: () => undefined }
  return await Promise.all(paths.map(async path => known.get(path) ?? (await hashFile(path, options))))
}

/** Two readings that differ would be a loss that nobody sees. */
function otherRecords(paths: readonly string[], rows: number, records: number): SvcError {
  return new SvcError(
    'source-unreadable',
    `"${paths[0]}" can be read in two ways: ${records} records by its lines, ${rows} by the database`,
    {
      hint: 'Say how the file is written with ingest.options: delimiter, quote and escape.',
    },
  )
}
