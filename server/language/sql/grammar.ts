/**
 * What the reader must know about an engine's SQL. Everything else about it is the same for all of them: the reader is
 * one, an engine is a description.
 */
import type { SqlToken } from '../engines/sql-token.ts'

export interface SqlGrammar {
  /** The lexer; template tags are tokens of it. Never fails: what is not closed reaches to the end. */
  readonly tokens: (text: string) => readonly SqlToken[]
  /** Every word that means something, in lower case, and what it cannot be. */
  readonly words: ReadonlyMap<string, SqlWord>
  /** How tightly operators bind, symbols and words (`or`, `and`, `not`, `is`, `like`, `at`, `collate`, `sign`). */
  readonly operators: ReadonlyMap<string, OperatorPower>
  /** For an operator of somebody's own; undefined: there are none. */
  readonly otherOperator: OperatorPower | undefined
  /** Functions, in lower case, that take `x -> …` as a lambda rather than as access to JSON. */
  readonly lambdaFunctions: ReadonlySet<string>
  readonly features: SqlFeatures
}

export interface SqlWord {
  readonly word: string
  /** One of `cannotBe` or several. */
  readonly bits: number
}

export const cannotBe = {
  /** A column, a table, or an alias of a table. */
  name: 1,
  function: 2,
  type: 4,
  /** An alias in a select list without AS. */
  bareAlias: 8,
} as const

export interface OperatorPower {
  /** The operator takes what stands to its left where this is at least what is asked for. */
  readonly left: number
  /** What operators to its right must have at least to belong to its right side. */
  readonly right: number
  /** False: `a = b = c` is an error. */
  readonly chains: boolean
}

/** What only some engines can write; where it is false, the text is an error. */
export interface SqlFeatures {
  /** `FROM t SELECT a`, `FROM t`. */
  readonly fromFirst: boolean
  /** `SELECT a: 1 FROM b: t`. */
  readonly prefixAlias: boolean
  /** PIVOT and UNPIVOT, as statements and in FROM. */
  readonly pivot: boolean
  /** `* EXCLUDE (a)`, REPLACE, RENAME, COLUMNS(…). */
  readonly starChanges: boolean
  /** `{a: 1}` and `MAP {…}`. */
  readonly structLiterals: boolean
  /** `[a, b]` without ARRAY, and list comprehensions. */
  readonly listLiterals: boolean
  /** `x -> …`, `lambda x: …`. */
  readonly lambdas: boolean
  /** `a.upper()`. */
  readonly methodCalls: boolean
  /** `FROM 'file.parquet'`. */
  readonly fileTables: boolean
  /** `SELECT a, FROM t`. */
  readonly trailingCommas: boolean
  /** DESCRIBE, SUMMARIZE and SHOW are queries. */
  readonly describe: boolean
  /** GROUP BY ALL, ORDER BY ALL. */
  readonly byAll: boolean
  /** `#1`. */
  readonly positional: boolean
}

export interface GrammarLists {
  readonly keywords: string
  readonly notNames: string
  readonly notFunctions: string
  readonly notTypes: string
  /** Words that may stand as an alias without AS although they are keywords. */
  readonly bareAliases: string
}

/** Words in lists with spaces between them, as the reader looks them up. */
export function sqlWords(lists: GrammarLists): ReadonlyMap<string, SqlWord> {
  const words = new Map<string, SqlWord>()
  const sets = {
    names: wordSet(lists.notNames),
    functions: wordSet(lists.notFunctions),
    types: wordSet(lists.notTypes),
    aliases: wordSet(lists.bareAliases),
  }
  for (const word of wordSet(lists.keywords)) {
    const bits =
      (sets.names.has(word) ? cannotBe.name : 0) |
      (sets.functions.has(word) ? cannotBe.function : 0) |
      (sets.types.has(word) ? cannotBe.type : 0) |
      (sets.aliases.has(word) ? 0 : cannotBe.bareAlias)
    words.set(word, { word, bits })
  }
  return words
}

export function wordSet(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/).filter(word => word !== ''))
}

/** Operators of one level: those that chain do so from the left. */
export function operatorLevel(power: number, operators: string, chains = true): [string, OperatorPower][] {
  return [...wordSet(operators)].map(operator => [operator, { left: power, right: power + 1, chains }])
}
