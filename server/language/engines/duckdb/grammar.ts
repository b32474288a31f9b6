import { operatorLevel, type SqlGrammar, usualOperators, withoutQuotes } from '../../sql/grammar.ts'
import { duckdbFunctions } from './functions.ts'
import { grammarWords } from './grammar-words.ts'
import { duckdbTokens } from './tokens.ts'

/** The grammar of DuckDB 1.5. */
export const duckdbGrammar: SqlGrammar = {
  tokens: duckdbTokens,
  words: grammarWords,
  operators: new Map([
    ...usualOperators,
    ...operatorLevel(10, '->'),
    // On the left it binds as weakly as the arrow of a lambda, on the right as strongly as `||`.
    ['->>', { left: 10, right: 81, chains: true }],
    ...operatorLevel(60, '==', false),
    ...operatorLevel(70, 'glob', false),
    ...operatorLevel(100, '//'),
    ...operatorLevel(110, '**'),
  ]),
  otherOperator: { left: 80, right: 81, chains: true },
  lambdaFunctions: duckdbFunctions.withLambda,
  clausedFunctions: new Set(),
  plainName: word => word,
  quotedName: withoutQuotes,
  features: {
    prefixAlias: true,
    fromFirst: true,
    byAll: true,
    trailingCommas: true,
    positions: true,
    starModifiers: true,
    emptySelect: false,
  },
}
