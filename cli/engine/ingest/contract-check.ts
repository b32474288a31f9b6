/**
 * Checks a fetched source against its contract before anything is loaded (decisions 1): new tables and
 * columns, values that do not fit their type, required columns that are missing or NULL. One scan over the
 * records evaluates all rules; only a broken rule causes further queries. Returns what the load leaves out,
 * or refuses the source.
 */
import type { LocalReader } from '@svc/server/catalog'
import {
  type Amount,
  type Contract,
  type Engine,
  findColumn,
  indispensableColumns,
  internalName,
  isTableOf,
  type JsonShape,
  type PromisedTable,
  promisedTables,
  type RawColumn,
  type RawTable,
  type SourceType,
} from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { breachText, contractRules, isRowRule, type Rule, rowCondition } from './contract-rules.ts'
import { columnKey, type JudgedTables } from './contract-shape.ts'
import { repeatedKeys } from './primary-key.ts'
import { recordName } from './record-names.ts'
import { type RecordSource, typeAt } from './record-source.ts'
import { firstBreach, limitedFrom, rejectsSql } from './reject-rows.ts'
import { warnOfRounded } from './rounded-numbers.ts'
import type { FetchContext, PersonalInSource, RefusedRecords, RejectCounts } from './source.ts'
import { listPath, primaryKeyOf, type TableSqlOptions } from './table-sql.ts'

export interface ContractCheck {
  readonly contract: Contract
  readonly engine: Engine
  readonly judged: JudgedTables
  /** The tables in the shape in which they are loaded. */
  readonly tables: readonly RawTable[]
  readonly source: RecordSource
  /** The kinds of JSON values that were seen; undefined for other formats. */
  readonly shape: JsonShape | undefined
  readonly local: LocalReader
  readonly personal: PersonalInSource
  readonly maxRows: number | undefined
  /** The number of records that the source delivered. */
  readonly rows: number
  readonly primaryKey: readonly string[]
  readonly loadId: string
  readonly onWarning?: FetchContext['onWarning'] | undefined
  readonly onRefused?: ((refused: RefusedRecords) => void) | undefined
}

/** The records and values that a load leaves out because of the contract. */
export interface Verdict extends Required<Pick<TableSqlOptions, 'skip' | 'isLenient'>> {
  readonly counts: RejectCounts
  /** A SELECT that returns `rejectColumns`. */
  readonly sql: string
}

export interface Checked {
  /** Undefined if the load leaves out nothing. */
  readonly verdict: Verdict | undefined
  /** The number of records with the key of another one; undefined if it is not known of those that are loaded. */
  readonly repeated: number | undefined
}

export interface BrokenRule {
  readonly rule: Rule
  /** The number of records that break the rule. */
  readonly count: number
}

/**
 * Throws `contract-violated` with every broken rule if a mode or `max_rejects` does not allow what the load
 * would leave out.
 */
export async function checkContract(check: ContractCheck): Promise<Checked> {
  const { contract, engine, source, judged } = check
  // Records that are all null have no column either; without records nothing is known of the columns.
  if (source.recordType.kind !== 'unknown' || check.rows > 0) {
    const isThere = (column: RawColumn) => source.conversion(column) !== undefined
    refuseMissingColumns(contract, check.tables, isThere, engine, source.recordType)
  }
  warnOfRounded(check)
  const rules = contractRules({
    contract,
    engine,
    judged,
    tables: check.tables,
    source,
    personal: check.personal,
  })
  const { broken, total, rows, values, repeated } = await countBreaches(check, rules)
  await refuseFrozen(check, broken)
  const lines = source.unparsed?.count ?? 0
  const counts = { rows: rows + lines, values, ...leftOutShapes(judged) }
  await refuseOverBudget(check, broken, counts, total + lines)
  if (counts.rows + values + counts.columns.length + counts.tables.length === 0)
    return { verdict: undefined, repeated }
  return { verdict: verdict(check, broken, counts), repeated: undefined }
}

/** Returns the new tables and columns that the load leaves out without rejecting a record. */
function leftOutShapes({ newcomers }: JudgedTables): Pick<RejectCounts, 'columns' | 'tables'> {
  return {
    columns: newcomers.flatMap(({ child, column }) =>
      column === undefined ? [] : [child === undefined ? column.name : `${child}.${column.name}`],
    ),
    tables: newcomers.flatMap(({ child, column }) =>
      column === undefined && child !== undefined ? [child] : [],
    ),
  }
}

function verdict(check: ContractCheck, broken: readonly BrokenRule[], counts: RejectCounts): Verdict {
  const rules = broken.map(({ rule }) => rule)
  const rejecting = rules.filter(isRowRule)
  const typed = rules.filter(({ code }) => code === 'type')
  const lenient = new Set(typed.flatMap(({ child, column }) => (column ? [columnKey(child, column)] : [])))
  return {
    counts,
    skip:
      rejecting.length === 0
        ? undefined
        : { condition: rowCondition(rejecting), columns: rejecting.map(({ reads }) => reads) },
    isLenient: (child, column) => lenient.has(columnKey(child, column)),
    sql: allRejects(rules, check),
  }
}

function allRejects(rules: readonly Rule[], check: ContractCheck): string {
  const { unparsed } = check.source
  const records = rejectsSql(rules, check)
  return unparsed === undefined ? records : `(${records}) UNION ALL (${unparsed.sql})`
}

// ---------------------------------------------------------------- counting

const countName = {
  total: internalName('total'),
  rejected: internalName('rejected'),
  repeated: internalName('repeated'),
}
const isRejected = internalName('is_rejected')
const ruleName = (index: number) => internalName(`r${index}`)
const lostName = (index: number) => internalName(`l${index}`)

/** To plan many counts of one statement costs the square of their number, so many rules are evaluated in several scans. */
const rulesAtOnce = 100

/** The keys are counted in the same scan, because reading the records takes most of its time. */
async function countBreaches(check: ContractCheck, rules: readonly Rule[]) {
  if (rules.length === 0) return { broken: [], total: check.rows, rows: 0, values: 0, repeated: undefined }
  const rejecting = rules.filter(isRowRule)
  const counted = await countPart(check, rules.slice(0, rulesAtOnce), rejecting, primaryKeyOf(check))
  const { breaches } = counted
  for (let from = rulesAtOnce; from < rules.length; from += rulesAtOnce)
    breaches.push(...(await countPart(check, rules.slice(from, from + rulesAtOnce), rejecting, [])).breaches)
  return {
    broken: breaches.filter(({ rule, count }) => count > 0 || isNewAndFrozen(rule)),
    total: counted.total,
    rows: counted.rejected,
    values: breaches.reduce((sum, { lost }) => sum + lost, 0),
    repeated: counted.repeated,
  }
}

/** `lost`: how many values are left out of records that are loaded. */
interface Breaches extends BrokenRule {
  readonly lost: number
}

async function countPart(
  check: ContractCheck,
  rules: readonly Rule[],
  rejecting: readonly Rule[],
  keys: readonly RawColumn[],
) {
  const condition = rejecting.length === 0 ? 'false' : rowCondition(rejecting)
  const counts = rules.flatMap(({ broken, outcome, code }, index) => {
    const count = `count(*) FILTER (WHERE ${broken}) AS ${ruleName(index)}`
    if (outcome !== 'value' || code !== 'type') return [count]
    const isLost = `coalesce(${broken}, false) AND NOT ${recordName}.${isRejected}`
    return [count, `count(*) FILTER (WHERE ${isLost}) AS ${lostName(index)}`]
  })
  const fitting = { source: check.source, isLenient: () => true }
  const repeated = keys.length === 0 ? '0' : repeatedKeys(keys, fitting)
  const read = limitedFrom(check, [...rules, ...rejecting], keys)
  const [row = {}] = await check.local.rows(
    `SELECT count(*) AS ${countName.total}, count(*) FILTER (WHERE ${recordName}.${isRejected}) AS ${countName.rejected}, ${repeated} AS ${countName.repeated}, ${counts.join(', ')}
     FROM (SELECT *, ${condition} AS ${isRejected} FROM ${read} AS ${recordName}) AS ${recordName}`,
  )
  const at = (name: string) => Number(row[name] ?? 0)
  const breaches = rules.map(
    (rule, index): Breaches => ({ rule, count: at(ruleName(index)), lost: at(lostName(index)) }),
  )
  return {
    breaches,
    total: at(countName.total),
    rejected: at(countName.rejected),
    repeated: at(countName.repeated),
  }
}

/** `freeze` refuses a new column or table even if it has no value yet. */
function isNewAndFrozen({ outcome, code }: Rule): boolean {
  return outcome === 'freeze' && (code === 'new_column' || code === 'new_table')
}

// ---------------------------------------------------------------- refusing

const frozenHint =
  'The contract says freeze: name what is new in contract.columns or contract.tables, or change contract.evolution.'

/**
 * Throws for a frozen new table or column. A peek at a source uses it, because it sees columns but no values.
 */
export function refuseFrozenShapes({ newcomers }: JudgedTables): void {
  const frozen = newcomers.filter(({ mode }) => mode === 'freeze')
  if (frozen.length === 0) return
  const texts = frozen.map(({ child, column }) =>
    breachText({ code: column === undefined ? 'new_table' : 'new_column', child, column, shown: undefined }),
  )
  throw new SvcError('contract-violated', texts.join('; '), { hint: frozenHint })
}

async function refuseFrozen(check: ContractCheck, broken: readonly BrokenRule[]): Promise<void> {
  const frozen = broken.filter(({ rule }) => rule.outcome === 'freeze')
  if (frozen.length === 0) return
  const messages = await describeAll(check, frozen)
  throw new SvcError('contract-violated', messages.join('; '), {
    hint: frozenHint,
  })
}

async function refuseOverBudget(
  check: ContractCheck,
  broken: readonly BrokenRule[],
  counts: RejectCounts,
  total: number,
): Promise<void> {
  const refused = counts.rows + counts.values
  const { maxRejects } = check.contract
  const limit = maxRejects ?? defaultLimit(broken, counts, total)
  if (refused === 0 || limit === undefined || isWithin(limit, refused, total)) return
  const costly = broken.filter(({ rule }) => isRowRule(rule) || rule.code === 'type')
  const { unparsed } = check.source
  const lines =
    unparsed === undefined ? [] : [`${unparsed.count} lines are no records, first ${unparsed.first}`]
  const messages = [...lines, ...(await describeAll(check, costly))]
  await tellRefused(check, broken, counts)
  const most = limit.unit === 'rows' ? limit.value : `${limit.value}%`
  const budget =
    limit.value === 0 ? '' : `${refused} of ${total} records break the contract, and max_rejects is ${most}: `
  throw new SvcError('contract-violated', `${budget}${messages.join('; ')}`, {
    hint: svc =>
      `Fix the source or the contract, or allow some rejected records with contract.max_rejects; ${svc('rejects')} shows ${refused === 1 ? 'the record' : 'them'}.`,
  })
}

/** Returns the limit without `max_rejects`: only a discard mode may reject records, and never all of them. */
function defaultLimit(
  broken: readonly BrokenRule[],
  { rows }: RejectCounts,
  total: number,
): Amount | undefined {
  const isNoneAllowed = broken.some(({ rule }) => rule.outcome === 'enforced') || rows === total
  return isNoneAllowed ? { unit: 'rows', value: 0 } : undefined
}

export function isWithin({ unit, value }: Amount, refused: number, total: number): boolean {
  return unit === 'rows' ? refused <= value : refused * 100 <= value * total
}

const refusedShown = 1000
const refusedName = internalName('refused')

/**
 * Reports the first rejected records of a refused source. They are enough to find the cause, because nothing
 * is loaded.
 */
async function tellRefused(
  check: ContractCheck,
  broken: readonly BrokenRule[],
  counts: RejectCounts,
): Promise<void> {
  if (check.onRefused === undefined) return
  const rules = broken.map(({ rule }) => rule)
  const first = await check.local.rows(
    `SELECT * FROM (${allRejects(rules, check)}) AS ${refusedName} ORDER BY record_number LIMIT ${refusedShown}`,
  )
  check.onRefused({ ...counts, loadId: check.loadId, first })
}

function describeAll(check: ContractCheck, broken: readonly BrokenRule[]): Promise<string[]> {
  return Promise.all(broken.map(each => describe(check, each)))
}

async function describe(check: ContractCheck, { rule, count }: BrokenRule): Promise<string> {
  if (count === 0) return breachText(rule)
  const { number, value } = await firstBreach(rule, check)
  const record = `record ${number}`
  const records = count === 1 ? `in ${record}` : `in ${count} records, first in ${record}`
  if (rule.code === 'null') return `${breachText(rule)}, and is ${records}`
  if (rule.code === 'type')
    return `${breachText(rule)}${value === undefined ? '' : ` ${quoted(value)}`} ${records}`
  return `${breachText(rule)} (${records})`
}

function quoted(value: string): string {
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)
}

function list(names: readonly string[]): string {
  return names.map(name => `"${name}"`).join(', ')
}

/** Throws `contract-violated` if a required column of a table that has records is missing. */
export function refuseMissingColumns(
  contract: Contract | undefined,
  tables: readonly RawTable[],
  isThere: (column: RawColumn) => boolean,
  engine: Engine,
  recordType: SourceType,
): void {
  for (const promised of promisedTables(contract)) {
    const table = tables.find(({ child }) => isTableOf(contract, child, promised))
    const path = table === undefined ? undefined : listPath(table)
    // Without rows in a child table nothing is known of its columns.
    if (path !== undefined && typeAt(recordType, path)?.kind !== 'struct') continue
    refuseMissing(promised, table?.columns ?? [], isThere, engine)
  }
}

function refuseMissing(
  promised: PromisedTable,
  columns: readonly RawColumn[],
  isThere: (column: RawColumn) => boolean,
  engine: Engine,
): void {
  const missing = indispensableColumns(promised).filter(name => {
    const column = findColumn(columns, name, engine)
    return column === undefined || !isThere(column)
  })
  if (missing.length === 0) return
  const { child } = promised
  const names = columns.filter(column => !column.system && isThere(column)).map(column => column.name)
  const what = child === undefined ? 'the source has no column' : `"${child}" of the source has no column`
  throw new SvcError('contract-violated', `${what} ${list([...new Set(missing)])}`, {
    hint: [
      names.length === 0
        ? 'All of its records are null or have no keys.'
        : `It has: ${names.slice(0, 20).join(', ')}${names.length > 20 ? ', …' : ''}.`,
      ...renameHint(missing[0] ?? '', names, Object.keys(promised.columns), engine),
    ].join(' '),
  })
}

/** A contract that lists its columns tells which ones are new: one of them may be the missing one under another name. */
function renameHint(
  missing: string,
  names: readonly string[],
  promised: readonly string[],
  engine: Engine,
): readonly string[] {
  const known = new Set(promised.map(name => engine.fold(name)))
  const fresh = names.filter(name => !known.has(engine.fold(name)))
  const [first] = fresh
  if (first === undefined || promised.length === 0 || fresh.length > 5) return []
  return [
    `Not in the contract: ${fresh.join(', ')}. If ${first} is the new name, write it in the contract, and "${first} AS ${missing}" in the SQL.`,
  ]
}
