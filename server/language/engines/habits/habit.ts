/** The shape of a habit, and the words in which the tables of this folder say what is meant. */
export type Tool = 'T-SQL' | 'MySQL' | 'BigQuery' | 'Snowflake' | 'Oracle' | 'PostgreSQL' | 'DuckDB' | 'dbt'

export interface Habit {
  readonly name: string
  readonly from: Tool
  readonly find: Find
  /** What is meant, by the kind of engine; absent where it is valid SQL. */
  readonly on: Readonly<Record<string, Meaning | undefined>>
  /** A value, or a query, with the place of the problem in `‹›`. `@t` is a table with a row: `id` 3 and `name` ab. */
  readonly example: string
  /** The value of the example's first row; undefined where no correction is sure, or the value is another one each time. */
  readonly gives: string | undefined
}

export interface Meaning {
  readonly hint: string
  /**
   * The text in its place: `$1` is what stands in the first place, `~1` the same as one term, `$*` all arguments, `$p` the
   * brackets of a type, `$w` what WITHIN GROUP holds.
   */
  readonly write?: string
  /** Absent where the text means something else in some cases: then it serves to look for other mistakes, and is no fix. */
  readonly isSure?: true
}

export type Find =
  /** A call. */
  | ({ readonly kind: 'call'; readonly names: readonly string[] } & CallRules)
  /** A type in a cast. */
  | { readonly kind: 'type'; readonly names: readonly string[] }
  /** A column that nothing has. */
  | { readonly kind: 'column'; readonly names: readonly string[] }
  /**
   * Tokens in a row: words and signs as they are, `<number>`, `<string>`, `<part>`, `<group>` (brackets with
   * what they hold) and `<names>` (the same, but no query). Before `^` and behind `|` stands what must be around; `+` joins what has no space between.
   */
  | { readonly kind: 'tokens'; readonly pattern: string; readonly end?: string; readonly mayBeValid?: true }
  /** A name in square brackets or in backticks. */
  | { readonly kind: 'quotes'; readonly open: '[' | '`' }
  /** A template tag. */
  | { readonly kind: 'tag'; readonly name: string }

export interface CallRules {
  readonly count?: number
  /** The argument that must be a bare part of a date: without it there is nothing to write. */
  readonly part?: number
  /** The first argument is a type. */
  readonly isOfType?: true
  /** A word that parts two arguments. */
  readonly splitAt?: string
  /** WITHIN GROUP follows. */
  readonly within?: true
  /** Counts although the engine has a function of this name. */
  readonly mayBeKnown?: true
}

export const call = (names: string, rules: CallRules = {}): Find => ({
  kind: 'call',
  names: names.split(' '),
  ...rules,
})
export const type = (names: string): Find => ({ kind: 'type', names: names.split(' ') })
export const column = (names: string): Find => ({ kind: 'column', names: names.split(' ') })
export const tokens = (pattern: string, more: { end?: string; mayBeValid?: true } = {}): Find => ({
  kind: 'tokens',
  pattern,
  ...more,
})

/** What is meant is exactly this. */
export function sure(write: string, hint?: string): Meaning {
  return { hint: hint ?? `Write ${shown(write)}.`, write, isSure: true }
}

/** What is meant is something like this. */
export function advice(hint: string, write?: string): Meaning {
  return { hint, ...(write !== undefined && { write }) }
}

/** `coalesce($1, ~2)` is shown as `coalesce(a, b)`. */
function shown(write: string): string {
  return write
    .replaceAll(/[$~](\d)/g, (_, place: string) => 'abcdefg'.charAt(Number(place) - 1))
    .replaceAll('$*', '…')
    .replaceAll('$p', '')
    .replaceAll('$w', 'ORDER BY …')
}

export const both = (meaning: Meaning): Habit['on'] => ({ duckdb: meaning, postgres: meaning })
export const each = (duckdb: Meaning, postgres: Meaning): Habit['on'] => ({ duckdb, postgres })
export const onDuckdb = (duckdb: Meaning): Habit['on'] => ({ duckdb })
export const onPostgres = (postgres: Meaning): Habit['on'] => ({ postgres })

export type Row = readonly [
  name: string,
  from: Tool,
  find: Find,
  on: Habit['on'],
  example: string,
  gives?: string | undefined,
]

export const utc = "(now() AT TIME ZONE 'UTC')"
export const iff = sure('CASE WHEN $1 THEN $2 ELSE $3 END')
export const lastDay = sure("CAST(date_trunc('month', $1) + INTERVAL '1 month' - INTERVAL '1 day' AS date)")
export const noTry = advice(
  'No cast gives NULL for what does not fit: test the text with a CASE and ~ before the cast.',
)
export const minusInterval = advice('Write a - b; a date becomes a timestamp by that.', '~1 - $2')
export const plusInterval = advice('Write a + b; a date becomes a timestamp by that.', '~1 + $2')
export const toChar = advice("Write to_char(d, 'YYYY-MM-DD'), with the patterns of PostgreSQL.")
export const toDate = advice("Write to_date(s, 'YYYY-MM-DD'), with the patterns of PostgreSQL.")
export const strftime = advice("Write strftime(d, '%Y-%m-%d').")
export const strptime = advice("Write strptime(s, '%Y-%m-%d').")
export const day = "DATE '2024-02-10'"
