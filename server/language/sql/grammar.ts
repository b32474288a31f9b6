/**
 * The description of an engine's SQL for the reader. There is one reader for all engines; this describes the
 * differences.
 */
import type { SqlToken } from '../engines/sql-token.ts'

export interface SqlGrammar {
  /** The lexer, in which template tags are tokens. It never fails: an unclosed token reaches to the end. */
  readonly tokens: (text: string) => readonly SqlToken[]
  /** Every keyword in lower case, and what it cannot be. */
  readonly words: ReadonlyMap<string, SqlWord>
  /**
   * The binding power of operators, symbols and words (`or`, `and`, `not`, `is`, `like`, `at`, `collate`,
   * `sign`).
   */
  readonly operators: ReadonlyMap<string, OperatorPower>
  /** The binding power of user-defined operators; undefined if there are none. */
  readonly otherOperator: OperatorPower | undefined
  /** Functions, in lower case, that take `x -> …` as a lambda rather than as JSON access. */
  readonly lambdaFunctions: ReadonlySet<string>
  /** Functions, in lower case, whose arguments have clauses of SQL/JSON or SQL/XML: `RETURNING text`. */
  readonly clausedFunctions: ReadonlySet<string>
  /** Returns the name that a word without quotes stands for. */
  readonly plainName: (word: string) => string
  /** Returns the name that a quoted one stands for, from its written form, which may not be closed. */
  readonly quotedName: (written: string) => string
  readonly features: SqlFeatures
}

export interface SqlWord {
  readonly word: string
  /** One or several bits of `cannotBe`. */
  readonly bits: number
}

export const cannotBe = {
  /** The name of a column or a table, or a table alias. */
  name: 1,
  function: 2,
  type: 4,
  /** An alias in a select list without AS. */
  bareAlias: 8,
} as const

export interface OperatorPower {
  /** The operator takes the expression to its left if this is at least the required power. */
  readonly left: number
  /** The minimum power of operators that belong to its right side. */
  readonly right: number
  /** False if `a = b = c` is an error. */
  readonly chains: boolean
}

/** Syntax that only some engines have; where it is false, the text is an error. */
export interface SqlFeatures {
  /** `SELECT a: 1 FROM b: t`. */
  readonly prefixAlias: boolean
  /** `FROM t` selects all columns, and SELECT may follow. */
  readonly fromFirst: boolean
  /** GROUP BY ALL, ORDER BY ALL. */
  readonly byAll: boolean
  /** A list may end with a comma. */
  readonly trailingCommas: boolean
  /** `#1` is the first column. */
  readonly positions: boolean
  /** `* EXCLUDE (a)`, `* REPLACE (1 AS a)`, `COLUMNS(…)`. */
  readonly starModifiers: boolean
  /** `SELECT FROM t` has no columns. */
  readonly emptySelect: boolean
}

/** Returns the text between the quotes, in which a doubled quote stands for one. */
export function withoutQuotes(written: string): string {
  const quote = written.charAt(0)
  const isClosed = written.length > 1 && written.endsWith(quote)
  const inner = written.slice(1, isClosed ? -1 : undefined)
  return inner.includes(quote) ? inner.replaceAll(quote + quote, quote) : inner
}

const letters: Readonly<Record<string, number>> = {
  n: cannotBe.name,
  f: cannotBe.function,
  t: cannotBe.type,
  a: cannotBe.bareAlias,
}

/** Returns the lookup table for keywords with letters for what each cannot be: `all/nft`. None of them can be `always`. */
export function sqlWords(list: string, always = 0): ReadonlyMap<string, SqlWord> {
  return new Map(
    Array.from(wordSet(list), entry => {
      const [word = '', marks = ''] = entry.split('/')
      const bits = [...marks].reduce((all, mark) => all | (letters[mark] ?? 0), always)
      return [word, { word, bits }]
    }),
  )
}

/** Returns the words that cannot be used so. `bit` is one of `cannotBe`. */
export function wordsThatCannotBe(bit: number, words: ReadonlyMap<string, SqlWord>): readonly string[] {
  return [...words.values()].flatMap(({ word, bits }) => ((bits & bit) === 0 ? [] : word))
}

export function wordSet(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/).filter(word => word !== ''))
}

/** Returns operators of one precedence level; those that chain are left-associative. */
export function operatorLevel(power: number, operators: string, chains = true): [string, OperatorPower][] {
  return [...wordSet(operators)].map(operator => [operator, { left: power, right: power + 1, chains }])
}

/** The operators of all engines with their levels. */
export const usualOperators: readonly (readonly [string, OperatorPower])[] = [
  ...operatorLevel(20, 'or'),
  ...operatorLevel(30, 'and'),
  ['not', { left: 40, right: 40, chains: true }],
  ...operatorLevel(50, 'is isnull notnull', false),
  ...operatorLevel(60, '< > = <= >= <> !=', false),
  ...operatorLevel(70, 'like ilike similar in between', false),
  ...operatorLevel(80, 'operator overlaps'),
  ...operatorLevel(90, '+ -'),
  ...operatorLevel(100, '* / %'),
  ...operatorLevel(110, '^'),
  ...operatorLevel(120, 'at'),
  ...operatorLevel(130, 'collate'),
  ['sign', { left: 140, right: 140, chains: true }],
]
