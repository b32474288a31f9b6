/** The tokens of DuckDB's lexer. */
import { lexer } from '../lexing.ts'

export const duckdbTokens = lexer({
  otherSpaces: '\u00a0\ufeff',
  stringPrefixes: 'exb',
  hasUnicodeQuotes: false,
  number: /0[xX][\da-fA-F_]+|(?:\d[\d_]*(?:\.(?!\.)[\d_]*)?|\.\d[\d_]*)(?:[eE][-+]?\d[\d_]*)?/y,
  parameterName: /[\w\u0080-\uffff]+/y,
  loneDollar: 'operator',
  operatorCharacters: '~!@#^&|`+-*/%<>=',
  // The arrow of a lambda may have a sign behind it.
  keepsSign: /^->|[~!@#^&|`%]/,
})
