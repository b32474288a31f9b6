/**
 * The tree of an SQL text, as the reader gives it from any text, also a broken one. It has what the texts of DuckDB,
 * PostgreSQL and Trino have in common; what only one of them writes is a node that the others never make.
 *
 * All offsets are UTF-16 offsets of the template's text: template tags are nodes of their own. `start` is that of a
 * node's first token and `end` the one behind its last. A node that the text lacks (`missing`) is empty and stands
 * where it belongs. Parentheses around an expression are no node: they are outside of its offsets.
 */

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

// ---------------------------------------------------------------- expressions

export type Expression =
  | Literal
  | Parameter
  | TagValue
  | Reference
  | Star
  | Columns
  | Call
  | Unary
  | Binary
  | Test
  | Between
  | InList
  | Case
  | Cast
  | Subquery
  | List
  | Struct
  | MapLiteral
  | Row
  | Lambda
  | Comprehension
  | Index
  | Field
  | Interval
  | Collate
  | Positional
  | Missing

export interface Literal extends Span {
  readonly kind: 'literal'
  /** `typed`: `DATE '2024-01-01'`; its type's name stands in the text before the string. */
  readonly type: 'number' | 'string' | 'boolean' | 'null' | 'typed'
  /** The name of the type of a `typed` one. */
  readonly typeName: Name | undefined
}

/** `?`, `$1`, `$name`. */
export interface Parameter extends Span {
  readonly kind: 'parameter'
}

/** A template tag that stands for a value: `{{ var('x') }}`. */
export interface TagValue extends Span {
  readonly kind: 'tag'
}

/**
 * `a`, `a.b`, `a.b.c`: columns with qualifiers before and fields behind, a table, a parameter of a lambda, or a word
 * like `current_date`; which one is the binder's to say. A tag may be the first part (`{{ ref('x') }}.a`).
 */
export interface Reference extends Span {
  readonly kind: 'reference'
  readonly tag: Span | undefined
  readonly path: readonly Name[]
}

/** `*`, `t.*`, with what changes it. */
export interface Star extends Span {
  readonly kind: 'star'
  /** Of the asterisk itself. */
  readonly mark: Span
  readonly tag: Span | undefined
  readonly qualifier: readonly Name[]
  readonly exclude: readonly StarName[]
  readonly replace: readonly StarReplace[]
  readonly rename: readonly StarRename[]
  /** `* LIKE 'x%'`, `* GLOB`, `* SIMILAR TO`. */
  readonly pattern: StarPattern | undefined
}

export interface StarName extends Span {
  readonly qualifier: readonly Name[]
  readonly name: Name
}

export interface StarReplace extends Span {
  readonly expression: Expression
  readonly name: Name
}

export interface StarRename extends Span {
  readonly from: StarName
  readonly to: Name
}

export interface StarPattern extends Span {
  /** In lower case: `like`, `ilike`, `glob`, `similar to`. */
  readonly operator: string
  readonly not: boolean
  readonly pattern: Expression
}

/** `COLUMNS('regex')`, `COLUMNS(*)`, `COLUMNS(c -> …)`, `COLUMNS(['a', 'b'])`; `unpacked`: `*COLUMNS(…)`. */
export interface Columns extends Span {
  readonly kind: 'columns'
  readonly qualifier: readonly Name[]
  readonly chooser: Expression
  readonly unpacked: boolean
}

export interface Call extends Span {
  readonly kind: 'call'
  /**
   * `f`, `schema.f`, and DuckDB's `column.f` (the binder tells them apart). A call on the value of an expression
   * (`(a || b).upper()`) has that value as `receiver`.
   */
  readonly path: readonly Name[]
  readonly receiver: Expression | undefined
  /** The tag before a path: `{{ source }}.a.upper()`. */
  readonly tag: Span | undefined
  readonly arguments: readonly Argument[]
  /** From the opening to the closing bracket, or to where it would be. */
  readonly brackets: Span
  readonly distinct: boolean
  /** Inside the brackets, or in WITHIN GROUP. */
  readonly orderBy: readonly OrderItem[]
  readonly filter: Expression | undefined
  readonly over: Window | Name | undefined
}

export interface Argument extends Span {
  /** `name := value`, `name => value`. */
  readonly name: Name | undefined
  readonly value: Expression
}

export interface Window extends Span {
  readonly kind: 'window'
  readonly base: Name | undefined
  readonly partitionBy: readonly Expression[]
  readonly orderBy: readonly OrderItem[]
  /** Expressions in the frame: `ROWS BETWEEN n PRECEDING …`. */
  readonly frame: readonly Expression[]
}

export interface Unary extends Span {
  readonly kind: 'unary'
  /** `-`, `+`, `~`, `@`, `!` (behind its operand), `not`. */
  readonly operator: string
  readonly operand: Expression
}

export interface Binary extends Span {
  readonly kind: 'binary'
  /**
   * As it is written, words in lower case: `+`, `=`, `and`, `or`, `like`, `not like`, `ilike`, `similar to`,
   * `is distinct from`, `is not distinct from`, `at time zone`, `->`, `->>`, `||`, and so on.
   */
  readonly operator: string
  readonly operatorSpan: Span
  readonly left: Expression
  readonly right: Expression
  /** ESCAPE of a LIKE. */
  readonly escape: Expression | undefined
}

/** `IS NULL`, `IS NOT TRUE`, `ISNULL`, `NOTNULL`. */
export interface Test extends Span {
  readonly kind: 'test'
  /** `null`, `true`, `false`, `unknown`, `json`. */
  readonly what: string
  readonly not: boolean
  readonly operand: Expression
}

export interface Between extends Span {
  readonly kind: 'between'
  readonly not: boolean
  readonly operand: Expression
  readonly low: Expression
  readonly high: Expression
}

/** `x IN (a, b)`; `x IN (SELECT …)` is a subquery; `x IN list` has the list as its one item. */
export interface InList extends Span {
  readonly kind: 'in'
  readonly not: boolean
  readonly operand: Expression
  readonly items: readonly Expression[]
  readonly bare: boolean
}

export interface Case extends Span {
  readonly kind: 'case'
  readonly operand: Expression | undefined
  readonly branches: readonly { readonly when: Expression; readonly then: Expression }[]
  readonly otherwise: Expression | undefined
}

export interface Cast extends Span {
  readonly kind: 'cast'
  readonly operand: Expression
  /** Of the type's text: `DECIMAL(12, 2)[]`. */
  readonly type: TypeText
  /** TRY_CAST. */
  readonly tries: boolean
}

export interface TypeText extends Span {
  /** The names in it that must be types, those inside of STRUCT(…) and its like included. */
  readonly names: readonly Name[]
}

export interface Subquery extends Span {
  readonly kind: 'subquery'
  readonly form: 'scalar' | 'exists' | 'in' | 'any' | 'all' | 'array'
  readonly not: boolean
  /** Left of IN, ANY, ALL. */
  readonly operand: Expression | undefined
  readonly query: Query
}

/** `[a, b]`, `ARRAY[a, b]`. */
export interface List extends Span {
  readonly kind: 'list'
  readonly items: readonly Expression[]
}

export interface Struct extends Span {
  readonly kind: 'struct'
  readonly entries: readonly StructEntry[]
}

export interface StructEntry extends Span {
  readonly key: Name
  readonly value: Expression
}

/** `MAP {k: v}`. */
export interface MapLiteral extends Span {
  readonly kind: 'map'
  readonly entries: readonly { readonly key: Expression; readonly value: Expression }[]
}

/** `(a, b)`, `ROW(a, b)`. */
export interface Row extends Span {
  readonly kind: 'row'
  readonly items: readonly Expression[]
}

/** `x -> …`, `(x, y) -> …`, `lambda x, y: …`. */
export interface Lambda extends Span {
  readonly kind: 'lambda'
  readonly parameters: readonly Name[]
  readonly body: Expression
}

/** `[x + 1 FOR x IN list IF x > 0]`. */
export interface Comprehension extends Span {
  readonly kind: 'comprehension'
  readonly element: Expression
  readonly variables: readonly Name[]
  readonly source: Expression
  readonly condition: Expression | undefined
}

/** `a[1]`, `a['key']`, `a[1:2:3]`. */
export interface Index extends Span {
  readonly kind: 'index'
  readonly operand: Expression
  readonly at: readonly Expression[]
  readonly slice: boolean
}

/** `(expression).name`, `f(x).name`, `list[1].name`. */
export interface Field extends Span {
  readonly kind: 'field'
  readonly operand: Expression
  readonly name: Name
}

export interface Interval extends Span {
  readonly kind: 'interval'
  readonly amount: Expression
}

export interface Collate extends Span {
  readonly kind: 'collate'
  readonly operand: Expression
  readonly collation: readonly Name[]
}

/** `#1`. */
export interface Positional extends Span {
  readonly kind: 'positional'
  readonly index: number
}

/** An operand that is not there (yet). */
export interface Missing extends Span {
  readonly kind: 'missing'
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
