/** Analyses CSV files: the layout of each, and the types of their columns from every value. */
import { csvGroups, csvTypes } from '@svc/server/catalog'
import { SvcError } from '../errors.ts'
import type { FileGuard } from './file-guard.ts'
import { hashFiles, type LocalFiles, type Looked } from './local-files.ts'
import { keysOf, withFolders } from './partitioned.ts'
import { csvSource } from './record-source.ts'
import { warnOfRepeatedHeaders } from './repeated-headers.ts'
import { warnOfEmpty } from './skipped-files.ts'
import { refuseBombs } from './unpacked-size.ts'
import { sortLines } from './unparsed-lines.ts'

export async function lookAtCsv(files: LocalFiles, guard: FileGuard): Promise<Looked> {
  const { context, ingest, local, paths, options } = files
  await refuseBombs(paths, ingest.limits, context.signal)
  const keys = keysOf(files)
  const layouts = await csvGroups(local, paths, options)
  const found = layouts.map(group => ({ ...group, partitions: keys }))
  if (found.length === 0) {
    throw new SvcError('source-unreadable', `"${paths[0]}" is empty: it has not even a header`)
  }
  const discards = context.asset.definition.contract?.evolution.types === 'discard_row'
  const sorted = discards ? await sortLines(local, found, context.spoolFolder) : undefined
  const groups = sorted?.groups ?? found
  await warnOfEmpty(context, paths)
  const [hashed, { type, rows, headers }] = await Promise.all([
    hashFiles(files),
    csvTypes(local, groups, options),
  ])
  await warnOfRepeatedHeaders(context, found, headers)
  const isText = sorted !== undefined
  const whole = withFolders(type, files.partitions)
  const source = csvSource(groups, whole, { ...options, isText }, guard.condition)
  return { ...hashed, source: { ...source, unparsed: sorted?.unparsed }, rows }
}
