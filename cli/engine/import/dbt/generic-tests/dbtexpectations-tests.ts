/** The tests of dbt_expectations that have a counterpart. */
import { CallProblem } from '../../jinja/problem.ts'
import { isNumber, numberOf } from '../../jinja/values.ts'
import type { PlainMap } from '../asset-draft.ts'
import { bounds } from './dbtutils-tests.ts'
import type { GenericTests, GivenTest } from './test-kind.ts'

export const dbtExpectationsTests: GenericTests = {
  column_values_to_be_unique: given => ({ unique: given.ownColumn() }),
  column_values_to_not_be_null: given => ({ not_null: given.ownColumn() }),
  column_values_to_be_null: given => ({ expression: `${own(given)} is null` }),
  column_values_to_be_in_set: given => ({ accepted_values: { [given.ownColumn()]: valuesOf(given) } }),
  column_values_to_not_be_in_set: given => ({
    expression: `${own(given)} not in (${valuesOf(given).map(sqlValue).join(', ')})`,
  }),
  column_values_to_be_between: given => bounds(given, given.flag('strictly') !== true),
  column_values_to_match_regex: given => ({ matches: { [given.ownColumn()]: given.needed('regex') } }),
  column_values_to_not_match_regex: given => ({
    expression: `not ${given.isFound(own(given), sqlValue(given.needed('regex')))}`,
  }),
  column_value_lengths_to_equal: given => ({
    expression: `length(${own(given)}) = ${given.needed('value')}`,
  }),
  column_value_lengths_to_be_between: lengths,
  table_row_count_to_be_between: rowCount,
  table_row_count_to_equal: given => ({
    row_count: { min: given.number('value') ?? 0, max: given.number('value') ?? 0 },
  }),
  compound_columns_to_be_unique: given => ({ unique: [...given.texts('column_list')] }),
  expression_to_be_true: given => ({ expression: given.needed('expression') }),
}

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
