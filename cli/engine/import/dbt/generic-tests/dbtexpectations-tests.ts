/** The tests of dbt_expectations that have a counterpart. */
import { CallProblem } from '../../jinja/problem.ts'
import { isNumber, numberOf, toText } from '../../jinja/values.ts'
import type { PlainMap } from '../asset-draft.ts'
import { between, bounds, groupsOf } from './dbtutils-tests.ts'
import type { GenericTest, GenericTests, GivenTest } from './test-kind.ts'

/** Most of them have a condition that chooses the rows. */
function ofRows(test: (given: GivenTest) => PlainMap): GenericTest {
  return given => ({ ...test(given), where: given.text('row_condition') })
}

export const dbtExpectationsTests: GenericTests = {
  // A query of a column that is not there is no query.
  column_to_exist: given => ({ sql: `select ${own(given)}\nfrom ${given.rows()}\nwhere false` }),
  column_values_to_be_unique: ofRows(given => ({ unique: given.ownColumn() })),
  column_values_to_not_be_null: ofRows(given => ({ not_null: given.ownColumn() })),
  column_values_to_be_null: ofRows(given => ({ expression: `${own(given)} is null` })),
  column_values_to_be_in_set(given) {
    const where = given.text('row_condition')
    const isQuoted = given.flag('quote_values') !== false
    const column = given.ownColumn()
    const values = valuesOf(given)
    // A value that is missing is in no set.
    const filled = { not_null: column, where }
    if (isQuoted || values.every(each => typeof each === 'number'))
      return [{ accepted_values: { [column]: values }, where }, filled]
    return [{ expression: `${own(given)} in (${values.join(', ')})`, where }, filled]
  },
  column_values_to_not_be_in_set: ofRows(given => {
    const isQuoted = given.flag('quote_values') !== false
    const values = valuesOf(given).map(each => (isQuoted ? sqlValue(each) : String(each)))
    return { expression: `${own(given)} not in (${values.join(', ')})` }
  }),
  column_values_to_be_between: ofRows(given => bounds(given, given.flag('strictly') !== true)),
  column_values_to_match_regex: ofRows(given => {
    const [pattern, flags] = [given.needed('regex'), flagsOf(given)]
    if (flags === '') return { matches: { [given.ownColumn()]: pattern } }
    return { expression: given.isFound(own(given), sqlValue(pattern), flags) }
  }),
  column_values_to_not_match_regex: ofRows(given => ({
    expression: `not ${given.isFound(own(given), sqlValue(given.needed('regex')), flagsOf(given))}`,
  })),
  column_value_lengths_to_equal: ofRows(given => ({
    expression: `length(${own(given)}) = ${given.needed('value')}`,
  })),
  column_value_lengths_to_be_between: ofRows(given => ({
    expression: between(given, `length(${own(given)})`, given.flag('strictly') !== true),
  })),
  table_row_count_to_be_between: rowCount,
  table_row_count_to_equal(given) {
    const value = given.number('value') ?? 0
    if (given.texts('group_by').length > 0) return countsByGroup(given, `count(*) = ${value}`)
    return { row_count: { min: value, max: value }, where: given.text('row_condition') }
  },
  compound_columns_to_be_unique: compoundUnique,
  expression_to_be_true: ofRows(given => ({ expression: given.needed('expression') })),
}

/** Those that begin with no "expect_". */
export const dbtExpectationsExpressions: GenericTests = {
  expression_is_true: given =>
    checked(given, given.needed('expression').trim(), given.text('test_condition') ?? '= true'),
  expression_between: given =>
    checked(
      given,
      between(given, given.needed('expression').trim(), given.flag('strictly') !== true),
      '= true',
    ),
}

const own = (given: GivenTest) => given.sqlName(given.ownColumn())

function flagsOf(given: GivenTest): string {
  // Raw patterns are written as others are.
  given.flag('is_raw')
  return given.text('flags') ?? ''
}

function valuesOf(given: GivenTest): readonly (string | number)[] {
  const values = given.value('value_set')
  if (!Array.isArray(values)) throw new CallProblem('the test needs a list value_set')
  return values.map(each => (typeof each !== 'boolean' && isNumber(each) ? numberOf(each) : toText(each)))
}

function sqlValue(value: string | number): string {
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`
}

function rowCount(given: GivenTest): PlainMap {
  const isStrict = given.flag('strictly') === true
  const condition = given.text('row_condition')
  if (given.texts('group_by').length > 0 || isStrict)
    return countsByGroup(given, between(given, 'count(*)', !isStrict))
  const [min, max] = [given.number('min_value'), given.number('max_value')]
  if (min === undefined && max === undefined) throw new CallProblem('the count has no bounds')
  return { row_count: { min, max }, where: condition }
}

/** A condition over the rows of each group, or over all rows where there are no groups. */
function countsByGroup(given: GivenTest, holds: string): PlainMap {
  const { listed, by } = groupsOf(given, 'group_by')
  return {
    sql: `select ${listed}count(*) as n\nfrom ${given.rows(given.text('row_condition'))}${by}\nhaving not (${holds})`,
  }
}

/** An expression may be one of each row, or one over all rows or over those of a group. */
function checked(given: GivenTest, expression: string, condition: string): PlainMap {
  const { listed, by } = groupsOf(given)
  return {
    sql: `select *
from (select ${listed}(${expression}) as expression from ${given.rows(given.text('row_condition'))}${by}) as checked
where not (expression ${condition})`,
  }
}

function compoundUnique(given: GivenTest): PlainMap {
  // Names in quotes are the same columns: names are compared without case.
  given.flag('quote_columns')
  const columns = given.texts('column_list')
  const ignored = given.text('ignore_row_if') ?? 'all_values_are_missing'
  const condition = given.text('row_condition')
  if (ignored === 'any_value_is_missing' || columns.length === 1)
    return { unique: [...columns], where: condition }
  const list = columns.join(', ')
  // A group whose values are all missing is none.
  const isThere = `not (${columns.map(each => `${each} is null`).join(' and ')})`
  return {
    sql: `select ${list}, count(*) as n\nfrom ${given.rows(condition)}\nwhere ${isThere}\ngroup by ${list}\nhaving count(*) > 1`,
  }
}
