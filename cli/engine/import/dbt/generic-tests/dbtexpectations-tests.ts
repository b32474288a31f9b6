/** The tests of dbt_expectations that have a counterpart. */
import { CallProblem } from '../../jinja/problem.ts'
import { isNumber, numberOf } from '../../jinja/values.ts'
import type { PlainMap } from '../asset-draft.ts'
import { bounds } from './dbtutils-tests.ts'
import type { GenericTest, GivenTest } from './test-kind.ts'

const named = (name: string) => [`dbt_expectations.expect_${name}`]

export const dbtExpectationsTests: readonly GenericTest[] = [
  { names: named('column_values_to_be_unique'), read: given => ({ unique: given.ownColumn() }) },
  { names: named('column_values_to_not_be_null'), read: given => ({ not_null: given.ownColumn() }) },
  { names: named('column_values_to_be_null'), read: given => ({ expression: `${own(given)} is null` }) },
  {
    names: named('column_values_to_be_in_set'),
    read: given => ({ accepted_values: { [given.ownColumn()]: valuesOf(given) } }),
  },
  {
    names: named('column_values_to_not_be_in_set'),
    read: given => ({ expression: `${own(given)} not in (${valuesOf(given).map(sqlValue).join(', ')})` }),
  },
  {
    names: named('column_values_to_be_between'),
    read: given => bounds(given, given.flag('strictly') !== true),
  },
  {
    names: named('column_values_to_match_regex'),
    read: given => ({ matches: { [given.ownColumn()]: given.needed('regex') } }),
  },
  {
    names: named('column_values_to_not_match_regex'),
    read: given => ({ expression: `not ${given.isFound(own(given), sqlValue(given.needed('regex')))}` }),
  },
  {
    names: named('column_value_lengths_to_equal'),
    read: given => ({ expression: `length(${own(given)}) = ${given.needed('value')}` }),
  },
  { names: named('column_value_lengths_to_be_between'), read: lengths },
  { names: named('table_row_count_to_be_between'), read: rowCount },
  {
    names: named('table_row_count_to_equal'),
    read: given => ({ row_count: { min: given.number('value') ?? 0, max: given.number('value') ?? 0 } }),
  },
  {
    names: named('compound_columns_to_be_unique'),
    read: given => ({ unique: [...given.texts('column_list')] }),
  },
  { names: named('expression_to_be_true'), read: given => ({ expression: given.needed('expression') }) },
]

const own = (given: GivenTest) => given.sqlName(given.ownColumn())

function valuesOf(given: GivenTest): readonly (string | number)[] {
  const values = given.value('value_set')
  if (!Array.isArray(values)) throw new CallProblem('the test needs a list value_set')
  return values.map(each => (isNumber(each) ? numberOf(each) : String(each)))
}

function sqlValue(value: string | number): string {
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`
}

function lengths(given: GivenTest): PlainMap {
  const [min, max] = [given.number('min_value'), given.number('max_value')]
  const parts = [
    ...(min === undefined ? [] : [`length(${own(given)}) >= ${min}`]),
    ...(max === undefined ? [] : [`length(${own(given)}) <= ${max}`]),
  ]
  if (parts.length === 0) throw new CallProblem('the lengths have no bounds')
  return { expression: parts.join(' and ') }
}

function rowCount(given: GivenTest): PlainMap {
  const [min, max] = [given.number('min_value'), given.number('max_value')]
  if (min === undefined && max === undefined) throw new CallProblem('the count has no bounds')
  return { row_count: { min, max } }
}
