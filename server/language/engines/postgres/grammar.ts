import { type SqlGrammar, usualOperators, wordSet } from '../../sql/grammar.ts'
import { plainName, quotedName } from './names.ts'
import { postgresTokens } from './tokens.ts'
import { grammarWords } from './words.ts'

/** The grammar of PostgreSQL 15 to 18. */
export const postgresGrammar: SqlGrammar = {
  tokens: postgresTokens,
  get words() {
    return grammarWords()
  },
  operators: new Map(usualOperators),
  otherOperator: { left: 80, right: 81, chains: true },
  lambdaFunctions: new Set(),
  clausedFunctions: wordSet(
    `json json_array json_arrayagg json_exists json_object json_objectagg json_query json_scalar json_serialize json_table
    json_value xmlattributes xmlelement xmlexists xmlforest xmlparse xmlpi xmlroot xmlserialize xmltable`,
  ),
  plainName,
  quotedName,
  features: {
    prefixAlias: false,
    fromFirst: false,
    byAll: false,
    trailingCommas: false,
    positions: false,
    starModifiers: false,
    emptySelect: true,
  },
}
