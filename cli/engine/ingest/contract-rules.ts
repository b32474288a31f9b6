/**
 * The rules of a contract as SQL conditions over records, so that one scan evaluates all of them. A rule
 * about child rows applies to the record that contains them. This module runs no SQL.
 */
import { quoteLiteral } from '@svc/server/catalog'
import {
  type Contract,
  type Engine,
  findColumn,
  internalName,
  listStep,
  promisedOf,
  promisedType,
  type RawColumn,
  type RawTable,
} from '@svc/server/language'
import { columnKey, type JudgedTables, type Newcomer } from './contract-shape.ts'
import { columnType } from './conversion.ts'
import { recordName } from './record-names.ts'
import type { RecordSource } from './record-source.ts'
import { isTold, type PersonalInSource } from './source.ts'
import { access, unnamedColumn } from './table-sql.ts'

/** Reason codes of `svc_rejects`. */
export type RejectCode = RuleCode | 'unparsed'

/** The code of what breaks a rule; a line that is no record breaks none. */
type RuleCode = 'type' | 'null' | 'new_column' | 'new_table'

export interface Rule {
  readonly code: RuleCode
  /**
   * What happens to a record that breaks the rule: `freeze` fails the asset; `row` rejects the record because
   * of a discard mode; `enforced` rejects it because it breaks a promise for which no mode is set; `value`
   * leaves the value out.
   */
  readonly outcome: 'freeze' | 'row' | 'enforced' | 'value'
  readonly child: string | undefined
  /** Undefined if the rule is about a new child table. */
  readonly column: RawColumn | undefined
  /** The path from the record to the value, as in `RawColumn.path`. */
  readonly path: readonly string[]
  /** The column that the condition has to read from each record. */
  readonly reads: RawColumn
  /** An SQL condition over `recordName` that is true for a breach; NULL counts as no breach. */
  readonly broken: string
  /** Whether the contract names the type; else it is that of the other values or of earlier loads. */
  readonly isPromised?: boolean
  /** SQL of a text that shows the value; undefined if there is no value or it must not be shown. */
  readonly shown: string | undefined
}

export interface RuleFacts {
  readonly contract: Contract
  readonly engine: Engine
  readonly judged: JudgedTables
  /** The tables in the shape in which they are loaded. */
  readonly tables: readonly RawTable[]
  readonly source: RecordSource
  readonly personal: PersonalInSource
}

export function contractRules(facts: RuleFacts): Rule[] {
  return [
    ...facts.judged.newcomers.flatMap(newcomer => newcomerRule(newcomer, facts)),
    ...facts.tables.flatMap(table => columnRules(table, facts)),
  ]
}

export function isRowRule({ outcome }: Rule): boolean {
  return outcome === 'row' || outcome === 'enforced'
}

/** Returns the SQL condition under which a whole record is rejected. It is never NULL. */
export function rowCondition(rules: readonly Rule[]): string {
  return `coalesce(${rules.map(({ broken }) => `(${broken})`).join(' OR ')}, false)`
}

// ---------------------------------------------------------------- new tables and columns

const outcomes = { freeze: 'freeze', discard_row: 'row', discard_value: 'value' } as const

function newcomerRule({ mode, child, column, path }: Newcomer, { source }: RuleFacts): Rule[] {
  // Of a new table the elements are read as they are, to test whether there are any.
  const reads = column ?? unnamedColumn(path, 'JSON')
  if (source.conversion(reads) === undefined) return []
  const broken =
    column === undefined
      ? someElement(recordName, path, () => 'true')
      : someElement(recordName, path, value => `${value} IS NOT NULL`)
  const code = column === undefined ? 'new_table' : 'new_column'
  return [{ code, outcome: outcomes[mode], child, column, path, reads, broken, shown: undefined }]
}

/**
 * Returns the SQL condition that the value at the path, or any of the values if the path leads through lists,
 * meets a condition.
 */
function someElement(
  base: string,
  path: readonly string[],
  condition: (value: string) => string,
  depth = 0,
): string {
  const at = path.indexOf(listStep)
  if (at === -1) return condition(access(base, path))
  const element = internalName(`e${depth}`)
  const inner = someElement(element, path.slice(at + 1), condition, depth + 1)
  return `coalesce(list_bool_or(list_transform(${access(base, path.slice(0, at))}, lambda ${element}: ${inner})), false)`
}

const foundName = internalName('found')

/** Returns SQL of the first value at the path that meets the condition, as text. */
function firstElement(
  base: string,
  path: readonly string[],
  condition: (value: string) => string,
  depth = 0,
): string {
  const at = path.indexOf(listStep)
  const value = access(base, at === -1 ? path : path.slice(0, at))
  if (at === -1) return `CASE WHEN ${condition(value)} THEN CAST(${value} AS VARCHAR) END`
  const element = internalName(`e${depth}`)
  const found = firstElement(element, path.slice(at + 1), condition, depth + 1)
  return `list_filter(list_transform(${value}, lambda ${element}: ${found}), lambda ${foundName}: ${foundName} IS NOT NULL)[1]`
}

// ---------------------------------------------------------------- values of known columns

/** Returns rules for the columns of a table: a record breaks one of a child table if any of its rows there does. */
function columnRules({ child, columns }: RawTable, facts: RuleFacts): Rule[] {
  const { contract, engine, judged, source } = facts
  const names = promisedOf(contract, child).requiredColumns
  const required = new Set(names.flatMap(name => findColumn(columns, name, engine)?.name ?? []))
  return columns.flatMap(column => {
    const how = column.system ? undefined : source.conversion(column)
    if (how === undefined) return []
    const isJudged = child === undefined || judged.pinned.has(columnKey(child, column))
    const misfit = isJudged ? how.misfit : () => undefined
    const about = { child, column, path: column.path, reads: column }
    const isRequired = !column.nullable || required.has(column.name)
    const rules: Rule[] = []
    if (misfit('NULL') !== undefined) {
      const isMisfit = (value: string) => misfit(value) ?? 'false'
      const broken = someElement(recordName, column.path, isMisfit)
      const shown = isTold(facts, column) ? firstElement(recordName, column.path, isMisfit) : undefined
      const outcome = typeOutcome(contract, child, column, isRequired)
      const isPromised = contract.evolution.types !== 'evolve' || isDeclared(contract, child, column)
      rules.push({ ...about, code: 'type', outcome, broken, shown, isPromised })
    }
    if (isRequired) {
      // A value that does not fit its type is reported as such, and not as a missing value.
      const isNone = (value: string) => `${misfit('NULL') === undefined ? how.value(value) : value} IS NULL`
      const broken = someElement(recordName, column.path, isNone)
      rules.push({ ...about, code: 'null', outcome: nullOutcome(contract), broken, shown: undefined })
    }
    return rules
  })
}

/**
 * Returns the outcome of a type error. Without a mode for types the value becomes NULL, except where
 * `enforce_types` or a column that must not be empty forbids that.
 */
function typeOutcome(
  contract: Contract,
  child: string | undefined,
  column: RawColumn,
  isRequired: boolean,
): Rule['outcome'] {
  const { evolution, enforceTypes } = contract
  if (evolution.types !== 'evolve') return outcomes[evolution.types]
  const isEnforced = enforceTypes && isDeclared(contract, child, column)
  return isEnforced || isRequired ? 'enforced' : 'value'
}

function isDeclared(contract: Contract, child: string | undefined, { name }: RawColumn): boolean {
  return promisedType(contract, child, name) !== undefined
}

/**
 * Returns the outcome of a missing value. There is no value to leave out, so the whole record is rejected.
 */
function nullOutcome({ evolution }: Contract): Rule['outcome'] {
  if (evolution.types === 'evolve') return 'enforced'
  return evolution.types === 'freeze' ? 'freeze' : 'row'
}

// ---------------------------------------------------------------- words

/** Returns SQL of the message about one record: the column, the problem, and the value if it may be shown. */
export function messageSql(rule: Rule): string {
  const text = quoteLiteral(breachText(rule))
  if (rule.shown === undefined) return text
  const value = `CASE WHEN length(${rule.shown}) > 60 THEN left(${rule.shown}, 60) || '…' ELSE ${rule.shown} END`
  return `${text} || ' ' || CAST(to_json(${value}) AS VARCHAR)`
}

/** Returns the message as text. Without a value to show, it is a complete clause. */
export function breachText(rule: Pick<Rule, 'code' | 'child' | 'column' | 'shown' | 'isPromised'>): string {
  const { code, column, child } = rule
  const name = `column "${column?.name ?? ''}"${child === undefined ? '' : ` of "${child}"`}`
  switch (code) {
    case 'new_table':
      return `child table "${child}" is new`
    case 'new_column':
      return `${name} is new`
    case 'null':
      return `${name} must not be empty`
    case 'type':
      return `${name} is ${rule.isPromised === false ? '' : 'promised as '}${column === undefined ? '' : columnType(column)}, which cannot hold${rule.shown === undefined ? ' the value' : ''}`
  }
}
