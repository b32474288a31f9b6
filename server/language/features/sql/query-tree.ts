/**
 * The shape of a query as far as names are concerned, read from text that may be broken anywhere. All ranges are
 * offsets in the SQL text; ranges of queries and clauses reach over the white space behind them.
 */
import type { Range } from '../../text/range.ts'

export interface Query {
  readonly range: Range
  readonly ctes: readonly Cte[]
  readonly recursive: boolean
  /** One, or more joined by UNION, EXCEPT, INTERSECT. */
  readonly cores: readonly Core[]
  /** ORDER BY and LIMIT behind a set operation: they see output columns only. */
  readonly tail: readonly Clause[]
  readonly parent: QueryParent | undefined
}

/** Where a query stands inside another. */
export type QueryParent =
  | { readonly kind: 'cte'; readonly query: Query; readonly index: number }
  | {
      readonly kind: 'nested'
      readonly query: Query
      /** Undefined: in the tail. */
      readonly core: Core | undefined
    }

export interface Cte {
  readonly name: string
  readonly nameRange: Range
  /** From the name to the closing bracket. */
  readonly range: Range
  /** `a(x, y) AS …`; empty where it gives none. */
  readonly columnNames: readonly Name[]
  readonly query: Query | undefined
}

export interface Name {
  readonly name: string
  readonly range: Range
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
  | 'other'

export interface Clause {
  readonly kind: ClauseKind
  /** From its first keyword to where the next clause begins. */
  readonly range: Range
  /** Where what it holds begins. */
  readonly bodyStart: number
  /** Queries in its brackets, also deep inside expressions. */
  readonly queries: readonly Query[]
}

/** One SELECT (or FROM, VALUES) of a query. */
export interface Core {
  readonly range: Range
  readonly clauses: readonly Clause[]
  readonly items: readonly SelectItem[]
  readonly tables: readonly FromTable[]
  /** Of `WINDOW w AS (…)`. */
  readonly windows: readonly Name[]
  /** Number of columns of VALUES; undefined: not VALUES. */
  readonly valuesWidth: number | undefined
  /** UNION BY NAME before it. */
  readonly byName: boolean
}

export type SelectItem = StarItem | ValueItem

export interface StarItem {
  readonly kind: 'star'
  readonly range: Range
  /** Of the star itself. */
  readonly starRange: Range
  /** `a` in `a.*`. */
  readonly qualifier: string | undefined
  /** Lower-case names. */
  readonly exclude: ReadonlySet<string>
  /** Columns replaced by an expression, by lower-case name. */
  readonly replace: ReadonlyMap<string, Expression>
  /** Old name in lower case -> new name. */
  readonly rename: ReadonlyMap<string, Name>
  /** `COLUMNS('regex')`: what it matches; undefined: everything. */
  readonly pattern: string | undefined
}

export interface ValueItem {
  readonly kind: 'value'
  readonly range: Range
  /** What the column is called; undefined: DuckDB makes a name of the expression's text. */
  readonly name: string | undefined
  /** Of the alias, or of the column's name where it has none. */
  readonly nameRange: Range | undefined
  readonly alias: Name | undefined
  readonly expression: Expression
}

/** What can be said of an expression without binding it. */
export type Expression =
  | { readonly kind: 'column'; readonly qualifier: string | undefined; readonly column: Name }
  /** CAST, TRY_CAST or `::`. */
  | { readonly kind: 'cast'; readonly type: string }
  | { readonly kind: 'call'; readonly name: string }
  | { readonly kind: 'literal'; readonly type: string }
  | { readonly kind: 'other' }

export interface FromTable {
  readonly kind: 'tag' | 'name' | 'query' | 'function' | 'values' | 'file' | 'unknown'
  /** With alias, without its join condition. */
  readonly range: Range
  /** Of the tag, the name or the bracket. */
  readonly nameRange: Range
  /** The last part of a name; the name of a function; '' for all others. */
  readonly name: string
  readonly alias: Name | undefined
  /** `AS t(x, y)`. */
  readonly columnNames: readonly Name[]
  readonly query: Query | undefined
  readonly valuesWidth: number | undefined
  /** PIVOT or UNPIVOT behind it: its columns are others. */
  readonly pivoted: boolean
  /** How it is joined to what stands before it; undefined for the first and behind a comma. */
  readonly join: Join | undefined
}

export interface Join {
  /** `LEFT JOIN`, in capitals. */
  readonly words: string
  readonly natural: boolean
  readonly using: readonly Name[]
  /** Between the brackets of USING. */
  readonly usingRange: Range | undefined
  /** Behind ON to the next join or clause. */
  readonly onRange: Range | undefined
}
