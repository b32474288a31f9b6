/**
 * The tree of an SQL text, as the reader gives it from any text, also a broken one. It has what the texts of DuckDB,
 * PostgreSQL and Trino have in common; what only one of them writes is a node that the others never make.
 *
 * All offsets are UTF-16 offsets of the template's text: template tags are nodes of their own. `start` is that of a
 * node's first token and `end` the one behind its last. A node that the text lacks (`missing`) is empty and stands
 * where it belongs. Parentheses around an expression are no node: they are outside of its offsets.
 */

import type { Call, Expression, Window } from './expression-tree.ts'

export type * from './expression-tree.ts'

export interface Span {
  readonly start: number
  readonly end: number
}

/** A name as it is written. `text` is without quotes; where a name is being typed it may be ''. */
export interface Name extends Span {
  readonly text: string
  readonly quoted: boolean
}

// ---------------------------------------------------------------- queries

/** A statement, a CTE's or a bracket's query. */
export interface Query extends Span {
  readonly kind: 'query'
  /** Where the query ends for somebody who types in it: at the bracket around it, or where the text ends. */
  readonly reach: Span
  readonly ctes: readonly Cte[]
  readonly recursive: boolean
  readonly body: Body
  /** Of the whole query: behind a set operation these see output columns only. */
  readonly orderBy: readonly OrderItem[]
  readonly orderByAll: Span | undefined
  readonly limit: Expression | undefined
  readonly offset: Expression | undefined
  /** ORDER BY, LIMIT, OFFSET behind a set operation; of a plain SELECT they are among `body.clauses`. */
  readonly clauses: readonly Clause[]
}

export interface Cte extends Span {
  readonly kind: 'cte'
  readonly name: Name
  readonly columns: readonly Name[]
  readonly query: Query | undefined
  /** USING KEY (…) of a recursive one. */
  readonly usingKey: readonly Name[]
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
  /** Of the words between the two sides. */
  readonly operatorSpan: Span
}

export interface Values extends Span {
  readonly kind: 'values'
  readonly rows: readonly (readonly Expression[])[]
}

/** DESCRIBE, SUMMARIZE, SHOW: queries with columns of their own. */
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

/** There is no query where one belongs. */
export interface NoBody extends Span {
  readonly kind: 'no-body'
}

/** `SELECT … FROM …` and DuckDB's `FROM …`, with what belongs to it. */
export interface Select extends Span {
  readonly kind: 'select'
  /** Undefined: `FROM t` without a SELECT. */
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
  /** In text order. */
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

/** Where the words and the body of a clause stand, for who types in it. */
export interface Clause extends Span {
  readonly kind: ClauseKind
  /** Behind its keywords. */
  readonly bodyStart: number
  /** Where the next clause, the closing bracket or the end of the text is. */
  readonly reach: number
}

export interface SelectItem extends Span {
  readonly kind: 'item'
  readonly expression: Expression
  readonly alias: Name | undefined
  /** `name: expression`, DuckDB's alias before the colon. */
  readonly aliasFirst: boolean
}

export interface GroupItem extends Span {
  readonly kind: 'plain' | 'rollup' | 'cube' | 'sets' | 'empty'
  /** One for `plain`; of GROUPING SETS and its like all that stand inside, however deep. */
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
  /** Undefined: `AS (a, b)` or an alias that is still to be typed. */
  readonly name: Name | undefined
  readonly columns: readonly Name[]
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

/** `{{ ref('x') }}`, `{{ source }}` and so on; which one is the world's to say. */
export interface TagTable extends Span {
  readonly kind: 'tag-table'
  /** Of the tag alone. */
  readonly tag: Span
  readonly alias: TableAlias | undefined
}

/** `schema.table`; the last of `path` is the table. */
export interface NamedTable extends Span {
  readonly kind: 'named-table'
  readonly path: readonly Name[]
  readonly alias: TableAlias | undefined
}

/** `FROM 'file.parquet'`. */
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
  /** The words between the two sides; empty for a comma inside brackets. */
  readonly words: Span
  readonly left: TableExpression
  readonly right: TableExpression
  readonly on: Expression | undefined
  readonly using: readonly Name[] | undefined
  /** Between the brackets of USING. */
  readonly usingSpan: Span | undefined
  /** Behind ON to where the condition ends for who types there. */
  readonly onSpan: Span | undefined
  /** `(a JOIN b …) AS x`. */
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
  /** One expression, or a tuple's members. */
  readonly expressions: readonly Expression[]
  /** Undefined: as many columns as the data have values (`PIVOT t ON year`). */
  readonly values: readonly PivotValue[] | undefined
  /** `IN enum_name` or `IN (SELECT …)`. */
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
  readonly includeNulls: boolean
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

/** A piece of text to put in place of `start` to `end`. */
export interface Edit extends Span {
  readonly text: string
}

/** Something that the reader had to pass over or to add. */
export interface SyntaxProblem extends Span {
  /** Undefined: a syntax error. The reader of templates reports an unclosed tag as well. */
  readonly code?: 'sql-not-a-select' | 'unclosed-tag'
  /** A plain English phrase without a full stop: `a comma is missing`. */
  readonly message: string
  readonly hint: string | undefined
  /** Names or words that may have been meant, best first. */
  readonly suggestions: readonly string[]
  /** What makes the text readable for an engine: with the repairs of all problems made, the statement parses. */
  readonly repair: readonly Edit[]
  /** What a person would most likely want, as a quick fix; undefined: nobody can say. */
  readonly fix: { readonly title: string; readonly edits: readonly Edit[] } | undefined
}

export interface SqlReading {
  readonly text: string
  /** The statements of the text, in order; never empty. */
  readonly statements: readonly Query[]
  readonly problems: readonly SyntaxProblem[]
}
