/**
 * The binder's result: every column of every relation in an SQL text as one object, with what gives it its
 * name and where its value comes from, and every mention of a name. Lineage, completion, hover, definition,
 * references, rename and the messages about names all use it.
 */
import type { ColumnOrigin } from '../../analysis.ts'
import type { FunctionEffect } from '../../engines/function-effects.ts'
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

/** The name of a placeholder for unknown columns; nobody writes it by accident. */
export const unknownColumn = 'svc: no column is known'

/** A column of one relation of the text. Two columns are the same if they are the same object. */
export interface Column {
  /** Its position in the structure of the text; the same in a text that differs only in names. */
  readonly id: string
  /** '' if the warehouse derives the name from the text of the expression. */
  readonly name: string
  readonly maker: Maker
  readonly value: Value
  /** Set if it stands for any number of columns, or for none. */
  readonly spread?: Spread
  /** The name does not exist, so it is never suggested for another. */
  readonly misspelt?: true
  /** Its name for the engine in the repaired text, if that differs. */
  readonly repairedAs?: string
}

/** Columns whose number only the data or the engine knows. */
export interface Spread {
  /** The columns that it may stand for, if they are known. */
  readonly candidates: readonly Column[] | undefined
}

/** The origin of a column's name. */
export type Maker =
  /** A column of another asset, of the asset itself (`{{ this }}`) or of its source. */
  | { readonly kind: 'input'; readonly origin: ColumnOrigin }
  /** A written name: an alias, a list of column names, a RENAME. `of` is the column whose value it has. */
  | {
      readonly kind: 'named'
      readonly at: Name
      readonly item: SelectItem | undefined
      readonly of: Column | undefined
    }
  /** A column of the select list without an alias: it keeps its name. */
  | { readonly kind: 'passed'; readonly at: Name; readonly of: Column; readonly item: SelectItem }
  /** A replaced column: `* REPLACE (… AS name)`. */
  | { readonly kind: 'replaced'; readonly at: Name; readonly of: Column; readonly item: SelectItem }
  /** A column of a star; `item` is undefined for `FROM t` without a SELECT. */
  | { readonly kind: 'star'; readonly of: Column; readonly item: SelectItem | undefined }
  /** The second of a name in a subquery: `name_1`. */
  | { readonly kind: 'numbered'; readonly of: Column }
  /** A column merged by USING or NATURAL. */
  | { readonly kind: 'merged'; readonly members: readonly Column[] }
  /** A column of a set operation: the first side gives the name. */
  | { readonly kind: 'union'; readonly sides: readonly Column[]; readonly byName: boolean }
  | { readonly kind: 'expression'; readonly item: SelectItem | undefined }
  /** A field of a struct. */
  | { readonly kind: 'field'; readonly of: Column | undefined; readonly at: Name | undefined }
  /**
   * A column of a relation of which nothing is known here: a table function, a dynamic PIVOT, an unknown
   * table. `at` is the text that the name is derived from, if it is written (a value of PIVOT).
   */
  | { readonly kind: 'opaque'; readonly at?: Span }

/** Returns the column of a name that is asked of a relation with unknown columns. */
export type Open = (name: string, hasFields: boolean) => Column

export interface Relation {
  readonly columns: readonly Column[]
  /** Set if there may be more columns than those. */
  readonly open: Open | undefined
  /** Columns that no star expands to, but that may be named. */
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
  /** The qualifier of its columns; '' if it has none. */
  readonly name: string
  /** The schema before the name, for `schema.table.column`. */
  readonly schema: string
  /** The alias; undefined if it goes by its own name. */
  readonly alias: Name | undefined
  readonly node: TableExpression
  readonly cte: BoundCte | undefined
  /** The relation of its tag; undefined if it is no tag. */
  readonly tag: TaggedRelation | undefined
  /** The right side of a semi join: only its condition sees it. */
  hidden: boolean
  /** Set if there is no such table. */
  problem?: NameProblem | undefined
}

export interface BoundWindow {
  readonly kind: 'window'
  readonly id: string
  readonly name: Name
  /** The values of ORDER BY and PARTITION BY. */
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
  /** The place where the text names the field; undefined if the name comes from its type. */
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
  /** Whether a qualifier precedes it. */
  readonly qualified: boolean
  /** For a column without a qualifier, its table. */
  readonly table?: BoundTable
  /** Set for a table as a value: its row, with the names of its columns. */
  readonly row?: true
  /** Set if several tables have a column of that name. */
  readonly ambiguous?: true
}

export interface BoundSelect {
  readonly query: Query
  readonly select: Select
  readonly tables: readonly BoundTable[]
  readonly items: readonly { readonly item: SelectItem; readonly columns: readonly Column[] }[]
  readonly output: readonly Column[]
}

/** The relation that a tag names. */
export interface TaggedRelation extends Relation {
  /** The name of the table if it has no alias. */
  readonly name: string
  /** The name of the asset, if it is one. */
  readonly asset: string | undefined
  /** `value`: the tag is a value. `unknown`: it names nothing, which is reported elsewhere. */
  readonly kind: 'asset' | 'source' | 'this' | 'value' | 'unknown'
  /** The name for messages. */
  readonly label: string
}

/** The names that an expression sees. */
export interface Scope {
  readonly parent: Scope | undefined
  readonly tables: BoundTable[]
  /** The columns merged by USING and NATURAL, by folded name. */
  readonly merged: Map<string, Column>
  /** Names that take precedence: the output of the SELECT in its ORDER BY. */
  readonly first: ReadonlyMap<string, Column>
  /** The aliases of the select list so far, by folded name. */
  readonly aliases: Map<string, Column>
  readonly parameters: ReadonlyMap<string, BoundParameter>
  readonly windows: Map<string, BoundWindow>
  /** The folded aliases of the select list that are not defined yet. */
  readonly later: Set<string>
  readonly ctes: CteChain | undefined
}

/** The CTEs in scope, nearest first. */
export interface CteChain {
  readonly cte: BoundCte
  readonly parent: CteChain | undefined
}

// ---------------------------------------------------------------- what is wrong

export type NameProblem = {
  readonly span: Span
  /** Edits that remove the mistake from the text, so that an engine can check the rest. */
  readonly repair: readonly Edit[]
  readonly scope: Scope
  /** The problem that this one follows from. It counts only if that one does. */
  readonly because?: NameProblem
} & (
  | {
      readonly kind: 'unknown-column'
      readonly name: string
      /** The relation that the name was looked up in; undefined for all in scope. */
      readonly table: BoundTable | undefined
      /** The candidates for a suggestion, if they are not the columns in scope. */
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

/** A read or a deed of a text beside the relations of its tags. */
export interface Outside {
  /** The name to mark. */
  readonly span: Span
  /**
   * `relation`: one of the engine itself. `table`: any other, or a file, where no tag can stand. `listing`: a query that lists
   * what the database has, such as SHOW TABLES.
   */
  readonly kind: 'function' | 'relation' | 'table' | 'listing'
  readonly name: string
  readonly effect: FunctionEffect
  /** The edits that take it out of the text; empty for a call. */
  readonly repair: readonly Edit[]
}

export type ScopedNode = Query | Select | Pivot | Unpivot | Expression

export interface BoundSql {
  readonly text: string
  /** The mentions in text order; definitions come first at one place. */
  readonly mentions: readonly Mention[]
  readonly problems: readonly NameProblem[]
  /** Edits that remove tags which name nothing. */
  readonly repairs: readonly Edit[]
  /** The output of the statement: for a transform the columns of the asset. */
  readonly output: Relation
  /** Every column of an asset or source that the text reads. */
  readonly reads: readonly ColumnOrigin[]
  /** The columns whose values become column names. */
  readonly names: readonly ColumnOrigin[]
  /** Every CTE and every SELECT, inner ones before outer ones. */
  readonly ctes: readonly BoundCte[]
  readonly selects: readonly BoundSelect[]
  /** Every table, including those inside a PIVOT and a join with an alias. */
  readonly tables: readonly BoundTable[]
  readonly volatile: boolean
  /** The calls of functions that no SQL of a project may call, and the relations of the engine itself. */
  readonly outside: readonly Outside[]
  /** The first statement, or the condition. */
  readonly root: Query | Expression | undefined
  readonly query: Query | undefined
  /**
   * The scope of each SELECT, query, PIVOT source and expression; kept on request. Expressions with the scope
   * of their SELECT are left out.
   */
  readonly scopes: ReadonlyMap<ScopedNode, Scope>
  /** The value of each expression; kept on request. */
  readonly values: ReadonlyMap<Expression, Value>
}

/** A cache, so that a long chain of CTEs is not followed for every mention. */
const roots = new WeakMap<Column, Column>()

/** Returns the column that gives a column its name, as far up as the name was not written again. */
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

/** Returns the column that gives a set operation's column its name. */
export function firstSide(column: Column): Column {
  const side = column.maker.kind === 'union' ? column.maker.sides[0] : undefined
  return side === undefined ? column : firstSide(side)
}
