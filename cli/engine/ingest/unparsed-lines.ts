/**
 * The lines of CSV files that are no records: too many or too few values, a quote in the wrong place. With a
 * contract that discards rows they are rejects; without one they fail the load.
 */

import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type CsvGroup,
  csvFrom,
  fileList,
  type LocalReader,
  openQuote,
  quoteLiteral,
} from '@svc/server/catalog'
import { internalNames } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { rejectList } from './reject-rows.ts'

const own = internalNames('scans', 'lines', 'line', 'raw', 'message')

export interface UnparsedLines {
  readonly count: number
  /** A SELECT that returns `rejectColumns`, one row a line. */
  readonly sql: string
  /** The first line, in words. */
  readonly first: string
}

/**
 * Copies the records into the spool and notes all other lines; undefined if there are no others. The files
 * are read once: a second reading with `ignore_errors` may lose records behind a bad line.
 * `groups`: the groups with their records in files of the spool.
 */
export async function sortLines(local: LocalReader, groups: readonly CsvGroup[], spoolFolder: string) {
  const sorted: CsvGroup[] = []
  for (const [index, group] of groups.entries()) {
    const records = join(spoolFolder, `records-${index + 1}.parquet`)
    const keeping = `${group.parameters}, store_rejects=true, rejects_scan='${own.scans}', rejects_table='${own.lines}'`
    const from = csvFrom([{ ...group, parameters: keeping }], new Map())
    await local.rows(`COPY (SELECT * FROM ${from}) TO ${quoteLiteral(records)} (FORMAT parquet)`)
    chmodSync(records, 0o600)
    sorted.push({ ...group, records })
  }
  const lines = await local.rows(
    `SELECT line::BIGINT AS ${own.line}, csv_line AS ${own.raw}, min(error_message) AS ${own.message}
     FROM ${own.lines} GROUP BY scan_id, file_id, line, line_byte_position, csv_line ORDER BY scan_id, file_id, line`,
  )
  const [first] = lines
  if (first === undefined) return undefined
  refuseOpenQuote(lines, groups)
  const path = join(spoolFolder, 'unparsed.ndjson')
  writeFileSync(path, lines.map(line => `${JSON.stringify(line)}\n`).join(''), { mode: 0o600 })
  const unparsed = {
    count: lines.length,
    sql: rejectsOf(path),
    first: `line ${first[own.line]}: ${first[own.message]}`,
  }
  return { groups: sorted, unparsed }
}

function rejectsOf(path: string): string {
  const columns = `{'${own.line}': 'BIGINT', '${own.raw}': 'VARCHAR', '${own.message}': 'VARCHAR'}`
  const lines = `read_json(${fileList([path])}, format='newline_delimited', columns=${columns})`
  const list = rejectList({
    ...{ record_number: own.line, kind: "'row'", code: "'unparsed'" },
    ...{ child: 'CAST(NULL AS VARCHAR)', column_name: 'CAST(NULL AS VARCHAR)' },
    message: `'line ' || ${own.line} || ' is no record: ' || ${own.message}`,
    ...{ raw: `to_json(${own.raw})`, record_hash: `md5(${own.raw})` },
  })
  return `SELECT ${list} FROM ${lines}`
}

function refuseOpenQuote(
  lines: readonly Readonly<Record<string, unknown>>[],
  groups: readonly CsvGroup[],
): void {
  const open = lines.find(line => String(line[own.raw]).trimEnd().includes('\n'))
  if (open === undefined) return
  throw new SvcError(
    'source-unreadable',
    `line ${open[own.line]}: ${openQuote.reason} (${groups[0]?.files[0]})`,
    { hint: openQuote.hint },
  )
}
