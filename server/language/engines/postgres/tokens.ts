/** The tokens of PostgreSQL's lexer. */
import { lexer } from '../lexing.ts'

export const postgresTokens = lexer({
  otherSpaces: '',
  stringPrefixes: 'ebxn',
  hasUnicodeQuotes: true,
  number:
    /0[xX][\da-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|(?:\d[\d_]*(?:\.(?!\.)[\d_]*)?|\.\d[\d_]*)(?:[eE][-+]?\d[\d_]*)?/y,
  parameterName: /\d+/y,
  loneDollar: 'punctuation',
  operatorCharacters: '~!@#^&|`?+-*/%<>=',
  keepsSign: /[~!@#^&|`?%]/,
})
