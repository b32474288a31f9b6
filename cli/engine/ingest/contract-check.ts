/**
 * Holds a fetched source against its contract before anything is loaded (decisions 1): types that cannot hold a
 * value, required columns that are missing or NULL. One pass over the records for all of it. This is the place for the
 * modes `freeze`, `discard_row` and `discard_value`; with `evolve`, the only one so far, a violation fails the asset.
 */
import type { LocalDuckDb } from '@svc/server/catalog'
import {
  type Contract,
  findColumn,
  type JsonShape,
  type RawColumn,
  seen,
  shapeAt,
} from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { columnType } from './conversion.ts'
import type { RecordSource } from './record-source.ts'
import { recordExpression } from './table-sql.ts'

interface Rule {
  readonly column: RawColumn
  /** SQL condition of a record that breaks the rule. */
  readonly broken: string
  readonly raw: string
  readonly kind: 'type' | 'null'
}

export interface ContractCheck {
  readonly contract: Contract | undefined
  /** Of the table of `{{ source }}`. */
  readonly columns: readonly RawColumn[]
  readonly source: RecordSource
  /** Of JSON. */
  readonly shape: JsonShape | undefined
  readonly duckdb: LocalDuckDb
}

/** Throws `contract-violated` with every column that breaks its promise. */
export async function checkContract(check: ContractCheck): Promise<void> {
  if (check.contract === undefined) return
  const { contract, columns, source } = check
  if (source.recordType.kind !== 'unknown') {
    refuseMissingColumns(contract, columns, column => source.conversion(column) !== undefined)
  }
  refuseRounded(check)
  const rules = rulesOf(check)
  if (rules.length === 0) return
  const counts = rules.map((rule, index) => `count(*) FILTER (${rule.broken}) AS r${index}`)
  const rows = await check.duckdb.rows(`SELECT ${counts.join(', ')} FROM ${fromOf(check, rules)}`)
  const broken = rules
    .map((rule, index) => ({ rule, count: Number(rows[0]?.[`r${index}`] ?? 0) }))
    .filter(({ count }) => count > 0)
  if (broken.length === 0) return
  const messages = await Promise.all(broken.map(({ rule, count }) => describe(check, rule, count)))
  throw new SvcError('contract-violated', messages.join('; '), {
    hint: 'Mend the source, or change contract.columns, required_columns or enforce_types.',
  })
}

/** Readers of JSON hold numbers as DOUBLE: a decimal with more digits would come out rounded. */
function refuseRounded({ columns, shape }: ContractCheck): void {
  if (shape === undefined) return
  const rounded = columns.filter(column => {
    const kinds = shapeAt(shape, column.path)?.kinds ?? 0
    return column.type?.startsWith('DECIMAL') === true && (kinds & seen.longDecimal) !== 0
  })
  if (rounded.length === 0) return
  const names = list(rounded.map(column => column.name))
  throw new SvcError(
    'contract-violated',
    `numbers in ${names} have more than 15 digits and would be rounded`,
    {
      hint: 'Let the source send them as text, or promise double or varchar.',
    },
  )
}

/** Throws `contract-violated` where a column that must be there is not. */
export function refuseMissingColumns(
  contract: Contract | undefined,
  columns: readonly RawColumn[],
  isThere: (column: RawColumn) => boolean,
): void {
  const promised = Object.entries(contract?.columns ?? {})
  const required = [
    ...(contract?.requiredColumns ?? []),
    ...promised.filter(([, column]) => !column.nullable).map(([name]) => name),
  ]
  const missing = required.filter(name => {
    const column = findColumn(columns, name)
    return column === undefined || !isThere(column)
  })
  if (missing.length === 0) return
  const names = columns.filter(isThere).map(column => column.name)
  throw new SvcError('contract-violated', `the source has no column ${list([...new Set(missing)])}`, {
    hint: `It has: ${names.slice(0, 20).join(', ')}${names.length > 20 ? ', …' : ''}.`,
  })
}

function rulesOf({ contract, columns, source }: ContractCheck): Rule[] {
  const required = new Set(
    (contract?.requiredColumns ?? []).flatMap(name => findColumn(columns, name)?.name ?? []),
  )
  return columns.flatMap(column => {
    const how = source.conversion(column)
    if (how === undefined) return []
    const { raw, value } = recordExpression(column, source)
    const misfit = how.misfit(raw)
    const rules: Rule[] = misfit === undefined ? [] : [{ column, raw, broken: misfit, kind: 'type' }]
    if (!column.nullable || required.has(column.name)) {
      // A value that does not fit is told apart from none at all.
      const none = misfit === undefined ? `${value} IS NULL` : `${raw} IS NULL`
      rules.push({ column, raw, broken: none, kind: 'null' })
    }
    return rules
  })
}

function fromOf({ source }: ContractCheck, rules: readonly Rule[]): string {
  return `${source.from(rules.map(rule => rule.column))} AS record`
}

async function describe(check: ContractCheck, rule: Rule, count: number): Promise<string> {
  const inner = `SELECT row_number() OVER () AS _svc_row, * FROM ${check.source.from([rule.column])}`
  const rows = await check.duckdb.rows(
    `SELECT record._svc_row AS number, CAST(${rule.raw} AS VARCHAR) AS value FROM (${inner}) AS record WHERE ${rule.broken} ORDER BY 1 LIMIT 1`,
  )
  const { name } = rule.column
  const record = `record ${rows[0]?.['number'] ?? '?'}`
  const records = count === 1 ? `in ${record}` : `in ${count} records, first in ${record}`
  if (rule.kind === 'null') return `column "${name}" must not be empty, and is ${records}`
  const value = rule.column.pii ? '' : ` ${quoted(String(rows[0]?.['value'] ?? ''))}`
  return `column "${name}" is promised as ${columnType(rule.column)}, which cannot hold${value || ' the value'} ${records}`
}

function quoted(value: string): string {
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)
}

function list(names: readonly string[]): string {
  return names.map(name => `"${name}"`).join(', ')
}
