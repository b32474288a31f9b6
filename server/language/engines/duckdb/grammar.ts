import { operatorLevel, type SqlGrammar, withoutQuotes } from '../../sql/grammar.ts'
import { duckdbFunctions } from './functions.ts'
import { grammarWords } from './grammar-words.ts'
import { duckdbTokens } from './tokens.ts'

/** The grammar of DuckDB 1.5. */
export const duckdbGrammar: SqlGrammar = {
  tokens: duckdbTokens,
  words: grammarWords,
  operators: new Map([
    ...operatorLevel(10, '->'),
    // On the left it binds as weakly as the arrow of a lambda, on the right as strongly as `||`.
    ['->>', { left: 10, right: 81, chains: true }] as const,
    ...operatorLevel(20, 'or'),
    ...operatorLevel(30, 'and'),
    ['not', { left: 40, right: 40, chains: true }] as const,
    ...operatorLevel(50, 'is isnull notnull', false),
    ...operatorLevel(60, '< > = == <= >= <> !=', false),
    ...operatorLevel(70, 'like ilike glob similar in between', false),
    ...operatorLevel(80, 'operator overlaps'),
    ...operatorLevel(90, '+ -'),
    ...operatorLevel(100, '* / // %'),
    ...operatorLevel(110, '^ **'),
    ...operatorLevel(120, 'at'),
    ...operatorLevel(130, 'collate'),
    ['sign', { left: 140, right: 140, chains: true }] as const,
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
