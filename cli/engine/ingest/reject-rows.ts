/**
 * Builds the rows of `svc_rejects` as a SELECT over the files of a fetch: one row per rejected record and one
 * per omitted value, each with its reason and the raw JSON, so that nothing is lost. DuckDB runs it; no
 * record passes through JavaScript.
 */
import { type LocalReader, quoteLiteral } from '@svc/server/catalog'
import { listStep, type RawColumn } from '@svc/server/language'
import { isRowRule, messageSql, type Rule, rowCondition } from './contract-rules.ts'
import type { RecordSource } from './record-source.ts'
import { limitedRecords } from './table-sql.ts'

/** The columns of `rejectsSql`, in order. The run adds the other columns of a row of `svc_rejects`. */
export const rejectColumns = [
  'record_number',
  'kind',
  'code',
  'child',
  'column_name',
  'message',
  'raw',
  'record_hash',
] as const

/**
 * `row` is a whole record, `value` a value of a known column; `column` and `table` are values of new columns
 * and tables that are left out.
 */
export type RejectKind = 'row' | 'value' | 'column' | 'table'

export interface RejectFacts {
  readonly source: RecordSource
  readonly maxRows: number | undefined
}

/** Returns the FROM clause of the records that are loaded, with the columns that the rules read, and others. */
export function limitedFrom(
  { source, maxRows }: RejectFacts,
  rules: readonly Rule[],
  others: readonly RawColumn[] = [],
): string {
  return limitedRecords(source.from([...rules.map(({ reads }) => reads), ...others]), undefined, maxRows)
}

/** Returns the SELECT of all rejects. `rules` are the broken rules whose outcome is not `freeze`. */
export function rejectsSql(rules: readonly Rule[], facts: RejectFacts): string {
  const rejecting = rules.filter(isRowRule)
  const values = rules.filter(({ outcome }) => outcome === 'value')
  const parts = [
    ...(rejecting.length === 0 ? [] : [rejectedRecords(rejecting)]),
    ...values.map(rule => rejectedValues(rule, rejecting)),
  ]
  if (parts.length === 0) return `${nothing} WHERE false`
  const records = `SELECT row_number() OVER () AS _svc_row, * FROM ${limitedFrom(facts, rules)}`
  const raws = `SELECT row_number() OVER () AS _svc_row, raw FROM ${limitedRecords(facts.source.raw(), undefined, facts.maxRows)}`
  const rejects = `SELECT * FROM (${parts.join(' UNION ALL ')})`
  return `WITH records AS (${records}), rejects AS (${rejects}), raws AS (${raws})
    SELECT number AS record_number, kind, code, child, column_name, message,
      CASE WHEN way IS NULL THEN raw ELSE json_extract(raw, way) END AS raw, md5(CAST(raw AS VARCHAR)) AS record_hash
    FROM rejects JOIN raws ON raws._svc_row = rejects.number`
}

const nothing = `SELECT 0 AS record_number, '' AS kind, '' AS code, NULL AS child, '' AS column_name, '' AS message, NULL AS raw, '' AS record_hash`

/**
 * Selects rejected records. The first rule that a record breaks gives its code; the message names all of
 * them.
 */
function rejectedRecords(rules: readonly Rule[]): string {
  const first = (value: (rule: Rule) => string) =>
    `CASE ${rules.map(rule => `WHEN ${rule.broken} THEN ${value(rule)}`).join(' ')} END`
  const messages = rules.map(rule => `CASE WHEN ${rule.broken} THEN ${messageSql(rule)} END`)
  const facts = [
    `'row' AS kind`,
    `${first(({ code }) => quoteLiteral(code))} AS code`,
    `${first(({ child }) => textOrNull(child))} AS child`,
    `${first(({ column }) => textOrNull(column?.name))} AS column_name`,
    `concat_ws('; ', ${messages.join(', ')}) AS message`,
    'CAST(NULL AS VARCHAR) AS way',
  ]
  return `SELECT _svc_row AS number, ${facts.join(', ')} FROM records AS record WHERE ${rowCondition(rules)}`
}

/**
 * Selects omitted values. For a value inside lists the element of the outermost list is stored, which shows
 * where it was.
 */
function rejectedValues(rule: Rule, rejecting: readonly Rule[]): string {
  const { code, child, column, path } = rule
  const kind: RejectKind = code === 'new_table' ? 'table' : code === 'new_column' ? 'column' : 'value'
  const end = path.indexOf(listStep)
  const way = jsonPath(end === -1 ? path : path.slice(0, end))
  const facts = [
    `${quoteLiteral(kind)} AS kind`,
    `${quoteLiteral(code)} AS code`,
    `${textOrNull(child)} AS child`,
    `${textOrNull(column?.name)} AS column_name`,
    `${messageSql(rule)} AS message`,
    `${quoteLiteral(way)} AS way`,
  ]
  const kept = rejecting.length === 0 ? '' : ` AND NOT ${rowCondition(rejecting)}`
  return `SELECT _svc_row AS number, ${facts.join(', ')} FROM records AS record WHERE coalesce(${rule.broken}, false)${kept}`
}

function jsonPath(path: readonly string[]): string {
  return `$${path.map(step => `."${step.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`).join('')}`
}

function textOrNull(text: string | undefined): string {
  return text === undefined ? 'CAST(NULL AS VARCHAR)' : quoteLiteral(text)
}

/** Returns a SELECT of the hashes of the loaded records: all except the rejected ones. */
export function recordHashesSql({ source, maxRows }: RejectFacts, rejects: string | undefined): string {
  const all = `SELECT md5(CAST(raw AS VARCHAR)) AS record_hash FROM ${limitedRecords(source.raw(), undefined, maxRows)}`
  return rejects === undefined
    ? all
    : `${all} EXCEPT SELECT record_hash FROM (${rejects}) AS rejects WHERE kind = 'row'`
}

/** Returns the first record that breaks a rule, with its value if it may be shown. */
export async function firstBreach(
  rule: Rule,
  { local, ...facts }: RejectFacts & { readonly local: LocalReader },
): Promise<{ readonly number: string; readonly value: string | undefined }> {
  const numbered = `SELECT row_number() OVER () AS _svc_row, * FROM ${limitedFrom(facts, [rule])}`
  const rows = await local.rows(
    `SELECT record._svc_row AS number, ${rule.shown ?? 'NULL'} AS value FROM (${numbered}) AS record WHERE ${rule.broken} ORDER BY 1 LIMIT 1`,
  )
  const value = rows[0]?.['value']
  return {
    number: String(rows[0]?.['number'] ?? '?'),
    value: value === null || value === undefined ? undefined : String(value),
  }
}
