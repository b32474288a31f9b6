/** What the parts of the generator share: kinds of values, scopes, and what is known of the query that is being made. */
import { quoted, type Table, type TableColumn, tables, type ValueKind } from '../tables.ts'
import type { Choices } from './choices.ts'

export type Kind = 'text' | 'number' | 'date' | 'boolean' | 'list' | 'struct' | 'map' | 'json'

export interface Value {
  readonly kind: Kind
  /** Of a struct. */
  readonly fields?: readonly Field[]
  /** Comparisons with constants, order and equality say the same of every version of the marked values. */
  readonly isSteady: boolean
  /** A column of few values: what is compared with it tells all of it. */
  readonly isFew: boolean
}

export interface Expression extends Value {
  readonly sql: string
}

export interface Field extends Value {
  /** Undefined: named by DuckDB after its expression. */
  readonly name: string | undefined
}

export interface Relation {
  /** Undefined: its columns cannot be qualified. */
  readonly alias: string | undefined
  readonly fields: readonly Field[]
}

export interface Scope {
  readonly relations: readonly Relation[]
  /** Parameters of lambdas and the like. */
  readonly parameters: readonly Field[]
  readonly outer: Scope | undefined
}

export interface Query {
  readonly sql: string
  readonly fields: readonly Field[]
}

export interface Making {
  readonly choices: Choices
  /** Names that subqueries may read: CTEs in sight. */
  readonly ctes: readonly Relation[]
  /** Shared by all parts of one query. */
  readonly notes: Notes
}

export interface Notes {
  names: number
  /** Which rows there are, and in which order, is the same for every version of the marked values. */
  areRowsSteady: boolean
  /** What changes with a column in an output has flowed there: it is more than a condition that came out otherwise. */
  isPure: boolean
  /** How much may still be nested. */
  budget: number
}

export function newNotes(): Notes {
  return { names: 0, areRowsSteady: true, isPure: true, budget: 14 }
}

export function freshName(making: Making, stem = 'x'): string {
  making.notes.names++
  return `${stem}${making.notes.names}`
}

/** This decides which rows there are, or their order where it matters. */
export function selectsRows(making: Making, value: Value): void {
  if (!value.isSteady) making.notes.areRowsSteady = false
}

/** This is only compared; of a column of few values a comparison tells everything. */
export function isCompared(making: Making, value: Value): void {
  if (!value.isSteady && !value.isFew) making.notes.isPure = false
}

/** This is a key of order or partition, or counted. */
export function isKey(making: Making, value: Value): void {
  if (!value.isSteady) making.notes.isPure = false
}

const kinds: Readonly<Record<ValueKind, Kind>> = {
  key: 'number',
  word: 'text',
  mail: 'text',
  'full name': 'text',
  phone: 'text',
  few: 'text',
  enum: 'text',
  boolean: 'boolean',
  date: 'date',
  time: 'date',
  number: 'number',
  fraction: 'number',
  amount: 'number',
  struct: 'struct',
  list: 'list',
  map: 'map',
  json: 'json',
}

const structFields: readonly Field[] = [
  { name: 'mail', kind: 'text', isSteady: true, isFew: false },
  { name: 'city', kind: 'text', isSteady: true, isFew: false },
  { name: 'zip', kind: 'number', isSteady: true, isFew: false },
]

export function fieldOf({ name, kind }: TableColumn): Field {
  const isFew = kind === 'few' || kind === 'enum' || kind === 'boolean'
  const field = { name, kind: kinds[kind], isSteady: !isFew, isFew }
  return kind === 'struct' ? { ...field, fields: structFields } : field
}

export function fieldsOf(table: Table): readonly Field[] {
  return table.columns.map(fieldOf)
}

/** Those with plain names: the generator is about SQL, odd names have cases of their own. */
export const plainTables: readonly Table[] = tables.filter(({ name }) => name !== 'u')

/** A name as it is written: bare or quoted, in any case. */
export function written(making: Making, name: string): string {
  if (!/^[a-z_]\w*$/i.test(name)) return quoted(name)
  return making.choices.pick([name, name, name, name, quoted(name), name.toUpperCase()])
}

export function everyField({ relations }: Scope): readonly Field[] {
  return relations.flatMap(({ fields }) => fields)
}

export function scopeOf(relations: readonly Relation[], outer?: Scope): Scope {
  return { relations, parameters: [], outer }
}
