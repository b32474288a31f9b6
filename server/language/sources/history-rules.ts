/**
 * What an edit of a source means for the rows that its loads have gathered (`write: append`, `merge`, `scd2`): whether they are
 * still rows of the same source, and what it takes to go on with them. It is another question than what counts for the hash of
 * a load, which says that the next one has another content. Every key has a rule: without one a kind of source does not compile.
 */
import type { Contract, JsonValue, SourceOptions, TableContract } from '../schema/definition.ts'
import { toSnakeCase } from '../source/snake-case.ts'

/** The mildest first. */
export const historyRoles = [
  /** Gathered rows are as they would be: it says how the source is reached, or what its next records must be. */
  'none',
  /** Gathered rows are brought into another shape. */
  'shape',
  /** The same, and columns may come that they do not have. */
  'columns',
  /** Other records may come: the source is read again from its start, and joins the gathered rows. */
  'records',
  /** Gathered rows are of another source, or cannot become what they would be. */
  'origin',
] as const

export type HistoryRole = (typeof historyRoles)[number]

/** The identity of an `ingest`, as it is stored with a definition. */
export type StoredIngest = Readonly<Record<string, JsonValue | undefined>>

export interface KeyChange {
  readonly before: JsonValue | undefined
  readonly after: JsonValue | undefined
  /** All keys of the source as it was, and as it is. */
  readonly earlier: StoredIngest
  readonly later: StoredIngest
}

/** A role for every change of a key, or a function that knows which changes mean nothing. */
export type HistoryRule = HistoryRole | ((change: KeyChange) => HistoryRole)

/** A rule for each key of a kind of source besides those that all have. */
export type HistoryRules<Of extends SourceOptions> = Readonly<
  Record<Exclude<keyof Of, keyof SourceOptions | 'type'>, HistoryRule>
>

/** Returns a rule for which values are one if they come to the same text. */
export function unlessSame(role: HistoryRole, textOf: (value: JsonValue | undefined) => string): HistoryRule {
  return ({ before, after }) => (textOf(before) === textOf(after) ? 'none' : role)
}

/** Returns names as columns have them, so that other letters and another order are the same. */
export function sameNames(role: HistoryRole): HistoryRule {
  return ({ before, after, earlier, later }) =>
    namesText(before, earlier) === namesText(after, later) ? 'none' : role
}

function namesText(value: JsonValue | undefined, ingest: StoredIngest): string {
  return JSON.stringify([...new Set(textsOf(value).map(text => columnName(text, ingest)))].sort())
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}

/** Returns a name, or a path or pattern of names, as the table of the source has it. */
function columnName(text: string, { naming }: StoredIngest): string {
  if (naming === 'source') return text.toLowerCase()
  return text.split(/\.|__/).map(stepName).join('__').toLowerCase()
}

/** The parts of a pattern around its stars are names of their own. */
function stepName(step: string): string {
  return step
    .split('*')
    .map(part => (part === '' ? '' : toSnakeCase(part)))
    .join('*')
}

// ---------------------------------------------------------------- keys that all sources have

/** Which ways of writing go on with the rows of which others. From one that keeps fewer rows, all go. */
const writeRule: HistoryRule = ({ before, after, earlier }) => {
  if (before === after) return 'none'
  if (before === 'replace') return 'none'
  if (after === 'replace' || before === 'scd2') return 'origin'
  if (after !== 'scd2') return 'none'
  // Every gathered row becomes the first version of its record, so that there must be one of each.
  return before === 'merge' || textsOf(earlier['primaryKey']).length > 0 ? 'shape' : 'origin'
}

/** An append only compares keys; where records replace others, gathered rows have been told apart by the key of before. */
const keyRule: HistoryRule = change =>
  [change.earlier, change.later].some(({ write }) => write === 'append')
    ? 'none'
    : ask(sameNames('origin'), change)

/** Another cursor, or another start, may tell of records that were passed over. */
const incrementalRule: HistoryRule = ({ before, after, earlier, later }) =>
  cursorText(before, earlier) === cursorText(after, later) ? 'none' : 'records'

function cursorText(value: JsonValue | undefined, ingest: StoredIngest): string {
  const { cursor, start, ...others } = (value ?? {}) as StoredIngest
  return JSON.stringify([typeof cursor === 'string' && columnName(cursor, ingest), start ?? null, others])
}

/** What is left out now goes; what is no longer left out was not gathered. */
function patternsRule(isWiderBy: 'more' | 'fewer'): HistoryRule {
  return ({ before, after, earlier, later }) => {
    const [old, now] = [names(before, earlier), names(after, later)]
    const [added, removed] = [now.some(name => !old.includes(name)), old.some(name => !now.includes(name))]
    if (!added && !removed) return 'none'
    if (isWiderBy === 'fewer') return removed ? 'columns' : 'shape'
    // An empty `include` keeps all.
    return now.length === 0 || (added && old.length > 0) ? 'columns' : 'shape'
  }
}

function names(value: JsonValue | undefined, ingest: StoredIngest): readonly string[] {
  return textsOf(value).map(text => columnName(text, ingest))
}

/**
 * Values that are stored as they are can be hidden, but for hashes, whose key is in no SQL; those that are hidden cannot be
 * shown, nor hidden in another way.
 */
const maskRule: HistoryRule = ({ before, after, earlier, later }) => {
  const [old, now] = [masksOf(before, earlier), masksOf(after, later)]
  const isLost = [...old].some(([name, kind]) => now.get(name) !== kind && now.get(name) !== 'redact')
  if (isLost) return 'origin'
  const added = [...now].filter(([name, kind]) => old.get(name) !== kind)
  if (added.some(([, kind]) => kind === 'hash')) return 'origin'
  return added.length === 0 ? 'none' : 'shape'
}

function masksOf(value: JsonValue | undefined, ingest: StoredIngest): ReadonlyMap<string, JsonValue> {
  return new Map(Object.entries(value ?? {}).map(([name, kind]) => [columnName(name, ingest), kind]))
}

export const sharedRules: Readonly<Record<keyof SourceOptions, HistoryRule>> = {
  credentials: 'none',
  limits: 'none',
  onChange: 'none',
  write: writeRule,
  primaryKey: keyRule,
  incremental: incrementalRule,
  include: patternsRule('more'),
  exclude: patternsRule('fewer'),
  mask: maskRule,
  naming: 'shape',
  // What was flat, a value of JSON or a table of its own cannot become another of these.
  nested: 'origin',
}

// ---------------------------------------------------------------- the contract

/** What an edit of the contract means; what it says of the next records is nothing that was gathered. */
export const contractRules: Readonly<Record<keyof Contract, HistoryRule>> = {
  evolution: 'none',
  enforceTypes: 'none',
  allowEmpty: 'none',
  maxRejects: 'none',
  requiredColumns: 'none',
  constraints: 'none',
  columns: 'shape',
  tables: 'shape',
} satisfies Readonly<Record<keyof Contract | keyof TableContract, HistoryRule>>

// ---------------------------------------------------------------- the answer

export interface ClassedChange {
  /** Such as `ingest.resource`. */
  readonly key: string
  readonly role: Exclude<HistoryRole, 'none'>
}

/** The part of a stored definition that is about its source. */
export interface StoredSource {
  readonly ingest: StoredIngest
  readonly contract: StoredIngest
}

/** Returns what has changed for the rows that were gathered, by key. `rulesOf`: the rules of a kind of source. */
export function classedChanges(
  before: StoredSource,
  after: StoredSource,
  rulesOf: (type: JsonValue | undefined) => Readonly<Record<string, HistoryRule>>,
): readonly ClassedChange[] {
  if (before.ingest['type'] !== after.ingest['type']) return [{ key: 'ingest.type', role: 'origin' }]
  const rules = { ...sharedRules, ...rulesOf(after.ingest['type']) }
  return [
    ...changesOf('ingest', before.ingest, after, before, rules),
    ...changesOf('contract', before.contract, after, before, contractRules),
  ]
}

function changesOf(
  part: 'ingest' | 'contract',
  old: StoredIngest,
  after: StoredSource,
  before: StoredSource,
  rules: Readonly<Record<string, HistoryRule>>,
): readonly ClassedChange[] {
  const now = after[part]
  const keys = [...new Set([...Object.keys(old), ...Object.keys(now)])].sort()
  return keys.flatMap(key => {
    if (key === 'type' || JSON.stringify(old[key]) === JSON.stringify(now[key])) return []
    const change = { before: old[key], after: now[key], earlier: before.ingest, later: after.ingest }
    // What a newer or older svc has stored under a name that is unknown here is taken for the worst.
    const role = ask(Object.hasOwn(rules, key) ? (rules[key] ?? 'origin') : 'origin', change)
    return role === 'none' ? [] : [{ key: `${part}.${writtenName(key)}`, role }]
  })
}

function ask(rule: HistoryRule, change: KeyChange): HistoryRole {
  return typeof rule === 'function' ? rule(change) : rule
}

/** `primaryKey` is written `primary_key`. */
function writtenName(property: string): string {
  return property.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}
