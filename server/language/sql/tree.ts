/**
 * The tree of an SQL text, which the reader makes from any text, also a broken one. It covers what DuckDB,
 * PostgreSQL and Trino have in common; syntax of only one of them is a node that the others never make. All
 * offsets are UTF-16 offsets in the template's text: template tags are nodes of their own. `start` is the
 * start of a node's first token and `end` the end of its last one. A `missing` node is empty and is where it
 * belongs. Parentheses around an expression are no node: they are outside of its offsets.
 */

import type { Call, Expression, Window } from './expression-tree.ts'

export type * from './expression-tree.ts'

export interface Span {
  readonly start: number
  readonly end: number
}

/** A name. `text` is what it stands for, without quotes; it may be '' while a name is being typed. */
export interface Name extends Span {
  readonly text: string
  readonly quoted: boolean
}

// ---------------------------------------------------------------- queries

/** A query: of a statement, a CTE or brackets. */
export interface Query extends Span {
  readonly kind: 'query'
  /**
   * The range of the query while a user types in it: up to the bracket around it, or to the end of the text.
   */
  readonly reach: Span
  readonly ctes: readonly Cte[]
  readonly recursive: boolean
  readonly body: Body
  /** The ORDER BY of the whole query: after a set operation it sees output columns only. */
  readonly orderBy: readonly OrderItem[]
  readonly orderByAll: Span | undefined
  readonly limit: Expression | undefined
  readonly offset: Expression | undefined
  /** ORDER BY, LIMIT, OFFSET after a set operation; for a plain SELECT they are in `body.clauses` too. */
  readonly clauses: readonly Clause[]
}

export interface Cte extends Span {
  readonly kind: 'cte'
  readonly name: Name
  readonly columns: readonly Name[]
  readonly query: Query | undefined
  /** The columns that SEARCH and CYCLE add to a recursive one. */
  readonly added: readonly Name[]
}

export type Body = Select | SetOperation | Values | Describe | NestedBody | PivotBody | NoBody

/** `(SELECT …)` as a side of a set operation or as a whole query. */
export interface NestedBody extends Span {
  readonly kind: 'nested'
  readonly query: Query
}

export interface SetOperation extends Span {
  readonly kind: 'set'
  readonly operator: 'union' | 'except' | 'intersect'
  readonly all: boolean
  readonly byName: boolean
  readonly left: Body
  readonly right: Body
  /** The span of the operator between the two sides. */
  readonly operatorSpan: Span
}

export interface Values extends Span {
  readonly kind: 'values'
  readonly rows: readonly (readonly Expression[])[]
}

/** DESCRIBE, SUMMARIZE or SHOW: a query with columns of its own. */
export interface Describe extends Span {
  readonly kind: 'describe'
  readonly word: 'describe' | 'summarize' | 'show'
  readonly query: Query | undefined
  readonly from: TableExpression | undefined
}

/** `PIVOT t ON …` and `UNPIVOT t ON …` as statements. */
export interface PivotBody extends Span {
  readonly kind: 'pivot-query'
  readonly table: Pivot | Unpivot
}

/** A missing query. */
export interface NoBody extends Span {
  readonly kind: 'no-body'
}

/** `SELECT … FROM …` and DuckDB's `FROM …`, with all clauses. */
export interface Select extends Span {
  readonly kind: 'select'
  /** Undefined for `FROM t` without a SELECT. */
  readonly selectWord: Span | undefined
  readonly distinct: boolean
  readonly distinctOn: readonly Expression[]
  readonly items: readonly SelectItem[]
  readonly from: readonly TableExpression[]
  readonly where: Expression | undefined
  readonly groupBy: readonly GroupItem[]
  readonly groupByAll: Span | undefined
  readonly having: Expression | undefined
  readonly windows: readonly NamedWindow[]
  readonly qualify: Expression | undefined
  /** The clauses in text order. */
  readonly clauses: readonly Clause[]
}

export type ClauseKind =
  | 'select'
  | 'from'
  | 'where'
  | 'group'
  | 'having'
  | 'window'
  | 'qualify'
  | 'order'
  | 'limit'
  | 'offset'
  | 'sample'
  | 'values'
  | 'pivot'
  | 'other'

/** The ranges of a clause's keywords and body, for editor features. */
export interface Clause extends Span {
  readonly kind: ClauseKind
  /** The start after its keywords. */
  readonly bodyStart: number
  /** The start of the next clause or the closing bracket, or the end of the text. */
  readonly reach: number
}

export interface SelectItem extends Span {
  readonly kind: 'item'
  readonly expression: Expression
  readonly alias: Name | undefined
  /** True for DuckDB's alias before a colon: `name: expression`. */
  readonly aliasFirst: boolean
}

export interface GroupItem extends Span {
  readonly kind: 'plain' | 'rollup' | 'cube' | 'sets' | 'empty'
  /** One expression for `plain`; for GROUPING SETS and the like all nested ones. */
  readonly expressions: readonly Expression[]
}

export interface OrderItem extends Span {
  readonly expression: Expression
}

export interface NamedWindow extends Span {
  readonly name: Name
  readonly window: Window
}

// ---------------------------------------------------------------- tables

export interface TableAlias {
  /** Undefined for `AS (a, b)`, and for an alias that is not typed yet. */
  readonly name: Name | undefined
  readonly columns: readonly Name[]
  /** The columns have types, as those of a function that returns records: they are all that it has. */
  readonly isComplete: boolean
}

export type TableExpression =
  | TagTable
  | NamedTable
  | FileTable
  | SubqueryTable
  | FunctionTable
  | ValuesTable
  | Join
  | Pivot
  | Unpivot
  | MissingTable

/** A tag as a table: `{{ ref('x') }}`, `{{ source }}` and so on; the binder's world resolves it. */
export interface TagTable extends Span {
  readonly kind: 'tag-table'
  /** The span of the tag alone. */
  readonly tag: Span
  readonly alias: TableAlias | undefined
}

/** `schema.table`; the last part of `path` is the table. */
export interface NamedTable extends Span {
  readonly kind: 'named-table'
  readonly path: readonly Name[]
  readonly alias: TableAlias | undefined
}

/** A file as a table: `FROM 'file.parquet'`. */
export interface FileTable extends Span {
  readonly kind: 'file-table'
  readonly file: Span
  readonly alias: TableAlias | undefined
}

export interface SubqueryTable extends Span {
  readonly kind: 'subquery-table'
  readonly query: Query
  readonly lateral: boolean
  readonly alias: TableAlias | undefined
}

export interface FunctionTable extends Span {
  readonly kind: 'function-table'
  readonly call: Call
  readonly ordinality: boolean
  readonly alias: TableAlias | undefined
}

export interface ValuesTable extends Span {
  readonly kind: 'values-table'
  readonly rows: readonly (readonly Expression[])[]
  readonly alias: TableAlias | undefined
}

export interface Join extends Span {
  readonly kind: 'join'
  readonly type: 'inner' | 'left' | 'right' | 'full' | 'cross' | 'semi' | 'anti' | 'positional'
  readonly natural: boolean
  readonly asof: boolean
  /** The span of the keywords between the two sides; empty for a comma inside brackets. */
  readonly words: Span
  readonly left: TableExpression
  readonly right: TableExpression
  readonly on: Expression | undefined
  readonly using: readonly Name[] | undefined
  /** The span between the brackets of USING. */
  readonly usingSpan: Span | undefined
  /** The span from ON to the end of the condition, including white space where a user may type. */
  readonly onSpan: Span | undefined
  /** The alias of `(a JOIN b …) AS x`. */
  readonly alias: TableAlias | undefined
}

export interface Pivot extends Span {
  readonly kind: 'pivot'
  readonly source: TableExpression
  readonly columns: readonly PivotColumn[]
  readonly aggregates: readonly SelectItem[]
  readonly groupBy: readonly Expression[]
  readonly alias: TableAlias | undefined
}

export interface PivotColumn extends Span {
  /** One expression, or the members of a tuple. */
  readonly expressions: readonly Expression[]
  /** Undefined for one column per value in the data (`PIVOT t ON year`). */
  readonly values: readonly PivotValue[] | undefined
  /** The values of `IN enum_name` or `IN (SELECT …)`. */
  readonly valuesFrom: Name | Query | undefined
}

export interface PivotValue extends Span {
  readonly expression: Expression
  readonly alias: Name | undefined
}

export interface Unpivot extends Span {
  readonly kind: 'unpivot'
  readonly source: TableExpression
  /** Each makes one row: a column, a star, or several columns as a tuple. */
  readonly entries: readonly UnpivotEntry[]
  readonly nameColumn: Name | undefined
  readonly valueColumns: readonly Name[]
  readonly alias: TableAlias | undefined
}

export interface UnpivotEntry extends Span {
  readonly expressions: readonly Expression[]
  readonly alias: Name | undefined
}

export interface MissingTable extends Span {
  readonly kind: 'missing-table'
  readonly alias: TableAlias | undefined
}

// ---------------------------------------------------------------- what the reader gives

/** A replacement for the text from `start` to `end`. */
export interface Edit extends Span {
  readonly text: string
}

/**
 * Text that reads in another way once a missing bracket stands where it belongs: what types and arguments seem to be there follows
 * from the mistake.
 */
export interface Doubt extends Span {
  /** Where names are in doubt too: one may have grown together with the name before the bracket. */
  readonly names?: Span
  /** Where the list begins in which names may begin with the name of a function that lost its bracket. */
  readonly list?: number
}

/** A text that the reader had to skip or to add. */
export interface SyntaxProblem extends Span {
  /** Undefined for a syntax error. The template scanner reports an unclosed tag as well. */
  readonly code?: 'sql-not-a-select' | 'unclosed-tag'
  /** A plain English phrase without a full stop: `a comma is missing`. */
  readonly message: string
  readonly hint: string | undefined
  /** Names or words that may be meant, best first. */
  readonly suggestions: readonly string[]
  /**
   * Edits that let the engine parse the text: with the repairs of all problems applied, the statement parses.
   */
  readonly repair: readonly Edit[]
  /** The reader has skipped what is nested too deeply for it, and its tree has less than the text. */
  readonly isCut?: true
  /** Only of missing brackets. */
  readonly doubt?: Doubt
  /** The most likely correction, as a quick fix; undefined if there is none. */
  readonly fix: { readonly title: string; readonly edits: readonly Edit[] } | undefined
}

export interface SqlReading {
  readonly text: string
  /** The statements of the text, in order; never empty. */
  readonly statements: readonly Query[]
  readonly problems: readonly SyntaxProblem[]
  /** Whether a sample of rows has others each time: it has no seed. */
  readonly hasChance: boolean
  /** All names before an opening bracket, by the tokens alone: no call is missing, whatever the tree makes of the text. */
  readonly called: readonly Name[]
}
