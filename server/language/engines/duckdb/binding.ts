/** DuckDB's dialect for the name binder. */
import type { BinderDialect, TableFunctionFacts } from '../../sql/binder/dialect.ts'
import { wordSet } from '../../sql/grammar.ts'
import { binderDialect } from '../binding.ts'
import type { SqlType } from '../sql-type.ts'
import { duckdbFunctions } from './functions.ts'
import { fold, quote } from './names.ts'
import { columnsMatching } from './patterns.ts'
import { duckdbStorage } from './storage.ts'
import { duckdbTypes } from './types/index.ts'

const withLambda = [...duckdbFunctions.withLambda]
const isFilter = (name: string) => name.endsWith('filter')
const isReduce = (name: string) => name.endsWith('reduce')

const plain = { readsRelation: false, isNamedByAlias: false }

const tableFunctions: ReadonlyMap<string, TableFunctionFacts> = new Map<string, TableFunctionFacts>([
  ...['range', 'generate_series', 'unnest'].map(name => [name, { ...plain, columns: [name] }] as const),
  ...['histogram', 'histogram_values', 'summary'].map(
    name => [name, { ...plain, columns: undefined, readsRelation: true }] as const,
  ),
])

export const duckdbBinding: BinderDialect = binderDialect({
  functions: duckdbFunctions,
  types: duckdbTypes,
  storage: duckdbStorage,
  flows: {
    answer: wordSet(
      `array_contains array_has array_has_all array_has_any contains ends_with isfinite isinf isnan json_contains
      json_exists like_escape list_contains list_has list_has_all list_has_any map_contains not_ilike_escape
      not_like_escape prefix regexp_full_match regexp_matches starts_with suffix`,
    ),
    count: wordSet('approx_count_distinct count count_if count_star countif regr_count'),
    none: wordSet('grouping grouping_id typeof'),
    filter: withLambda.filter(isFilter),
    reduce: withLambda.filter(isReduce),
    transform: withLambda.filter(name => !isFilter(name) && !isReduce(name)),
  },
  comparisons: new Set(['==', '~~~', 'glob', 'not glob']),
  integer: 'INTEGER',
  fold,
  quote,
  pseudoColumns: new Set(['rowid']),
  columnsMatching,
  fieldsOf,
  nameOfValue: () => '',
  nameInValues: index => `col${index}`,
  nameInRow: () => '',
  numbersNamesakes: true,
  tableFunction: name => tableFunctions.get(name),
})

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
