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
models: {my_shop: {+${unknown('folder')}}}
data_tests: {+${unknown('all_tests')}}
`

const schema = `version: 2
${unknown('file')}
models:
  - name: orders
    ${unknown('model')}
    config: {${unknown('config')}, meta: {${unknown('meta')}}}
    constraints: [{type: check, expression: "id > 0", ${unknown('constraint')}}]
    data_tests:
      - unique: {column_name: id, ${unknown('argument')}}
      - dbt_utils.accepted_range: {column_name: id, arguments: {min_value: 0, ${unknown('inner')}}}
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
  - {name: raw, ${unknown('seed')}, config: {${unknown('seed_config')}}, columns: [{name: id, ${unknown('seed_column')}}]}
sources:
  - name: web
    ${unknown('source')}
    config: {${unknown('source_config')}}
    freshness: {warn_after: {count: 1, period: day, ${unknown('after')}}, ${unknown('freshness')}}
    tables: [{name: hits, ${unknown('table')}, columns: [{name: id, ${unknown('source_column')}}]}]
exposures:
  - {name: page, type: dashboard, ${unknown('exposure')}, owner: {name: Ada}, depends_on: [ref('orders')], config: {${unknown('exposure_config')}}}
unit_tests:
  - name: one
    ${unknown('unit')}
    model: orders
    config: {${unknown('unit_config')}}
    overrides: {vars: {}, ${unknown('override')}}
    given: [{input: ref('raw'), ${unknown('given')}, rows: [{id: 1}]}]
    expect: {rows: [{id: 1}], ${unknown('expect')}}
data_tests:
  - {name: lonely, ${unknown('singular')}, config: {${unknown('singular_config')}}}
groups: [{name: team, owner: {name: Ada}, ${unknown('group')}}]
`

it('a key that nothing here knows is told at its place, wherever it stands', async () => {
  ground.writeAll({
    'my-dbt/dbt_project.yml': project,
    'my-dbt/models/schema.yml': schema,
    'my-dbt/models/orders.sql': `{{ config(${unknown('call').replace(':', '=')}, group='team') }}\nselect * from {{ ref('raw') }}\n`,
    'my-dbt/models/parts_v1.sql': 'select 1 as a',
    'my-dbt/models/parts.sql': 'select 2 as a',
    'my-dbt/tests/lonely.sql': "select * from {{ ref('orders') }} where id < 0",
    'my-dbt/seeds/raw.csv': 'id,day\n1,2024-01-01\n',
  })
  const { notes } = await ground.importNotes()
  const wanted = [project, schema, 'zz_call'].flatMap(text =>
    [...text.matchAll(/zz_\w+/g)].map(match => match[0]),
  )
  const lost = wanted.filter(key => !notes.some(note => note.includes(`"${key}"`)))
  expect(lost).toEqual([])
  expect(wanted.length).toBeGreaterThan(35)
})
