/**
 * Builds the rows of `svc_rejects` as a SELECT over the files of a fetch: one row per rejected record and one
 * per omitted value, each with its reason and the raw JSON, so that nothing is lost. DuckDB runs it; no
 * record passes through JavaScript.
 */
import { type LocalReader, quoteLiteral, quoteName } from '@svc/server/catalog'
import { internalNames, listStep, type RawColumn } from '@svc/server/language'
import { isRowRule, messageSql, type Rule, rowCondition } from './contract-rules.ts'
import { limitedRecords, rawName, recordName } from './record-names.ts'
import type { RecordSource } from './record-source.ts'

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

/** Returns the list of a SELECT of these columns, from SQL of each. */
export function rejectList(values: Readonly<Record<(typeof rejectColumns)[number], string>>): string {
  return rejectColumns.map(name => `${values[name]} AS ${quoteName(name)}`).join(', ')
}

const own = internalNames(
  ...(['row', 'number', 'kind', 'code', 'child', 'column', 'message', 'way', 'value'] as const),
  ...(['records', 'rejects', 'raws'] as const),
)

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
  const records = `SELECT row_number() OVER () AS ${own.row}, * FROM ${limitedFrom(facts, rules)}`
  const raws = `SELECT row_number() OVER () AS ${own.row}, ${rawName} FROM ${limitedRecords(facts.source.raw(), undefined, facts.maxRows)}`
  const rejects = `SELECT * FROM (${parts.join(' UNION ALL ')})`
  const list = rejectList({
    ...{ record_number: own.number, kind: own.kind, code: own.code, child: own.child },
    ...{ column_name: own.column, message: own.message },
    raw: `CASE WHEN ${own.way} IS NULL THEN ${rawName} ELSE json_extract(${rawName}, ${own.way}) END`,
    record_hash: `md5(CAST(${rawName} AS VARCHAR))`,
  })
  return `WITH ${own.records} AS (${records}), ${own.rejects} AS (${rejects}), ${own.raws} AS (${raws})
    SELECT ${list} FROM ${own.rejects} JOIN ${own.raws} ON ${own.raws}.${own.row} = ${own.rejects}.${own.number}`
}

const nothing = `SELECT ${rejectList({
  ...{ record_number: '0', kind: "''", code: "''", child: 'NULL', column_name: "''", message: "''" },
  ...{ raw: 'NULL', record_hash: "''" },
})}`

/**
 * Selects rejected records. The first rule that a record breaks gives its code; the message names all of
 * them.
 */
function rejectedRecords(rules: readonly Rule[]): string {
  const first = (value: (rule: Rule) => string) =>
    `CASE ${rules.map(rule => `WHEN ${rule.broken} THEN ${value(rule)}`).join(' ')} END`
  const messages = rules.map(rule => `CASE WHEN ${rule.broken} THEN ${messageSql(rule)} END`)
  const facts = [
    `'row' AS ${own.kind}`,
    `${first(({ code }) => quoteLiteral(code))} AS ${own.code}`,
    `${first(({ child }) => textOrNull(child))} AS ${own.child}`,
    `${first(({ column }) => textOrNull(column?.name))} AS ${own.column}`,
    `concat_ws('; ', ${messages.join(', ')}) AS ${own.message}`,
    `CAST(NULL AS VARCHAR) AS ${own.way}`,
  ]
  return `SELECT ${own.row} AS ${own.number}, ${facts.join(', ')} FROM ${own.records} AS ${recordName} WHERE ${rowCondition(rules)}`
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
    `${quoteLiteral(kind)} AS ${own.kind}`,
    `${quoteLiteral(code)} AS ${own.code}`,
    `${textOrNull(child)} AS ${own.child}`,
    `${textOrNull(column?.name)} AS ${own.column}`,
    `${messageSql(rule)} AS ${own.message}`,
    `${quoteLiteral(way)} AS ${own.way}`,
  ]
  const kept = rejecting.length === 0 ? '' : ` AND NOT ${rowCondition(rejecting)}`
  return `SELECT ${own.row} AS ${own.number}, ${facts.join(', ')} FROM ${own.records} AS ${recordName} WHERE coalesce(${rule.broken}, false)${kept}`
}

function jsonPath(path: readonly string[]): string {
  return `$${path.map(step => `."${step.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`).join('')}`
}

function textOrNull(text: string | undefined): string {
  return text === undefined ? 'CAST(NULL AS VARCHAR)' : quoteLiteral(text)
}

/** Returns a SELECT of the hashes of the loaded records: all except the rejected ones. */
export function recordHashesSql({ source, maxRows }: RejectFacts, rejects: string | undefined): string {
  const all = `SELECT md5(CAST(${rawName} AS VARCHAR)) AS ${quoteName('record_hash')} FROM ${limitedRecords(source.raw(), undefined, maxRows)}`
  return rejects === undefined
    ? all
    : `${all} EXCEPT SELECT ${quoteName('record_hash')} FROM (${rejects}) AS ${own.rejects} WHERE ${quoteName('kind')} = 'row'`
}

/** Returns the first record that breaks a rule, with its value if it may be shown. */
export async function firstBreach(
  rule: Rule,
  { local, ...facts }: RejectFacts & { readonly local: LocalReader },
): Promise<{ readonly number: string; readonly value: string | undefined }> {
  const numbered = `SELECT row_number() OVER () AS ${own.row}, * FROM ${limitedFrom(facts, [rule])}`
  const rows = await local.rows(
    `SELECT ${recordName}.${own.row} AS ${own.number}, ${rule.shown ?? 'NULL'} AS ${own.value} FROM (${numbered}) AS ${recordName} WHERE ${rule.broken} ORDER BY 1 LIMIT 1`,
  )
  const value = rows[0]?.[own.value]
  return {
    number: String(rows[0]?.[own.number] ?? '?'),
    value: value === null || value === undefined ? undefined : String(value),
  }
}
