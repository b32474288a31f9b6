/**
 * The lines of CSV files that are no records: too many or too few values, a quote in the wrong place. With a
 * contract that discards rows they are rejects; without one they fail the load.
 */
import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileList, type TextLook } from '@svc/server/catalog'
import type { FetchContext } from './source.ts'

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
    return { line, raw, message: `line ${line}${where} is no record: ${reason}` }
  })
  const path = join(spoolFolder, 'unparsed.ndjson')
  writeFileSync(path, lines.map(line => `${JSON.stringify(line)}\n`).join(''), { mode: 0o600 })
  const longest = Math.max(...lines.map(({ raw }) => raw.length))
  return { count: bad.length, sql: rejectsOf(path, longest), first: `line ${first.line}: ${first.reason}` }
}

const usualSize = 16 << 20

/** `longest`: the length of the longest line. */
function rejectsOf(path: string, longest: number): string {
  const columns = "{'line': 'BIGINT', 'raw': 'VARCHAR', 'message': 'VARCHAR'}"
  const lines = `read_json(${fileList([path])}, format='newline_delimited', columns=${columns}, maximum_object_size=${usualSize + longest * 8})`
  return `SELECT line AS record_number, 'row' AS kind, 'unparsed' AS code, CAST(NULL AS VARCHAR) AS child,
    CAST(NULL AS VARCHAR) AS column_name, message, to_json(raw) AS raw, md5(raw) AS record_hash FROM ${lines}`
}
