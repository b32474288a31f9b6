/**
 * What the names of an SQL text stand for: every column of every relation in it as one object, with what gave it its
 * name and where its value comes from, and every place that mentions one. Lineage, completion, hover, definition,
 * references, rename and the messages about names are questions about these.
 */
import type { ColumnOrigin } from '../../analysis.ts'
import type {
  Cte,
  Edit,
  Expression,
  Name,
  Pivot,
  Query,
  Select,
  SelectItem,
  Span,
  TableExpression,
  Unpivot,
} from '../tree.ts'
import type { Value } from './values.ts'

/** Stands for the columns that are not known; nobody can name it by accident. */
export const unknownColumn = 'svc: no column is known'

/** A column as one relation of the text has it. Two are the same column if they are the same object. */
export interface Column {
  /** Where it stands in the structure of the text; the same in a text that differs in names only. */
  readonly id: string
  /** '' where the warehouse makes a name of the expression's text. */
  readonly name: string
  readonly maker: Maker
  readonly value: Value
  /** It may stand for any number of columns, or for none. */
  readonly spread?: Spread
  /** It is called by a name that nothing has: never offered in place of another. */
  readonly misspelt?: true
  /** The name under which an engine finds it in the mended text, where that is another one. */
  readonly mendedAs?: string
}

/** Columns of which only the data or the engine knows how many there are. */
export interface Spread {
  /** Those that it may stand for, where they are known. */
  readonly candidates: readonly Column[] | undefined
}

/** What gave a column its name. */
export type Maker =
  /** A column of another asset, of the asset itself (`{{ this }}`) or of its source. */
  | { readonly kind: 'input'; readonly origin: ColumnOrigin }
  /** Written: an alias, a list of column names, a RENAME. `of`: the column whose value it has. */
  | {
      readonly kind: 'named'
      readonly at: Name
      readonly item: SelectItem | undefined
      readonly of: Column | undefined
    }
  /** A column of the select list without an alias: it keeps its name. */
  | { readonly kind: 'passed'; readonly at: Name; readonly of: Column; readonly item: SelectItem }
  /** `* REPLACE (… AS name)`. */
  | { readonly kind: 'replaced'; readonly at: Name; readonly of: Column; readonly item: SelectItem }
  /** Out of a star; `item` undefined: `FROM t` without a SELECT. */
  | { readonly kind: 'star'; readonly of: Column; readonly item: SelectItem | undefined }
  /** The second of a name in a query that others read: `name_1`. */
  | { readonly kind: 'numbered'; readonly of: Column }
  /** Of USING or NATURAL. */
  | { readonly kind: 'merged'; readonly members: readonly Column[] }
  /** Of a set operation: the first side gives the name. */
  | { readonly kind: 'union'; readonly sides: readonly Column[]; readonly byName: boolean }
  | { readonly kind: 'expression'; readonly item: SelectItem | undefined }
  /** A field of a struct. */
  | { readonly kind: 'field'; readonly of: Column | undefined; readonly at: Name | undefined }
  /**
   * Of a relation of which nothing is known here: a table function, a dynamic PIVOT, an unknown table. `at`: what the
   * name is made of, where that is written (a value of PIVOT).
   */
  | { readonly kind: 'opaque'; readonly at?: Span }

/** Gives the column of a name that a relation of unknown columns is asked for. */
export type Open = (name: string, hasFields: boolean) => Column

export interface Relation {
  readonly columns: readonly Column[]
  /** Set where there may be more columns than those. */
  readonly open: Open | undefined
  /** Columns that no star gives and that are no mistake when they are named. */
  readonly also?: readonly Column[]
}

export interface BoundCte extends Relation {
  readonly kind: 'cte'
  readonly id: string
  readonly cte: Cte
}

export interface BoundTable extends Relation {
  readonly kind: 'table'
  readonly id: string
  /** What its columns may be qualified with; '' where it has no name. */
  readonly name: string
  /** What stands before the name, for `schema.table.column`. */
  readonly schema: string
  /** Undefined: it is called as what it names. */
  readonly alias: Name | undefined
  readonly node: TableExpression
  readonly cte: BoundCte | undefined
  /** What its tag names; undefined: it is no tag. */
  readonly tag: TaggedRelation | undefined
  /** The right side of a semi join: seen by its condition only. */
  hidden: boolean
  /** There is no such table. */
  problem?: NameProblem | undefined
}

export interface BoundWindow {
  readonly kind: 'window'
  readonly id: string
  readonly name: Name
  /** Keys of order and partition. */
  readonly values: readonly Value[]
}

/** A parameter of a lambda or of a list comprehension. */
export interface BoundParameter {
  readonly kind: 'parameter'
  readonly id: string
  readonly name: Name
  readonly value: Value
}

export interface BoundField {
  readonly kind: 'field'
  readonly id: string
  readonly name: string
  readonly value: Value
  /** Where the struct's text names it; undefined: its type does. */
  readonly at: Name | undefined
}

export type Target =
  | { readonly kind: 'column'; readonly column: Column }
  | BoundField
  | BoundTable
  | BoundCte
  | BoundWindow
  | BoundParameter

export interface Mention {
  readonly span: Span
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
  readonly select: Select
  readonly tables: readonly BoundTable[]
  readonly items: readonly { readonly item: SelectItem; readonly columns: readonly Column[] }[]
  readonly output: readonly Column[]
}

/** What a tag names. */
export interface TaggedRelation extends Relation {
  /** What the table is called where it has no alias. */
  readonly name: string
  /** Set where that is the name of an asset. */
  readonly asset: string | undefined
  /** `value`: it stands for a value. `unknown`: for nothing, and somebody else says so. */
  readonly kind: 'asset' | 'source' | 'this' | 'value' | 'unknown'
  /** How messages call it. */
  readonly label: string
}

/** The names that an expression sees. */
export interface Scope {
  readonly parent: Scope | undefined
  readonly tables: BoundTable[]
  /** What USING and NATURAL made one, by folded name. */
  readonly merged: Map<string, Column>
  /** Seen before all others: the output of the SELECT, in its ORDER BY. */
  readonly first: ReadonlyMap<string, Column>
  /** Aliases of the select list so far, by folded name. */
  readonly aliases: Map<string, Column>
  readonly parameters: ReadonlyMap<string, BoundParameter>
  readonly windows: Map<string, BoundWindow>
  /** Aliases of the select list that are not defined yet, folded. */
  readonly later: Set<string>
  readonly ctes: CteChain | undefined
}

/** CTEs in sight, nearest first. */
export interface CteChain {
  readonly cte: BoundCte
  readonly parent: CteChain | undefined
}

// ---------------------------------------------------------------- what is wrong

export type NameProblem = {
  readonly span: Span
  /** Edits that take the mistake out of the text, so that an engine can judge the rest. */
  readonly mend: readonly Edit[]
  readonly scope: Scope
  /** It follows from this one, and counts only where that does. */
  readonly because?: NameProblem
} & (
  | {
      readonly kind: 'unknown-column'
      readonly name: string
      /** The relation that it was asked of; undefined: any in sight. */
      readonly table: BoundTable | undefined
      /** Columns that may be meant where those are not the ones in sight. */
      readonly among?: readonly Column[]
      readonly side?: 'left' | 'right'
    }
  | {
      readonly kind: 'unknown-field'
      readonly name: string
      readonly fields: readonly string[]
    }
  | { readonly kind: 'unknown-qualifier'; readonly name: string }
  | { readonly kind: 'unknown-table'; readonly name: string; readonly whole: Span }
  | { readonly kind: 'unknown-window'; readonly name: string; readonly windows: readonly string[] }
  | { readonly kind: 'ambiguous-column'; readonly name: string; readonly tables: readonly string[] }
  | { readonly kind: 'subquery-width'; readonly count: number; readonly expected: number }
  | { readonly kind: 'file-table'; readonly name: string }
  | { readonly kind: 'no-common-column' }
  | { readonly kind: 'alias-too-early'; readonly name: string }
  | { readonly kind: 'duplicate-table'; readonly name: string }
  | { readonly kind: 'duplicate-cte'; readonly name: string }
  | {
      readonly kind: 'unequal-widths'
      readonly left: number
      readonly right: number
    }
  | { readonly kind: 'no-such-position'; readonly index: number; readonly count: number }
)

export type ScopedNode = Query | Select | Pivot | Unpivot | Expression

export interface BoundSql {
  readonly text: string
  /** In text order; at one place definitions first. */
  readonly mentions: readonly Mention[]
  readonly problems: readonly NameProblem[]
  /** What takes tags out of the text that stand for nothing. */
  readonly mends: readonly Edit[]
  /** Of the statement: the columns of the asset, for its transform. */
  readonly output: Relation
  /** Every column of an asset or source that the text reads anywhere. */
  readonly reads: readonly ColumnOrigin[]
  /** Those of them whose values become names of columns. */
  readonly names: readonly ColumnOrigin[]
  /** Every CTE and every SELECT, outer ones behind those that they read. */
  readonly ctes: readonly BoundCte[]
  readonly selects: readonly BoundSelect[]
  /** Every table, those inside of a PIVOT and of a join with a name included. */
  readonly tables: readonly BoundTable[]
  readonly volatile: boolean
  /** The first statement, or the condition that the text is. */
  readonly root: Query | Expression | undefined
  readonly query: Query | undefined
  /**
   * What a SELECT, a query, the inside of a PIVOT or an expression sees; kept on request. An expression that sees just
   * what is around it is not among them.
   */
  readonly scopes: ReadonlyMap<ScopedNode, Scope>
  /** What each expression comes to; kept on request. */
  readonly values: ReadonlyMap<Expression, Value>
}

/** Remembered, so that a long chain of CTEs is not walked for every mention. */
const roots = new WeakMap<Column, Column>()

/** The column that a column has its name from, as far up as it was never written anew. */
export function rootOf(column: Column): Column {
  const passed: Column[] = []
  let root = column
  for (let above = nameSource(root); above !== undefined; above = nameSource(root)) {
    passed.push(root)
    root = roots.get(root) ?? above
  }
  for (const each of passed) roots.set(each, root)
  return root
}

function nameSource({ maker }: Column): Column | undefined {
  if (maker.kind === 'passed' || maker.kind === 'replaced' || maker.kind === 'star') return maker.of
  return maker.kind === 'merged' ? maker.members[0] : undefined
}

/** The column that a set operation's column has its name from. */
export function firstSide(column: Column): Column {
  const side = column.maker.kind === 'union' ? column.maker.sides[0] : undefined
  return side === undefined ? column : firstSide(side)
}
