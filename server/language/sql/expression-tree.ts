/** The expressions of an SQL tree. */
import type { Name, OrderItem, Query, Span } from './tree.ts'

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
  /** `typed` is `DATE '2024-01-01'`; the name of its type precedes the string. */
  readonly type: 'number' | 'string' | 'boolean' | 'null' | 'typed'
  /** The name of the type of a `typed` literal. */
  readonly typeName: Name | undefined
}

/** A parameter: `?`, `$1`, `$name`. */
export interface Parameter extends Span {
  readonly kind: 'parameter'
}

/** A template tag that is a value: `{{ var('x') }}`. */
export interface TagValue extends Span {
  readonly kind: 'tag'
}

/**
 * A name such as `a`, `a.b`, `a.b.c`: a column with qualifiers and fields, a table, a lambda parameter, or a
 * word like `current_date`; the binder decides. A tag may be the first part (`{{ ref('x') }}.a`).
 */
export interface Reference extends Span {
  readonly kind: 'reference'
  readonly tag: Span | undefined
  readonly path: readonly Name[]
}

/** A star with its modifiers: `*`, `t.*`. */
export interface Star extends Span {
  readonly kind: 'star'
  /** The span of the asterisk. */
  readonly mark: Span
  readonly tag: Span | undefined
  readonly qualifier: readonly Name[]
  readonly exclude: readonly StarName[]
  readonly replace: readonly StarReplace[]
  readonly rename: readonly StarRename[]
  /** The pattern of `* LIKE 'x%'`, `* GLOB`, `* SIMILAR TO`. */
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
  /** The operator in lower case: `like`, `ilike`, `glob`, `similar to`. */
  readonly operator: string
  readonly not: boolean
  readonly pattern: Expression
}

/**
 * `COLUMNS('regex')`, `COLUMNS(*)`, `COLUMNS(c -> …)` or `COLUMNS(['a', 'b'])`; `unpacked` for `*COLUMNS(…)`.
 */
export interface Columns extends Span {
  readonly kind: 'columns'
  readonly qualifier: readonly Name[]
  readonly chooser: Expression
  readonly unpacked: boolean
}

export interface Call extends Span {
  readonly kind: 'call'
  /**
   * The path `f`, `schema.f`, or DuckDB's `column.f` (the binder distinguishes them). A call on the value of
   * an expression (`(a || b).upper()`) has that value as `receiver`.
   */
  readonly path: readonly Name[]
  readonly receiver: Expression | undefined
  /** The tag before a path: `{{ source }}.a.upper()`. */
  readonly tag: Span | undefined
  readonly arguments: readonly Argument[]
  /** The span from the opening to the closing bracket, or to its expected place. */
  readonly brackets: Span
  readonly distinct: boolean
  /** ORDER BY inside the brackets, or in WITHIN GROUP. */
  readonly orderBy: readonly OrderItem[]
  readonly filter: Expression | undefined
  readonly over: Window | Name | undefined
}

export interface Argument extends Span {
  /** The name in `name := value` and `name => value`. */
  readonly name: Name | undefined
  readonly value: Expression
}

export interface Window extends Span {
  readonly kind: 'window'
  readonly base: Name | undefined
  readonly partitionBy: readonly Expression[]
  readonly orderBy: readonly OrderItem[]
  /** The expressions in the frame: `ROWS BETWEEN n PRECEDING …`. */
  readonly frame: readonly Expression[]
}

export interface Unary extends Span {
  readonly kind: 'unary'
  /** The operator: `-`, `+`, `~`, `@`, `!` (after its operand), `not`. */
  readonly operator: string
  readonly operand: Expression
}

export interface Binary extends Span {
  readonly kind: 'binary'
  /**
   * The operator as it is written, words in lower case: `+`, `=`, `and`, `or`, `like`, `not like`, `ilike`,
   * `similar to`, `is distinct from`, `is not distinct from`, `at time zone`, `->`, `->>`, `||`, and so on.
   */
  readonly operator: string
  readonly operatorSpan: Span
  readonly left: Expression
  readonly right: Expression
  /** The ESCAPE of a LIKE. */
  readonly escape: Expression | undefined
}

/** A test such as `IS NULL`, `IS NOT TRUE`, `ISNULL`, `NOTNULL`. */
export interface Test extends Span {
  readonly kind: 'test'
  /** The tested value: `null`, `true`, `false`, `unknown`, `json`. */
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

/** `x IN (a, b)`; `x IN (SELECT …)` is a subquery; `x IN list` has the list as its only item. */
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
  /** The text of the type: `DECIMAL(12, 2)[]`. */
  readonly type: TypeText
  /** True for TRY_CAST. */
  readonly tries: boolean
}

export interface TypeText extends Span {
  /** The type names in it, including those inside STRUCT(…) and the like. */
  readonly names: readonly Name[]
}

export interface Subquery extends Span {
  readonly kind: 'subquery'
  readonly form: 'scalar' | 'exists' | 'in' | 'any' | 'all' | 'array'
  readonly not: boolean
  /** The left operand of IN, ANY, ALL. */
  readonly operand: Expression | undefined
  readonly query: Query
}

/** A list: `[a, b]`, `ARRAY[a, b]`. */
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

/** A map: `MAP {k: v}`. */
export interface MapLiteral extends Span {
  readonly kind: 'map'
  readonly entries: readonly { readonly key: Expression; readonly value: Expression }[]
}

/** A row: `(a, b)`, `ROW(a, b)`. */
export interface Row extends Span {
  readonly kind: 'row'
  readonly items: readonly Expression[]
}

/** A lambda: `x -> …`, `(x, y) -> …`, `lambda x, y: …`. */
export interface Lambda extends Span {
  readonly kind: 'lambda'
  readonly parameters: readonly Name[]
  readonly body: Expression
}

/** A list comprehension: `[x + 1 FOR x IN list IF x > 0]`. */
export interface Comprehension extends Span {
  readonly kind: 'comprehension'
  readonly element: Expression
  readonly variables: readonly Name[]
  readonly source: Expression
  readonly condition: Expression | undefined
}

/** An index or slice: `a[1]`, `a['key']`, `a[1:2:3]`. */
export interface Index extends Span {
  readonly kind: 'index'
  readonly operand: Expression
  readonly at: readonly Expression[]
  readonly slice: boolean
}

/** A field: `(expression).name`, `f(x).name`, `list[1].name`. */
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

/** A column by position: `#1`. */
export interface Positional extends Span {
  readonly kind: 'positional'
  readonly index: number
}

/** An operand that is missing (yet). */
export interface Missing extends Span {
  readonly kind: 'missing'
}
