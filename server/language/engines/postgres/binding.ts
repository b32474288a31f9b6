/** PostgreSQL's dialect for the name binder. */
import type { BinderDialect, TableFunctionFacts } from '../../sql/binder/dialect.ts'
import { wordSet } from '../../sql/grammar.ts'
import { binderDialect } from '../binding.ts'
import type { SqlType } from '../sql-type.ts'
import { rowFunctions, tableFunctions } from './facts.generated.ts'
import { postgresFunctions } from './functions.ts'
import { fold, quote } from './names.ts'
import { nameOfValue } from './names-of-values.ts'
import { postgresStorage } from './storage.ts'
import { postgresTypes } from './types/index.ts'

/** Each has the columns of its record, or one that the alias of the table names, too. */
const tables: ReadonlyMap<string, TableFunctionFacts> = new Map([
  ...[...wordSet(rowFunctions)].map(name => [name, factsOf([name], true)] as const),
  ...tableFunctions
    .trim()
    .split(/\s*\n/)
    .map(line => {
      const [name = '', ...columns] = line.split(' ')
      return [name, factsOf(columns, false)] as const
    }),
])

/** Functions whose rows have the columns of their first argument's type. */
const ofArgument = wordSet('json_populate_recordset jsonb_populate_recordset')

function factsOf(columns: readonly string[], isValue: boolean): TableFunctionFacts {
  return { columns, readsRelation: false, isNamedByAlias: isValue || columns.length === 1 }
}

export const postgresBinding: BinderDialect = binderDialect({
  functions: postgresFunctions,
  types: postgresTypes,
  storage: postgresStorage,
  flows: {
    answer: wordSet(
      `isempty isfinite json_exists jsonb_exists jsonb_exists_all jsonb_exists_any jsonb_path_exists
      jsonb_path_exists_tz jsonb_path_match jsonb_path_match_tz lower_inc lower_inf pg_input_is_valid regexp_like
      starts_with upper_inc upper_inf xml_is_well_formed xml_is_well_formed_content xml_is_well_formed_document
      xmlexists xpath_exists`,
    ),
    count: wordSet('count regexp_count regr_count'),
    none: wordSet('grouping pg_collation_for pg_column_size pg_typeof'),
  },
  comparisons: wordSet('-|- &< &> << >> ? ?| ?& @? @@ overlaps ~<~ ~<=~ ~>~ ~>=~'),
  integer: 'integer',
  fold,
  quote,
  pseudoColumns: postgresStorage.takenColumns,
  columnsMatching: () => undefined,
  fieldsOf,
  nameOfValue,
  nameInValues: index => `column${index + 1}`,
  nameInRow: index => `f${index + 1}`,
  numbersNamesakes: false,
  tableFunction: name => (ofArgument.has(name) ? undefined : tables.get(name)),
})

/** Only composite types have fields, and those a database defines itself. */
function fieldsOf(type: SqlType): ReturnType<BinderDialect['fieldsOf']> {
  return type.kind === 'unknown' || postgresTypes.family(type) === 'other' ? undefined : []
}
