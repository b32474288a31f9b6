/**
 * The rules of a contract as SQL conditions over records, so that one scan answers for all of them. A rule about child
 * rows holds for the record that they are part of. Runs nothing.
 */
import { quoteLiteral } from '@svc/server/catalog'
import {
  type Contract,
  type Engine,
  findColumn,
  listStep,
  type RawColumn,
  type RawTable,
} from '@svc/server/language'
import { columnKey, type JudgedTables, type Newcomer } from './contract-shape.ts'
import { columnType } from './conversion.ts'
import type { RecordSource } from './record-source.ts'
import { access, recordExpression } from './table-sql.ts'

/** Reason codes of `svc_rejects`. */
export type RejectCode = 'type' | 'null' | 'new_column' | 'new_table'

export interface Rule {
  readonly code: RejectCode
  /**
   * What becomes of it: the asset fails; the record is rejected because a discard mode says so, or because a promise
   * is broken that no mode speaks of; the value is left out.
   */
  readonly outcome: 'freeze' | 'row' | 'enforced' | 'value'
  readonly child: string | undefined
  /** Undefined: a new child table. */
  readonly column: RawColumn | undefined
  /** Way from the record to the value, as `RawColumn.path`. */
  readonly path: readonly string[]
  /** What has to be read of each record. */
  readonly reads: RawColumn
  /** SQL condition over `record`; NULL is no breach. */
  readonly broken: string
  /** SQL of a text that shows the value; undefined: it must not be shown, or there is none. */
  readonly shown: string | undefined
}

export interface RuleFacts {
  readonly contract: Contract
  readonly engine: Engine
  readonly judged: JudgedTables
  /** As they are loaded. */
  readonly tables: readonly RawTable[]
  readonly source: RecordSource
}

export function contractRules(facts: RuleFacts): Rule[] {
  return [
    ...facts.judged.newcomers.flatMap(newcomer => newcomerRule(newcomer, facts)),
    ...facts.tables.flatMap(table =>
      table.child === undefined ? recordRules(table, facts) : childRules(table, facts),
    ),
  ]
}

export function isRowRule({ outcome }: Rule): boolean {
  return outcome === 'row' || outcome === 'enforced'
}

/** SQL condition: the record is rejected whole. Never NULL. */
export function rowCondition(rules: readonly Rule[]): string {
  return `coalesce(${rules.map(({ broken }) => `(${broken})`).join(' OR ')}, false)`
}

// ---------------------------------------------------------------- new tables and columns

const outcomes = { freeze: 'freeze', discard_row: 'row', discard_value: 'value' } as const

function newcomerRule({ mode, child, column, path }: Newcomer, { source }: RuleFacts): Rule[] {
  const reads = column ?? wholeElements(path)
  if (source.conversion(reads) === undefined) return []
  const broken =
    column === undefined
      ? someElement('record', path, () => 'true')
      : someElement('record', path, value => `${value} IS NOT NULL`)
  const code = column === undefined ? 'new_table' : 'new_column'
  return [{ code, outcome: outcomes[mode], child, column, path, reads, broken, shown: undefined }]
}

/** The elements of a list as they are, for asking whether there are any. */
function wholeElements(path: readonly string[]): RawColumn {
  return { name: '', type: 'JSON', path, system: false, pii: false, nullable: true }
}

/** Whether the value at the path, or one of them where the path leads through lists, meets a condition. */
export function someElement(
  base: string,
  path: readonly string[],
  condition: (value: string) => string,
  depth = 0,
): string {
  const at = path.indexOf(listStep)
  if (at === -1) return condition(access(base, path))
  const element = `e${depth}`
  const inner = someElement(element, path.slice(at + 1), condition, depth + 1)
  return `coalesce(list_bool_or(list_transform(${access(base, path.slice(0, at))}, lambda ${element}: ${inner})), false)`
}

// ---------------------------------------------------------------- values of known columns

function recordRules(table: RawTable, facts: RuleFacts): Rule[] {
  const { contract, engine, source } = facts
  const required = new Set(
    contract.requiredColumns.flatMap(name => findColumn(table.columns, name, engine)?.name ?? []),
  )
  return table.columns.flatMap(column => {
    const how = column.system ? undefined : source.conversion(column)
    if (how === undefined) return []
    const { raw, value } = recordExpression(column, source)
    const misfit = how.misfit(raw)
    const about = { child: undefined, column, path: column.path, reads: column }
    const rules: Rule[] = []
    if (misfit !== undefined) {
      const shown = column.pii ? undefined : `CAST(${raw} AS VARCHAR)`
      rules.push({ ...about, code: 'type', outcome: typeOutcome(contract), broken: misfit, shown })
    }
    if (!column.nullable || required.has(column.name)) {
      // A value that does not fit is told apart from none at all.
      const none = misfit === undefined ? `${value} IS NULL` : `${raw} IS NULL`
      rules.push({ ...about, code: 'null', outcome: nullOutcome(contract), broken: none, shown: undefined })
    }
    return rules
  })
}

/** Child columns are held to a type only where a mode asks for it: contracts promise columns of the record. */
function childRules(table: RawTable, { contract, judged, source }: RuleFacts): Rule[] {
  return table.columns.flatMap(column => {
    if (column.system || !judged.pinned.has(columnKey(table.child, column))) return []
    const how = source.conversion(column)
    if (how === undefined || how.misfit('value') === undefined) return []
    const broken = someElement('record', column.path, value => how.misfit(value) ?? 'false')
    const about = { child: table.child, column, path: column.path, reads: column }
    return [{ ...about, code: 'type', outcome: typeOutcome(contract), broken, shown: undefined }]
  })
}

/** Without a mode for types, the only promise that can be broken is one of `enforce_types`. */
function typeOutcome({ evolution }: Contract): Rule['outcome'] {
  return evolution.types === 'evolve' ? 'enforced' : outcomes[evolution.types]
}

/** There is no value that could be left out: the record goes. */
function nullOutcome({ evolution }: Contract): Rule['outcome'] {
  if (evolution.types === 'evolve') return 'enforced'
  return evolution.types === 'freeze' ? 'freeze' : 'row'
}

// ---------------------------------------------------------------- words

/** SQL of the message about one record: which column, what is wrong with it, and the value where it may be seen. */
export function messageSql(rule: Rule): string {
  const text = quoteLiteral(breachText(rule))
  if (rule.shown === undefined) return text
  const value = `CASE WHEN length(${rule.shown}) > 60 THEN left(${rule.shown}, 60) || '…' ELSE ${rule.shown} END`
  return `${text} || ' ' || CAST(to_json(${value}) AS VARCHAR)`
}

/** Without a value behind it, a whole clause. */
export function breachText(rule: Pick<Rule, 'code' | 'child' | 'column' | 'shown'>): string {
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
      return `${name} is promised as ${column === undefined ? '' : columnType(column)}, which cannot hold${rule.shown === undefined ? ' the value' : ''}`
  }
}
