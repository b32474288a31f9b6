/** `svc import dbt`: no key, argument or option of a dbt project is left unread without a note. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createDbtGround, type DbtGround } from './dbt-ground.ts'

let ground: DbtGround
beforeEach(() => {
  ground = createDbtGround()
})
afterEach(() => ground.dispose())

/** A key that nobody knows, at each place where there may be one. */
const unknown = (name: string) => `zz_${name}: 1`

const project = `name: my_shop
${unknown('project')}
models: {my_shop: {+${unknown('folder')}, ${unknown('bare_folder')}}}
exposures: {+${unknown('all_exposures')}}
dispatch: [{macro_namespace: dbt, search_order: [my_shop, dbt], ${unknown('dispatch')}}]
data_tests: {+${unknown('all_tests')}}
`

const profile = `my_shop: {outputs: {dev: {type: duckdb, path: shop.duckdb, ${unknown('output')}}}}
`

const schema = `version: 2
${unknown('file')}
models:
  - name: orders
    ${unknown('model')}
    config: {${unknown('config')}, meta: {${unknown('meta')}}, contract: {enforced: false, ${unknown('contract')}}}
    constraints: [{type: check, expression: "id > 0", ${unknown('constraint')}}]
    data_tests:
      - unique: {column_name: id, ${unknown('argument')}}
      - dbt_utils.accepted_range: {column_name: id, arguments: {min_value: 0, ${unknown('inner')}}}
      - own_test: {column_name: id, ${unknown('undeclared')}}
      - dbt_utils.recency: {field: day, datepart: day, interval: 1, config: {${unknown('test_config')}}}
    columns:
      - name: id
        ${unknown('column')}
        config: {${unknown('column_config')}}
        constraints: [{type: not_null, ${unknown('column_constraint')}}]
        data_tests: [not_null: {config: {${unknown('column_test')}}}]
  - name: parts
    ${unknown('versioned')}
    latest_version: 2
    versions:
      - {v: 1, ${unknown('version')}, config: {${unknown('version_config')}}, columns: [{include: all, exclude: [a], ${unknown('choice')}}]}
      - v: 2
seeds:
  - {name: raw, ${unknown('seed')}, config: {${unknown('seed_config')}, column_types: {zz_seed_type: int}}, columns: [{name: id, ${unknown('seed_column')}}]}
sources:
  - name: web
    ${unknown('source')}
    config: {${unknown('source_config')}}
    freshness: {warn_after: {count: 1, period: day, ${unknown('after')}}, ${unknown('freshness')}}
    tables: [{name: hits, ${unknown('table')}, columns: [{name: id, ${unknown('source_column')}}]}]
exposures:
  - {name: page, type: dashboard, ${unknown('exposure')}, owner: {name: Ada, ${unknown('exposure_owner')}}, depends_on: [ref('orders')], config: {${unknown('exposure_config')}}}
unit_tests:
  - name: one
    ${unknown('unit')}
    model: orders
    config: {${unknown('unit_config')}}
    overrides: {vars: {}, ${unknown('override')}}
    given: [{input: ref('raw'), ${unknown('given')}, rows: [{id: 1}]}]
    expect: {rows: [{id: 1}], ${unknown('expect')}}
data_tests:
  - {name: zz_no_such_test, description: A test without a file.}
  - {name: lonely, ${unknown('singular')}, config: {${unknown('singular_config')}}}
groups: [{name: team, owner: {name: Ada, ${unknown('owner')}}, ${unknown('group')}}]
`

it('a key that nothing here knows is told at its place, wherever it stands', async () => {
  ground.writeAll({
    'my-dbt/dbt_project.yml': project,
    'my-dbt/profiles.yml': profile,
    'my-dbt/macros/own.sql': '{% test own_test(model, column_name) %}select 1 where false{% endtest %}',
    'my-dbt/models/schema.yml': schema,
    'my-dbt/models/orders.sql': `{{ config(${unknown('call').replace(':', '=')}, group='team') }}\nselect * from {{ ref('raw') }} where '{{ dbt.type_int() }}' <> ''\n`,
    'my-dbt/models/parts_v1.sql': 'select 1 as a',
    'my-dbt/models/parts.sql': 'select 2 as a',
    'my-dbt/tests/lonely.sql': "select * from {{ ref('orders') }} where id < 0",
    'my-dbt/seeds/raw.csv': 'id,day\n1,2024-01-01\n',
  })
  const { notes } = await ground.importNotes()
  const wanted = [project, profile, schema, 'zz_call'].flatMap(text =>
    [...text.matchAll(/zz_\w+/g)].map(match => match[0]),
  )
  const lost = wanted.filter(key => !notes.some(note => note.includes(`"${key}"`)))
  expect(lost).toEqual([])
  expect(wanted.length).toBeGreaterThan(35)
})

it('what is switched off, what has no file and what a file beside the settings says is told', async () => {
  ground.writeAll({
    'my-dbt/models/orders.sql': 'select 1 as id',
    'my-dbt/models/schema.yml': `models:
  - name: orders
    latest_version: 1
    data_tests: [unique: {column_name: id, config: {enabled: false}}, unique: {column_name: id, alias: other}]
unit_tests: [{name: off, model: orders, config: {enabled: false}, given: [], expect: {rows: []}}]
sources: [{name: web, config: {loaded_at_query: select 1, freshness: {warn_after: {count: 1, period: day}}}, tables: [{name: hits}]}]
exposures: [{name: page, type: dashboard, owner: {email: [a@b.c, d@e.f]}, depends_on: ["ref('orders')", "metric('sales')"]}]
`,
    'my-dbt/profiles.yml': `my_shop: {target: dev, outputs: {dev: {type: duckdb, path: shop.duckdb, attach: [{path: other.duckdb}]}}}`,
    'my-dbt/functions/area.sql': 'select 1',
    'my-dbt/selectors.yml': 'selectors: [{name: nightly, definition: "tag:nightly"}]',
    'my-dbt/dependencies.yml': 'projects: [{name: finance}]',
    'my-dbt/packages.yml': 'packages: [{package: fivetran/shopify, version: 1.0.0}]',
  })
  const { notes } = await ground.importNotes()
  expect(notes.map(note => note.replace(/ \| .*/, ''))).toEqual([
    'todo dependencies.yml:1:12 the project finance, whose models are not here',
    'todo functions/area.sql:1:1 a function of the warehouse',
    'left_out models/schema.yml:3:5 "latest_version" of models',
    'left_out models/schema.yml:4:18 a disabled test',
    'left_out models/schema.yml:4:97 "alias" of tests',
    'left_out models/schema.yml:5:14 a disabled unit test',
    'changed models/schema.yml:6:32 the freshness of web_hits counts from its last load',
    'left_out models/schema.yml:7:66 another address of an owner: d@e.f',
    `left_out models/schema.yml:7:105 the exposure page depends on metric('sales')`,
    'todo packages.yml:1:12 the package shopify is not installed, and nothing of it came over',
    'changed profiles.yml:1:73 "attach" of the profile',
    'left_out selectors.yml:1:1 selectors of dbt',
  ])
})

it('a test of the project in place of one of dbt is the one that runs', async () => {
  ground.writeAll({
    'my-dbt/models/orders.sql': 'select 1 as id',
    'my-dbt/models/schema.yml': 'models: [{name: orders, columns: [{name: id, data_tests: [not_null]}]}]',
    'my-dbt/tests/generic/own.sql':
      '{% test not_null(model, column_name) %}select * from {{ model }} where {{ column_name }} = 7{% endtest %}',
    'my-dbt/macros/ref.sql': "{% macro ref(name) %}{{ return(builtins.ref(name ~ 's')) }}{% endmacro %}",
    'my-dbt/models/more.sql': "select * from {{ ref('order') }}",
  })
  const { notes } = await ground.importNotes()
  expect(notes).toEqual([])
  expect(ground.read('new/models/orders.svc')).toContain('where id = 7')
  expect(ground.read('new/models/more.svc')).toContain("{{ ref('orders') }}")
})
