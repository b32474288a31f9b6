/**
 * What the names of an SQL text stand for: every column of every relation in it as one object (a slot), with what gave
 * it its name, and every place that mentions one. Definition, references and rename are questions about these.
 */
import type { ColumnOrigin } from '../../analysis.ts'
import type { Range } from '../../text/range.ts'
import type { Core, Cte, FromTable, Name, Query, SelectItem, StarItem, ValueItem } from '../sql/query-tree.ts'

/** A column as one relation of the text has it. Two are the same column if they are the same object. */
export interface Slot {
  /** Where it stands in the structure of the text; the same in a text that differs in names only. */
  readonly id: string
  /** '' where the warehouse makes a name of the expression's text. */
  readonly name: string
  readonly maker: Maker
}

/** What gave a slot its name. */
export type Maker =
  /** A column of another asset, of the asset itself (`{{ this }}`) or of its source. */
  | { readonly kind: 'input'; readonly origin: ColumnOrigin }
  /** Written: an alias, a list of column names, a RENAME. `of`: the slot whose value it has. */
  | {
      readonly kind: 'named'
      readonly at: Name
      readonly item: SelectItem | undefined
      readonly of: Slot | undefined
    }
  /** A column of the select list without an alias: it keeps its name. */
  | { readonly kind: 'passed'; readonly at: Name; readonly of: Slot; readonly item: ValueItem }
  /** `* REPLACE (… AS name)`. */
  | { readonly kind: 'replaced'; readonly at: Name; readonly of: Slot; readonly item: StarItem }
  /** Out of a star; `item` undefined: `FROM t` without a SELECT. */
  | { readonly kind: 'star'; readonly of: Slot; readonly item: StarItem | undefined }
  /** Of USING or NATURAL. */
  | { readonly kind: 'merged'; readonly members: readonly Slot[] }
  /** Of a set operation: the first side gives the name. */
  | { readonly kind: 'union'; readonly sides: readonly Slot[]; readonly byName: boolean }
  | { readonly kind: 'expression'; readonly item: ValueItem | undefined }
  /** Of a relation of which nothing is known here: a table function, PIVOT, an unknown table. */
  | { readonly kind: 'opaque' }

export interface BoundCte {
  readonly kind: 'cte'
  readonly id: string
  readonly cte: Cte
  readonly slots: readonly Slot[]
  readonly open: Open | undefined
}

/** Gives the slot of a name that a relation of unknown columns is asked for. */
export type Open = (name: string) => Slot

export interface BoundTable {
  readonly kind: 'table'
  readonly id: string
  /** What its columns may be qualified with. */
  readonly name: string
  /** Undefined: it is called as what it names. */
  readonly alias: Name | undefined
  readonly table: FromTable
  readonly cte: BoundCte | undefined
  /** The asset that a tag without an alias is called after. */
  readonly asset: string | undefined
  readonly slots: readonly Slot[]
  readonly open: Open | undefined
  /** The right side of a semi join: seen by its condition only. */
  hidden: boolean
}

export interface BoundWindow {
  readonly kind: 'window'
  readonly id: string
  readonly name: Name
}

export type Target = { readonly kind: 'column'; readonly slot: Slot } | BoundTable | BoundCte | BoundWindow

export interface Mention {
  /** In the SQL text. */
  readonly range: Range
  readonly target: Target
  readonly role: 'definition' | 'read'
  /** A qualifier stands before it. */
  readonly qualified: boolean
  /** Of a column without a qualifier: the table that has it. */
  readonly table?: BoundTable
  /** A table as a value: its row, with the names of its columns. */
  readonly row?: true
  /** More than one table has a column of that name. */
  readonly ambiguous?: true
}

export interface BoundSelect {
  readonly query: Query
  readonly core: Core
  readonly tables: readonly BoundTable[]
  readonly items: readonly { readonly item: SelectItem; readonly slots: readonly Slot[] }[]
  readonly output: readonly Slot[]
}

export interface BoundSql {
  readonly text: string
  /** In text order; at one place definitions first. */
  readonly mentions: readonly Mention[]
  /** Of the statement: the columns of the asset, for its transform. */
  readonly output: readonly Slot[]
  /** Every CTE and every SELECT, outer ones behind those that they read. */
  readonly ctes: readonly BoundCte[]
  readonly selects: readonly BoundSelect[]
  /** The same as lists of slots: what one relation has, in which no name may be there twice. */
  readonly query: Query | undefined
}

/** The slot that a slot has its name from, as far up as it was never written anew. */
export function rootOf(slot: Slot): Slot {
  const { maker } = slot
  if (maker.kind === 'passed' || maker.kind === 'replaced' || maker.kind === 'star') return rootOf(maker.of)
  if (maker.kind === 'merged' && maker.members[0] !== undefined) return rootOf(maker.members[0])
  return slot
}
