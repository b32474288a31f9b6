/** PostgreSQL's dialect for the name binder. */
import type { BinderDialect, FunctionFlow, TableFunctionFacts } from '../../sql/binder/dialect.ts'
import { wordSet } from '../../sql/grammar.ts'
import type { SqlType } from '../sql-type.ts'
import { rowFunctions, tableFunctions } from './facts.generated.ts'
import { postgresFunctions } from './functions.ts'
import { fold, quote } from './names.ts'
import { nameOfValue } from './names-of-values.ts'
import { postgresTypes } from './types/index.ts'

const answers = wordSet(
  `isempty isfinite json_exists jsonb_exists jsonb_exists_all jsonb_exists_any jsonb_path_exists
  jsonb_path_exists_tz jsonb_path_match jsonb_path_match_tz lower_inc lower_inf pg_input_is_valid regexp_like starts_with
  upper_inc upper_inf xml_is_well_formed xml_is_well_formed_content xml_is_well_formed_document xmlexists
  xpath_exists`,
)
const counts = wordSet('count regexp_count regr_count')
const nothing = wordSet('grouping pg_collation_for pg_column_size pg_typeof')

const flows: ReadonlyMap<string, FunctionFlow> = new Map([
  ...[...answers].map(name => [name, 'answer'] as const),
  ...[...counts].map(name => [name, 'count'] as const),
  ...[...nothing].map(name => [name, 'none'] as const),
])

const comparisons: ReadonlySet<string> = new Set([
  ...wordSet(
    `= <> != < <= > >= and or like ilike ~ !~ ~* !~* ~~ !~~ ~~* !~~* ^@ @> <@ && -|- &< &> << >> ? ?| ?& @? @@ is
    overlaps ~<~ ~<=~ ~>~ ~>=~`,
  ),
  'not like',
  'not ilike',
  'similar to',
  'not similar to',
  'is distinct from',
  'is not distinct from',
])

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

export const postgresBinding: BinderDialect = {
  fold,
  quote,
  valueWords: postgresFunctions.valueWords,
  pseudoColumns: wordSet('cmax cmin ctid tableoid xmax xmin'),
  // With two arguments `age` computes an interval and does not depend on the current time.
  isVolatile: (name, count) => postgresFunctions.volatile.has(name) && !(name === 'age' && count > 1),
  flowOf: name => flows.get(name) ?? 'value',
  givesOneType: name => postgresFunctions.ofOneType.has(name),
  isComparison: operator => comparisons.has(operator),
  columnsMatching: () => undefined,
  typeCalled: text => {
    const type = postgresTypes.parse(text)
    return type.kind === 'unknown' ? undefined : type
  },
  typeOfLiteral,
  fieldsOf,
  elementOf: postgresTypes.elementOf,
  hasFewValues: type => postgresTypes.family(type) === 'boolean',
  nameOfValue,
  nameInValues: index => `column${index + 1}`,
  numbersNamesakes: false,
  tableFunction: name => (ofArgument.has(name) ? undefined : tables.get(name)),
}

const literalTypes: Readonly<Record<string, string | undefined>> = { string: 'text', boolean: 'boolean' }

/** Returns the type of a literal. Only short numbers have a known type, because it depends on their size. */
function typeOfLiteral(kind: string, text: string): SqlType | undefined {
  const name = kind === 'number' && /^\d{1,9}$/.test(text) ? 'integer' : literalTypes[kind]
  return name === undefined ? undefined : postgresTypes.parse(name)
}

/** Only composite types have fields, and those a database defines itself. */
function fieldsOf(type: SqlType): ReturnType<BinderDialect['fieldsOf']> {
  return type.kind === 'unknown' || postgresTypes.family(type) === 'other' ? undefined : []
}
