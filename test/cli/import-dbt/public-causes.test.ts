/** `svc import dbt`: what packages in the style of public ones ask for, and one note for one cause. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createDbtGround, type DbtGround } from './dbt-ground.ts'

let ground: DbtGround
beforeEach(() => {
  ground = createDbtGround()
})
afterEach(() => ground.dispose())

const sources = `sources:
  - name: shop
    schema: "{{ var('shop_schema', 'raw_shop') }}"
    tables:
      - {name: order, identifier: "{{ var('order_table', 'orders') }}", columns: [{name: id}, {name: paid_at}]}
      - {name: gone, config: {enabled: false}, identifier: orders}
`

it('columns that a schema file only names fill a staging model, also behind others, and a note says so', async () => {
  ground.writeAll({
    'my-dbt/models/sources.yml': sources,
    'my-dbt/models/order_tmp.sql': `{%- set from = source('shop', 'order') -%}
{%- set found = adapter.get_relation(database=from.database, schema=from.schema, identifier=from.identifier) -%}
{%- if found is not none %}select {{ dbt_utils.star(from) }} from {{ found }}{% else %}select 1 as nothing{% endif %}`,
    'my-dbt/models/stg_order.sql': `select
{%- set there = adapter.get_columns_in_relation(ref('order_tmp')) | map(attribute='name') | list %}
{%- for column in ['id', 'paid_at', 'note'] %}
  {{ column if column in there else 'cast(null as varchar)' }} as {{ column }}{{ ',' if not loop.last }}
{%- endfor %}
from {{ ref('order_tmp') }}`,
  })
  const { notes } = await ground.importNotes()
  expect(ground.read('new/models/order_tmp.svc')).toContain("select * from {{ ref('shop_order') }}")
  expect(ground.read('new/models/stg_order.svc')).toContain('cast(null as varchar) as note')
  expect(ground.read('new/models/stg_order.svc')).toContain('paid_at as paid_at')
  expect(notes.join('\n')).toContain(
    'changed models/sources.yml:5:9 the columns of shop_order, which templates ask for, are those that its schema file lists',
  )
  expect((await ground.at('new')(['validate'])).code).toBe(0)
})

it('what has one cause in a macro is one note with a count, and the report names some of what it is about', async () => {
  ground.writeAll({
    'my-dbt/macros/ask.sql': "{% macro ask() %}\n{{ run_query('select 1') }}\n{% endmacro %}",
    ...Object.fromEntries(
      ['a', 'b', 'c', 'd'].map(name => [`my-dbt/models/${name}.sql`, 'select {{ ask() }} as id']),
    ),
    'my-dbt/models/reader.sql': "select * from {{ ref('a') }}",
    'my-dbt/models/other_reader.sql': "select * from {{ ref('a') }}",
    'my-dbt/models/schema.yml':
      'models: [{name: reader, columns: [{name: id, data_tests: [rare.one, rare.two]}], data_tests: [rare.one]}]',
    'my-dbt/models/rare.sql': 'select {{ rare.some() }} as id',
    'my-dbt/packages.yml': 'packages: [{package: somebody/rare, version: 1.0.0}]',
  })
  const { notes } = await ground.importNotes()
  const told = notes.map(note => note.replace(/ \| .*/, ''))
  expect(told).toEqual([
    expect.stringContaining('todo macros/ask.sql:2:4 4 models did not come over: run_query is a query'),
    'todo models/other_reader.sql:1:1 2 assets read what did not come over',
    'todo packages.yml:1:12 1 model and 3 tests did not come over: the package rare is not installed',
  ])
  const { stdout } = await ground.line(['import', 'dbt', 'my-dbt', '--no-write'])
  expect(stdout).toContain('a, b, c and 1 more (--json)')
  const { stdout: json } = await ground.line(['import', 'dbt', 'my-dbt', '--no-write', '--json'])
  const entries = JSON.parse(json).notes as readonly { readonly path: string; readonly asset: string }[]
  const lost = entries.filter(({ path }) => path === 'macros/ask.sql').map(({ asset }) => asset)
  expect(lost).toEqual(['a', 'b', 'c', 'd'])
})

it('times are reckoned with, and the time of the import is told once', async () => {
  const model = `select '{{ (modules.datetime.datetime(2024, 3, 1, 9, 30) - modules.datetime.timedelta(days=1)).strftime("%d.%m.%Y") }}' as day,
  '{{ modules.pytz.timezone("Europe/Berlin") }}' as zone,
  {{ run_started_at.year > 2000 }} as is_now, '{{ flags.WHICH }}' as which`
  ground.writeAll({ 'my-dbt/models/a.sql': model, 'my-dbt/models/b.sql': model })
  const { code, notes } = await ground.importNotes()
  expect(code).toBe(0)
  expect(notes).toEqual([
    'changed models/a.sql:1:13 the time of the import is written where dbt has the time of each run | Write now() in its place where each run is to have its own.',
  ])
  expect(ground.read('new/models/a.svc')).toContain("select '29.02.2024' as day")
  expect(ground.read('new/models/a.svc')).toContain("'Europe/Berlin' as zone")
  expect(ground.read('new/models/a.svc')).toContain("True as is_now, 'run' as which")
})

it('a macro of a package asks for the variables of the model that calls it, and templates in lists are rendered', async () => {
  ground.writeAll({
    'my-dbt/dbt_project.yml': 'name: my_shop\nvars: {my_shop: {columns: [x, y]}}\n',
    'my-dbt/dbt_packages/tools/dbt_project.yml': 'name: tools\n',
    'my-dbt/dbt_packages/tools/macros/list.sql':
      "{% macro listed() %}{{ var('columns') | join(', ') }}{% endmacro %}",
    'my-dbt/models/a.sql': 'select {{ tools.listed() }} from (select 1 as x, 2 as y)',
    'my-dbt/models/schema.yml': `models: [{name: a, data_tests: [dbt_utils.unique_combination_of_columns: {combination_of_columns: ["{{ 'x' }}", y]}]}]
seeds: [{name: s, description: "goes
on here"}]
`,
    'my-dbt/seeds/s.csv': 'id\n1\n',
  })
  const { notes } = await ground.importNotes()
  expect(notes).toEqual([])
  expect(ground.read('new/models/a.svc')).toContain('select x, y from')
  expect(ground.read('new/models/a.svc')).toContain('select x, y, count(*) as n')
  expect(ground.read('new/models/seeds/s.svc')).toContain('description: goes on here')
})
