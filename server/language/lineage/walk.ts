/** What a walk over one statement carries along and collects. */
import type { ColumnOrigin } from '../analysis.ts'
import type { Scope } from './scope.ts'
import type { Expression, QueryNode, TableNode } from './sql-tree.ts'
import type { OutputColumn, Value } from './values.ts'

/** The columns of a relation outside the statement. `ask` is set where any name is accepted. */
export interface RelationShape {
  readonly columns: readonly OutputColumn[]
  readonly ask?: (name: string, hasFields?: boolean) => OutputColumn
  /** Columns that no star gives and that are no error when named. */
  readonly also?: readonly OutputColumn[]
}

export type LookUp = (schema: string, table: string) => RelationShape | undefined

/** A mention of a column: `part` is the index of the column's name in `column_names`. */
export interface NameUse {
  readonly location: number
  readonly part: number
  readonly origin: ColumnOrigin
}

/** Where a node stands; kept on request, for messages and for mending. */
export interface Trace {
  readonly scopes: Map<Expression, Scope>
  readonly tables: Map<TableNode, Scope>
  readonly outputs: Map<QueryNode, { readonly columns: readonly OutputColumn[]; readonly ask?: unknown }>
  /** What each column reference came to; undefined: nothing of that name. */
  readonly values: Map<Expression, Value | undefined>
  /** Which part of its name is the column: what comes behind are fields. */
  readonly parts: Map<Expression, number>
}

/** Constants that stand for what was mended: a value of unknown type, or columns of which nothing is known. */
export type Mended = ReadonlyMap<object, MendedAs>

export interface MendedAs {
  readonly kind: 'value' | 'columns'
  /** What an output column may have been meant to be called. */
  readonly names: readonly string[]
}

export interface Walk {
  readonly lookUp: LookUp
  readonly uses: NameUse[]
  volatile: boolean
  readonly trace: Trace | undefined
  readonly mended: Mended
  /** Aliases being resolved, against those that name themselves. */
  readonly resolving: Set<Expression>
  /** How often an alias was not followed, because it rests on itself. */
  cuts: number
}

export function newWalk(lookUp: LookUp, options: { trace?: boolean; mended?: Mended } = {}): Walk {
  const trace = options.trace
    ? { scopes: new Map(), tables: new Map(), outputs: new Map(), values: new Map(), parts: new Map() }
    : undefined
  const mended = options.mended ?? new Map()
  return { lookUp, uses: [], volatile: false, trace, mended, resolving: new Set(), cuts: 0 }
}
