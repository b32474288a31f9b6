/**
 * The lines of CSV files that are no records: too many or too few values, a quote in the wrong place. With a
 * contract that discards rows they are rejects; without one they fail the load.
 */
import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileList, jsonFrom, type TextLook } from '@svc/server/catalog'
import { internalNames } from '@svc/server/language'
import { rejectList } from './reject-rows.ts'
import type { FetchContext } from './source.ts'

const own = internalNames('line', 'raw', 'message')

export interface UnparsedLines {
  readonly count: number
  /** A SELECT that returns `rejectColumns`, one row a line. */
  readonly sql: string
  /** The first line, in words. */
  readonly first: string
}

/** Keeps the lines in the spool; undefined if there are none. */
export function unparsedLines(
  { root, spoolFolder }: FetchContext,
  bad: TextLook['bad'],
): UnparsedLines | undefined {
  const [first] = bad
  if (first === undefined) return undefined
  const isOneFile = bad.every(({ path }) => path === first.path)
  const lines = bad.map(({ path, line, raw, reason }) => {
    const where = isOneFile ? '' : ` of ${relative(root, path).replaceAll('\\', '/')}`
    return { [own.line]: line, [own.raw]: raw, [own.message]: `line ${line}${where} is no record: ${reason}` }
  })
  const path = join(spoolFolder, 'unparsed.ndjson')
  writeFileSync(path, lines.map(line => `${JSON.stringify(line)}\n`).join(''), { mode: 0o600 })
  const longest = bad.reduce((most, { raw }) => Math.max(most, raw.length), 0)
  return { count: bad.length, sql: rejectsOf(path, longest), first: `line ${first.line}: ${first.reason}` }
}

const usualSize = 16 << 20

/** `longest`: the length of the longest line. */
function rejectsOf(path: string, longest: number): string {
  const lines = jsonFrom(fileList([path]), {
    format: 'newline_delimited',
    columns: [
      [own.line, 'BIGINT'],
      [own.raw, 'VARCHAR'],
      [own.message, 'VARCHAR'],
    ],
    largest: usualSize + longest * 8,
  })
  const list = rejectList({
    ...{ record_number: own.line, kind: "'row'", code: "'unparsed'" },
    ...{ child: 'CAST(NULL AS VARCHAR)', column_name: 'CAST(NULL AS VARCHAR)' },
    message: own.message,
    ...{ raw: `to_json(${own.raw})`, record_hash: `md5(${own.raw})` },
  })
  return `SELECT ${list} FROM ${lines}`
}
