/** DuckDB's dialect for the name binder. */
import type { BinderDialect, FunctionFlow, TableFunctionFacts } from '../../sql/binder/dialect.ts'
import type { SqlType } from '../sql-type.ts'
import { duckdbFunctions } from './functions.ts'
import { fold, quote } from './names.ts'
import { columnsMatching } from './patterns.ts'
import { duckdbTypes } from './types/index.ts'

const words = (text: string): readonly string[] => text.split(/\s+/)

const answers = words(
  `array_contains array_has array_has_all array_has_any contains ends_with isfinite isinf isnan json_contains
  json_exists like_escape list_contains list_has list_has_all list_has_any map_contains not_ilike_escape
  not_like_escape prefix regexp_full_match regexp_matches starts_with suffix`,
)
const counts = words('approx_count_distinct count count_if count_star countif regr_count')
const nothing = words('grouping grouping_id typeof')

const flows: ReadonlyMap<string, FunctionFlow> = new Map([
  ...answers.map(name => [name, 'answer'] as const),
  ...counts.map(name => [name, 'count'] as const),
  ...nothing.map(name => [name, 'none'] as const),
  ...[...duckdbFunctions.withLambda].map(name => [name, flowOfLambda(name)] as const),
])

function flowOfLambda(name: string): FunctionFlow {
  if (name.endsWith('filter')) return 'filter'
  return name.endsWith('reduce') ? 'reduce' : 'transform'
}

const comparisons = new Set(
  words('= == <> != < <= > >= and or like ilike glob ~ !~ ~* !~* ~~ !~~ ~~* !~~* ~~~ ^@ @> <@ && is').concat(
    'not like',
    'not ilike',
    'not glob',
    'similar to',
    'not similar to',
    'is distinct from',
    'is not distinct from',
  ),
)

const tableFunctions: ReadonlyMap<string, TableFunctionFacts> = new Map([
  ['range', { columns: ['range'], readsRelation: false, isNamedByAlias: false }],
  ['generate_series', { columns: ['generate_series'], readsRelation: false, isNamedByAlias: false }],
  ['unnest', { columns: ['unnest'], readsRelation: false, isNamedByAlias: false }],
  ['histogram', { columns: undefined, readsRelation: true, isNamedByAlias: false }],
  ['histogram_values', { columns: undefined, readsRelation: true, isNamedByAlias: false }],
  ['summary', { columns: undefined, readsRelation: true, isNamedByAlias: false }],
])

export const duckdbBinding: BinderDialect = {
  fold,
  quote,
  valueWords: duckdbFunctions.valueWords,
  pseudoColumns: new Set(['rowid']),
  // With two arguments `age` computes an interval and does not depend on the current time.
  isVolatile: (name, count) => duckdbFunctions.volatile.has(name) && !(name === 'age' && count > 1),
  flowOf: name => flows.get(name) ?? 'value',
  givesOneType: name => duckdbFunctions.ofOneType.has(name),
  isComparison: operator => comparisons.has(operator),
  columnsMatching,
  typeCalled: text => {
    const type = duckdbTypes.parse(text)
    return type.kind === 'unknown' ? undefined : type
  },
  typeOfLiteral,
  fieldsOf,
  elementOf: duckdbTypes.elementOf,
  hasFewValues: type => type.kind === 'enum' || duckdbTypes.family(type) === 'boolean',
  nameOfValue: () => '',
  nameInValues: index => `col${index}`,
  numbersNamesakes: true,
  tableFunction: name => tableFunctions.get(name),
}

const literalTypes: Readonly<Record<string, string | undefined>> = { string: 'VARCHAR', boolean: 'BOOLEAN' }

/** Returns the type of a literal. Only short numbers have a known type, because it depends on their size. */
function typeOfLiteral(kind: string, text: string): SqlType | undefined {
  const name = kind === 'number' && /^\d{1,9}$/.test(text) ? 'INTEGER' : literalTypes[kind]
  return name === undefined ? undefined : duckdbTypes.parse(name)
}

/** Returns the fields of a struct. Those of JSON, map keys and union members are known only from the data. */
function fieldsOf(type: SqlType): ReturnType<BinderDialect['fieldsOf']> {
  if (type.kind === 'struct') {
    const named = type.fields.flatMap(field =>
      field.name === undefined ? [] : [{ name: field.name, type: field.type }],
    )
    return named.length === type.fields.length ? named : undefined
  }
  const isOpen = type.kind === 'map' || type.kind === 'union' || type.kind === 'unknown'
  const family = duckdbTypes.family(type)
  return isOpen || family === 'json' || family === 'other' ? undefined : []
}
