/** The tests of dbt_utils: those with a counterpart become it, others a test of kind `sql`. */
import { CallProblem } from '../../jinja/problem.ts'
import { isNumber, numberOf } from '../../jinja/values.ts'
import type { PlainMap } from '../asset-draft.ts'
import type { GenericTests, GivenTest } from './test-kind.ts'

const tag = (asset: string) => `{{ ref('${asset}') }}`

export const dbtUtilsTests: GenericTests = {
  unique_combination_of_columns(given) {
    // Names in quotes are the same columns: names are compared without case.
    given.flag('quote_columns')
    const columns = given.texts('combination_of_columns')
    if (columns.every(given.isFilled)) return { unique: [...columns] }
    // Here two rows with a NULL are alike.
    const list = columns.join(', ')
    return {
      sql: `select ${list}, count(*) as n\nfrom ${given.rows()}\ngroup by ${list}\nhaving count(*) > 1`,
    }
  },
  expression_is_true: expressionIsTrue,
  accepted_range: given => bounds(given, given.flag('inclusive') ?? true),
  not_accepted_values: given => {
    const isQuoted = given.flag('quote') !== false
    const values = given.texts('values').map(each => (isQuoted ? literal(each) : each))
    return { expression: `${own(given)} not in (${values.join(', ')})` }
  },
  not_empty_string: given => ({
    expression: `${given.flag('trim_whitespace') === false ? own(given) : `trim(${own(given)})`} <> ''`,
  }),
  not_null_proportion: notNullProportion,
  at_least_one: given => {
    const groups = groupsOf(given)
    return {
      sql: `select ${groups.listed}count(${own(given)}) as filled\nfrom ${given.rows()}${groups.by}\nhaving count(${own(given)}) = 0`,
    }
  },
  not_constant: given => {
    const groups = groupsOf(given)
    const count = `count(distinct ${own(given)})`
    return {
      sql: `select ${groups.listed}${count} as different\nfrom ${given.rows()}${groups.by}\nhaving ${count} = 1`,
    }
  },
  recency,
  equal_rowcount: given => ({ sql: countsSql(given, '<>') }),
  fewer_rows_than: given => ({ sql: countsSql(given, '>=') }),
  equality,
  cardinality_equality: cardinality,
  sequential_values: sequential,
  relationships_where: relationshipsWhere,
  mutually_exclusive_ranges: exclusiveRanges,
}

const own = (given: GivenTest) => given.sqlName(given.ownColumn())
const literal = (text: string) => `'${text.replaceAll("'", "''")}'`

/** What is in front of the list of a query by groups, and what follows its rows. */
export function groupsOf(given: GivenTest, argument = 'group_by_columns') {
  const columns = given.texts(argument)
  const listed = columns.map(each => `${each}, `).join('')
  return { columns, listed, by: columns.length === 0 ? '' : `\ngroup by ${columns.join(', ')}` }
}

/** At a column, the expression goes on after its name. */
function expressionIsTrue(given: GivenTest): PlainMap {
  const expression = given.needed('expression')
  return { expression: given.column === undefined ? expression : `${own(given)} ${expression}` }
}

/** Bounds that are numbers are a range, others an expression. */
export function bounds(given: GivenTest, isInclusive: boolean): PlainMap {
  const limits = [given.value('min_value') ?? undefined, given.value('max_value') ?? undefined]
  if (limits.every(each => each === undefined)) throw new CallProblem('the range has no bounds')
  if (limits.every(each => each === undefined || isNumber(each))) {
    const [min, max] = limits.map(each => (each === undefined ? undefined : numberOf(each)))
    return { range: { [given.ownColumn()]: { min, max, strict: isInclusive ? undefined : true } } }
  }
  return { expression: between(given, own(given), isInclusive) }
}

/** A condition: the bounds are numbers or SQL. */
export function between(given: GivenTest, expression: string, isInclusive: boolean): string {
  const limits = [given.value('min_value') ?? undefined, given.value('max_value') ?? undefined]
  if (limits.every(each => each === undefined)) throw new CallProblem('there are no bounds')
  const parts = limits.flatMap((limit, index) => {
    const sign = `${index === 0 ? '>' : '<'}${isInclusive ? '=' : ''}`
    return limit === undefined ? [] : [`${expression} ${sign} ${textOf(limit)}`]
  })
  return parts.join(' and ')
}

function textOf(value: NonNullable<ReturnType<GivenTest['value']>>): string {
  return isNumber(value) ? String(numberOf(value)) : String(value)
}

function notNullProportion(given: GivenTest): PlainMap {
  const [least, most] = [given.number('at_least') ?? 0, given.number('at_most') ?? 1]
  const groups = groupsOf(given)
  // PostgreSQL divides whole numbers to whole ones, and fails where there are no rows.
  const share = `count(${own(given)}) * 1.0 / nullif(count(*), 0)`
  return {
    sql: `select ${groups.listed}${share} as not_null_proportion\nfrom ${given.rows()}${groups.by}\nhaving not (${share} >= ${least} and ${share} <= ${most})`,
  }
}

const units: Readonly<Record<string, string>> = { second: 's', minute: 'm', hour: 'h', day: 'd' }

function recency(given: GivenTest): PlainMap {
  const [part, count] = [given.needed('datepart').toLowerCase(), given.number('interval') ?? 1]
  const unit = Object.hasOwn(units, part) ? units[part] : undefined
  const field = given.needed('field')
  const groups = groupsOf(given)
  const isOfDays = given.flag('ignore_time_component') === true
  if (unit !== undefined && groups.columns.length === 0 && !isOfDays)
    return { fresh: { column: field, within: `${count}${unit}` } }
  const cast = (value: string) => (isOfDays ? `cast(${value} as date)` : value)
  const newest = `max(${given.sqlName(field)})`
  return {
    sql: `select ${groups.listed}${newest} as most_recent
from ${given.rows()}${groups.by}
having ${cast(newest)} < ${cast(`now() - interval '${count} ${part}'`)} or ${newest} is null`,
  }
}

function countsSql(given: GivenTest, sign: string): string {
  const { columns, listed, by } = groupsOf(given)
  const [here, there] = [given.rows(), tag(given.asset('compare_model'))]
  const counts = (from: string) => `(select ${listed}count(*) as n from ${from}${by.replace('\n', ' ')})`
  if (columns.length === 0)
    return `select own.n as own_rows, other.n as other_rows
from ${counts(here)} as own, ${counts(there)} as other
where own.n ${sign} other.n`
  return `select own.n as own_rows, other.n as other_rows
from ${counts(here)} as own
full join ${counts(there)} as other on ${columns.map(each => `own.${each} = other.${each}`).join(' and ')}
where own.n ${sign} other.n`
}

function equality(given: GivenTest): PlainMap {
  const [only, without] = [given.texts('compare_columns'), given.texts('exclude_columns')]
  const excluded = without.length === 0 ? '*' : given.allBut(without)
  const list = only.length === 0 ? excluded : only.map(given.sqlName).join(', ')
  const other = tag(given.asset('compare_model'))
  return {
    sql: `(select ${list} from ${given.rows()} except select ${list} from ${other})
union all
(select ${list} from ${other} except select ${list} from ${given.rows()})`,
  }
}

function cardinality(given: GivenTest): PlainMap {
  const [column, field] = [own(given), given.sqlName(given.needed('field'))]
  const counted = (name: string, from: string) =>
    `select ${name} as value, count(*) as n from ${from} group by 1`
  const [here, there] = [counted(column, given.rows()), counted(field, tag(given.asset('to')))]
  return { sql: `(${here} except ${there})\nunion all\n(${there} except ${here})` }
}

function sequential(given: GivenTest): PlainMap {
  const [interval, part] = [given.number('interval') ?? 1, given.text('datepart')]
  const groups = given.texts('group_by_columns').map(given.sqlName)
  const over = `over (${groups.length === 0 ? '' : `partition by ${groups.join(', ')} `}order by ${own(given)})`
  const next = part === undefined ? `previous + ${interval}` : `previous + interval '${interval} ${part}'`
  return {
    sql: `select *
from (select ${own(given)} as current, lag(${own(given)}) ${over} as previous from ${given.rows()}) as steps
where not (current = ${next})`,
  }
}

function relationshipsWhere(given: GivenTest): PlainMap {
  const [column, field] = [own(given), given.sqlName(given.needed('field'))]
  const [here, there] = [given.text('from_condition') ?? 'true', given.text('to_condition') ?? 'true']
  return {
    sql: `select ${column}
from (select * from ${given.rows()} where ${column} is not null and (${here})) as child
where not exists (
  select 1 from (select * from ${tag(given.asset('to'))} where ${there}) as parent
  where parent.${field} = child.${column}
)`,
  }
}

const gapSigns: Readonly<Record<string, string>> = { allowed: '<=', not_allowed: '=', required: '<' }

function exclusiveRanges(given: GivenTest): PlainMap {
  const [low, high] = [
    given.sqlName(given.needed('lower_bound_column')),
    given.sqlName(given.needed('upper_bound_column')),
  ]
  const partition = given.texts('partition_by')
  const sign = gapSigns[given.text('gaps') ?? 'allowed']
  if (sign === undefined)
    throw new CallProblem(`mutually_exclusive_ranges has no gaps "${given.text('gaps')}"`)
  const over = `(${partition.length === 0 ? '' : `partition by ${partition.join(', ')} `}order by ${low}, ${high})`
  const order = given.flag('zero_length_range_allowed') === true ? '<=' : '<'
  return {
    sql: `select *
from (
  select ${low} as lower_bound, ${high} as upper_bound, lead(${low}) over ${over} as next_lower_bound
  from ${given.rows()}
) as ranges
where not coalesce(lower_bound ${order} upper_bound, false)
  or not coalesce(upper_bound ${sign} next_lower_bound, next_lower_bound is null)`,
  }
}
