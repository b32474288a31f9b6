/** Each generic test of dbt, dbt_utils and dbt_expectations passes on rows that hold it, and fails on rows that do not. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createGround, lineIn } from '../../cli/bad-input/command-line.ts'
import { freshWarehouse, kindUnderTest, removeWarehouse } from '../../support/warehouse-under-test.ts'

/** The test at a column or at the model, rows that pass and rows that fail, as CSV with the columns below. */
interface Case {
  readonly test: string
  readonly column?: string
  readonly good: string
  readonly bad: string
}

const header = 'id,grp,low,high,word,day'
const two = '1,a,1,2,x,2024-01-01\n2,b,2,3,y,2024-01-02'
/** Midnight to come, in UTC: new, and not so far in the future that `fresh` warns of it, as it does where dbt passes. */
const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
const expectations = 'dbt_expectations.expect_'

const allCases: readonly Case[] = [
  { test: 'unique', column: 'id', good: two, bad: `${two}\n2,,,,,` },
  { test: 'not_null', column: 'id', good: two, bad: `${two}\n,,,,,` },
  { test: 'accepted_values: {values: [x, y]}', column: 'word', good: two, bad: '1,,,,z,' },
  { test: 'accepted_values: {values: [1, 2]}', column: 'id', good: two, bad: '3,,,,,' },
  { test: 'accepted_values: {values: [1, 2], quote: false}', column: 'id', good: two, bad: '3,,,,,' },
  { test: "relationships: {to: ref('other'), field: id}", column: 'id', good: two, bad: '9,,,,,' },
  {
    test: 'dbt_utils.unique_combination_of_columns: {combination_of_columns: [id, grp]}',
    good: `${two}\n1,b,,,,`,
    bad: `${two}\n1,a,,,,`,
  },
  { test: 'dbt_utils.expression_is_true: {expression: "low < high"}', good: two, bad: '1,a,3,2,,' },
  { test: 'dbt_utils.expression_is_true: {expression: "> 0"}', column: 'low', good: two, bad: '1,a,0,,,' },
  {
    test: 'dbt_utils.expression_is_true: {expression: "<= (select max(id) from {{ ref(\'other\') }})"}',
    column: 'id',
    good: two,
    bad: '9,,,,,',
  },
  {
    test: 'dbt_utils.accepted_range: {min_value: 1, max_value: 2}',
    column: 'low',
    good: two,
    bad: '1,,3,,,',
  },
  {
    test: 'dbt_utils.accepted_range: {min_value: 0, inclusive: false}',
    column: 'low',
    good: two,
    bad: '1,,0,,,',
  },
  { test: 'dbt_utils.accepted_range: {max_value: "high"}', column: 'low', good: two, bad: '1,,5,4,,' },
  { test: 'dbt_utils.not_accepted_values: {values: [z]}', column: 'word', good: two, bad: '1,,,,z,' },
  { test: 'dbt_utils.not_empty_string', column: 'word', good: `${two}\n3,,,,,`, bad: '1,,,,"  ",' },
  {
    test: 'dbt_utils.not_null_proportion: {at_least: 0.5}',
    column: 'grp',
    good: `${two}\n3,,,,,`,
    bad: '1,,,,,\n2,,,,,\n3,a,,,,',
  },
  { test: 'dbt_utils.at_least_one', column: 'grp', good: `${two}\n3,,,,,`, bad: '1,,,,,' },
  { test: 'dbt_utils.not_constant', column: 'grp', good: two, bad: '1,a,,,,\n2,a,,,,' },
  {
    test: 'dbt_utils.recency: {datepart: month, field: day, interval: 1}',
    good: '1,,,,,2999-01-01',
    bad: two,
  },
  {
    test: 'dbt_utils.recency: {datepart: day, field: day, interval: 1}',
    good: `1,,,,,${tomorrow}`,
    bad: two,
  },
  { test: "dbt_utils.equal_rowcount: {compare_model: ref('other')}", good: two, bad: '1,,,,,' },
  { test: "dbt_utils.fewer_rows_than: {compare_model: ref('other')}", good: '1,,,,,', bad: two },
  { test: "dbt_utils.equality: {compare_model: ref('other')}", good: two, bad: '1,a,1,2,x,2024-01-01' },
  {
    test: "dbt_utils.equality: {compare_model: ref('other'), compare_columns: [id]}",
    good: '1,,,,,\n2,,,,,',
    bad: '1,,,,,',
  },
  {
    test: "dbt_utils.equality: {compare_model: ref('other'), exclude_columns: [word, day]}",
    good: '1,a,1,2,,\n2,b,2,3,,',
    bad: '1,,,,,',
  },
  {
    test: "dbt_utils.cardinality_equality: {to: ref('other'), field: grp}",
    column: 'grp',
    good: two,
    bad: `${two}\n3,a,,,,`,
  },
  { test: 'dbt_utils.sequential_values', column: 'id', good: two, bad: '1,,,,,\n3,,,,,' },
  {
    test: 'dbt_utils.sequential_values: {datepart: day}',
    column: 'day',
    good: two,
    bad: '1,,,,,2024-01-01\n1,,,,,2024-01-04',
  },
  {
    test: "dbt_utils.relationships_where: {to: ref('other'), field: id, from_condition: \"grp = 'a'\"}",
    column: 'id',
    good: '9,b,,,,',
    bad: '9,a,,,,',
  },
  {
    test: 'dbt_utils.mutually_exclusive_ranges: {lower_bound_column: low, upper_bound_column: high, partition_by: grp, gaps: allowed}',
    good: '1,a,1,2,,\n2,a,4,5,,\n3,b,1,9,,',
    bad: '1,a,1,5,,\n2,a,4,6,,',
  },
  {
    test: 'dbt_utils.mutually_exclusive_ranges: {lower_bound_column: low, upper_bound_column: high, gaps: not_allowed}',
    good: '1,a,1,2,,\n2,a,2,5,,',
    bad: '1,a,1,2,,\n2,a,4,6,,',
  },
  { test: `${expectations}column_values_to_be_unique`, column: 'id', good: two, bad: `${two}\n2,,,,,` },
  { test: `${expectations}column_values_to_not_be_null`, column: 'grp', good: two, bad: '1,,,,,' },
  { test: `${expectations}column_values_to_be_null`, column: 'grp', good: '1,,,,,', bad: two },
  {
    test: `${expectations}column_values_to_be_in_set: {value_set: [x, y]}`,
    column: 'word',
    good: two,
    bad: '1,,,,z,',
  },
  {
    test: `${expectations}column_values_to_not_be_in_set: {value_set: [z]}`,
    column: 'word',
    good: two,
    bad: '1,,,,z,',
  },
  {
    test: `${expectations}column_values_to_be_between: {min_value: 1, max_value: 2, strictly: false}`,
    column: 'low',
    good: two,
    bad: '1,,3,,,',
  },
  {
    test: `${expectations}column_values_to_match_regex: {regex: "^[xy]$"}`,
    column: 'word',
    good: two,
    bad: '1,,,,z,',
  },
  {
    test: `${expectations}column_values_to_not_match_regex: {regex: "z"}`,
    column: 'word',
    good: two,
    bad: '1,,,,z,',
  },
  {
    test: `${expectations}column_value_lengths_to_equal: {value: 1}`,
    column: 'word',
    good: two,
    bad: '1,,,,zz,',
  },
  {
    test: `${expectations}column_value_lengths_to_be_between: {min_value: 1, max_value: 2}`,
    column: 'word',
    good: two,
    bad: '1,,,,zzz,',
  },
  {
    test: `${expectations}table_row_count_to_be_between: {min_value: 1, max_value: 2}`,
    good: two,
    bad: `${two}\n3,,,,,`,
  },
  { test: `${expectations}table_row_count_to_equal: {value: 2}`, good: two, bad: '1,,,,,' },
  {
    test: `${expectations}compound_columns_to_be_unique: {column_list: [id, grp]}`,
    good: two,
    bad: `${two}\n1,a,,,,`,
  },
  { test: `${expectations}expression_to_be_true: {expression: "low < high"}`, good: two, bad: '1,a,3,2,,' },
]

/** An argument that was dropped would let each of these say the other of one of the two. */
const withArguments: readonly Case[] = [
  {
    test: 'dbt_utils.unique_combination_of_columns: {combination_of_columns: [id, grp]}',
    good: `1,,,,,\n2,,,,,`,
    bad: `1,,,,,\n1,,,,,`,
  },
  {
    test: 'dbt_utils.at_least_one: {group_by_columns: [grp]}',
    column: 'low',
    good: '1,a,1,,,\n2,b,2,,,',
    bad: '1,a,1,,,\n2,b,,,,',
  },
  {
    test: 'dbt_utils.not_constant: {group_by_columns: [grp]}',
    column: 'low',
    good: '1,a,1,,,\n2,a,2,,,',
    bad: '1,a,1,,,\n2,a,1,,,\n3,b,2,,,\n4,b,3,,,',
  },
  {
    test: 'dbt_utils.not_null_proportion: {at_least: 0.5, group_by_columns: [grp]}',
    column: 'low',
    good: '1,a,1,,,\n2,a,,,,',
    bad: '1,a,1,,,\n2,a,2,,,\n3,b,,,,',
  },
  {
    test: 'dbt_utils.recency: {datepart: day, field: day, interval: 1, group_by_columns: [grp]}',
    good: `1,a,,,,${tomorrow}\n2,b,,,,${tomorrow}`,
    bad: `1,a,,,,${tomorrow}\n2,b,,,,2024-01-01`,
  },
  {
    test: 'dbt_utils.recency: {datepart: day, field: day, interval: 1, ignore_time_component: true}',
    good: `1,a,,,,${tomorrow}`,
    bad: two,
  },
  {
    test: "dbt_utils.equal_rowcount: {compare_model: ref('other'), group_by_columns: [grp]}",
    good: two,
    bad: '1,a,,,,\n2,a,,,,\n3,b,,,,',
  },
  {
    test: "dbt_utils.fewer_rows_than: {compare_model: ref('more'), group_by_columns: [grp]}",
    good: two,
    bad: '1,a,,,,\n2,a,,,,\n3,b,,,,',
  },
  {
    test: 'dbt_utils.sequential_values: {group_by_columns: [grp]}',
    column: 'low',
    good: '1,a,1,,,\n2,a,2,,,\n3,b,7,,,',
    bad: '1,a,1,,,\n2,a,3,,,',
  },
  ...[
    ['column_values_to_be_unique: {row_condition: "grp = \'a\'"}', 'low'],
    ['column_values_to_not_be_null: {row_condition: "grp = \'a\'"}', 'high'],
    ['column_values_to_be_null: {row_condition: "grp = \'a\'"}', 'day'],
    ['column_values_to_be_in_set: {value_set: [x], row_condition: "grp = \'a\'"}', 'word'],
    ['column_values_to_not_be_in_set: {value_set: [y], row_condition: "grp = \'a\'"}', 'word'],
    ['column_values_to_be_between: {min_value: 0, row_condition: "grp = \'a\'"}', 'low'],
    ['column_values_to_match_regex: {regex: x, row_condition: "grp = \'a\'"}', 'word'],
    ['column_values_to_not_match_regex: {regex: y, row_condition: "grp = \'a\'"}', 'word'],
    ['column_value_lengths_to_equal: {value: 1, row_condition: "grp = \'a\'"}', 'word'],
    ['table_row_count_to_equal: {value: 1, row_condition: "grp = \'a\'"}', undefined],
    ['table_row_count_to_be_between: {max_value: 1, row_condition: "grp = \'a\'"}', undefined],
  ].map(
    ([test = '', column]): Case => ({
      test: expectations + test,
      ...(column !== undefined && { column }),
      good: '1,a,0,1,x,\n2,b,-1,,yy,2024-01-01\n3,b,-1,,yy,2024-01-01'.replaceAll(
        'yy',
        test.includes('lengths') ? 'yy' : 'y',
      ),
      bad: '1,a,-1,,yy,2024-01-01\n2,a,-1,,yy,2024-01-01'.replaceAll(
        'yy',
        test.includes('lengths') ? 'yy' : 'y',
      ),
    }),
  ),
  {
    test: `${expectations}column_values_to_be_in_set: {value_set: [x, y]}`,
    column: 'word',
    good: two,
    bad: `${two}\n3,,,,,`,
  },
  {
    test: `${expectations}column_value_lengths_to_be_between: {min_value: 1, max_value: 3, strictly: true}`,
    column: 'word',
    good: '1,,,,xx,',
    bad: '1,,,,x,',
  },
  {
    test: `${expectations}column_values_to_match_regex: {regex: "^X$", flags: i}`,
    column: 'word',
    good: '1,,,,x,',
    bad: '1,,,,y,',
  },
  {
    test: `${expectations}table_row_count_to_be_between: {max_value: 1, group_by: [grp]}`,
    good: two,
    bad: `${two}\n3,a,,,,`,
  },
  {
    test: `${expectations}table_row_count_to_be_between: {max_value: 2, strictly: true}`,
    good: '1,,,,,',
    bad: two,
  },
  {
    test: `${expectations}table_row_count_to_equal: {value: 1, group_by: [grp]}`,
    good: two,
    bad: '1,a,,,,\n2,a,,,,',
  },
  {
    test: `${expectations}compound_columns_to_be_unique: {column_list: [id, grp], ignore_row_if: any_value_is_missing}`,
    good: '1,,,,,\n1,,,,,',
    bad: '1,a,,,,\n1,a,,,,',
  },
  {
    test: `${expectations}compound_columns_to_be_unique: {column_list: [low, grp]}`,
    good: '1,,,,,\n2,,,,,',
    bad: '1,a,,,,\n2,a,,,,',
  },
  {
    test: 'dbt_expectations.expression_is_true: {expression: "sum(low)", test_condition: "> 3", group_by_columns: [grp]}',
    good: '1,a,4,,,\n2,b,5,,,',
    bad: '1,a,4,,,\n2,b,1,,,',
  },
  {
    test: 'dbt_expectations.expression_between: {expression: "max(low)", max_value: 3, row_condition: "grp = \'a\'"}',
    good: '1,a,3,,,\n2,b,9,,,',
    bad: '1,a,4,,,',
  },
]

/** PostgreSQL lists no columns but some, and the import says that they are to be named. */
const cases = [...allCases, ...withArguments].filter(
  ({ test }) => kindUnderTest === 'duckdb' || !test.includes('exclude_columns'),
)

const types = 'id: integer, grp: varchar, low: integer, high: integer, word: varchar, day: date'

function schemaEntry({ test, column }: Case, name: string): string {
  const [kind = '', args] = [
    test.split(':')[0],
    test.includes(':') ? test.slice(test.indexOf(':') + 1).trim() : undefined,
  ]
  const body = [
    ...(args === undefined ? [] : [`          arguments: ${args}`]),
    '          config: {severity: warn}',
  ].join('\n')
  const list = `      - ${kind}:\n${body}\n`
  const tests =
    column === undefined
      ? `    data_tests:\n${list}`
      : `    columns:\n      - name: ${column}\n        data_tests:\n${list.replace(/^/gm, '    ')}\n`
  return `  - name: ${name}\n    config: {column_types: {${types}}}\n${tests}`
}

/** The files of the dbt project that say which warehouse it is for. */
function projectFiles(url: string): Record<string, string> {
  if (kindUnderTest === 'duckdb') return { 'dbt/dbt_project.yml': 'name: t\n' }
  const { hostname, port, username, pathname } = new URL(url)
  const output = `type: postgres, schema: analytics, host: ${hostname}, port: ${port}, user: ${username}, dbname: ${pathname.slice(1)}`
  return {
    'dbt/dbt_project.yml': 'name: t\nprofile: t\n',
    'dbt/profiles.yml': `t: {target: dev, outputs: {dev: {${output}}}}\n`,
  }
}

/** One test of dbt may be two here. */
function verdict(tests: readonly { readonly status: string }[] | undefined): string | undefined {
  const told = [...new Set(tests?.map(each => each.status))]
  return told.includes('fail') ? 'fail' : told.join()
}

it('each test says the same of rows as in dbt', async () => {
  const url = await freshWarehouse()
  const files: Record<string, string> = {
    ...projectFiles(url),
    'dbt/seeds/other.csv': `${header}\n${two}\n`,
    'dbt/seeds/more.csv': `${header}\n${two}\n${two}\n`,
    'dbt/seeds/other.yml': `seeds:\n${['other', 'more'].map(name => `  - {name: ${name}, config: {column_types: {${types}}}}\n`).join('')}`,
  }
  let yml = 'seeds:\n'
  for (const [index, each] of cases.entries()) {
    for (const kind of ['good', 'bad'] as const) {
      files[`dbt/seeds/${kind}_${index}.csv`] = `${header}\n${each[kind]}\n`
      yml += schemaEntry(each, `${kind}_${index}`)
    }
  }
  const ground = createGround({ ...files, 'dbt/seeds/tests.yml': yml })
  try {
    const imported = await ground.line(['import', 'dbt', 'dbt', '-o', 'new'])
    expect(imported.stdout).not.toContain('To be done by hand')
    expect(imported.code, imported.stdout + imported.stderr).toBe(0)
    const run = await lineIn(join(ground.root, 'new'), ['run'])
    expect(run.code, run.stdout + run.stderr).toBe(0)
    const results = JSON.parse(
      readFileSync(join(ground.root, 'new/.svc/test_results.json'), 'utf8'),
    ) as Record<string, { readonly tests: readonly { readonly status: string }[] }>
    const told = cases.map(({ test }, index) => ({
      test,
      good: verdict(results[`good_${index}`]?.tests),
      bad: verdict(results[`bad_${index}`]?.tests),
    }))
    expect(told).toEqual(cases.map(({ test }) => ({ test, good: 'pass', bad: 'fail' })))
  } finally {
    ground.dispose()
    await removeWarehouse(url)
  }
})
