/** `svc import dbt`: variables of the environment, templates in names and in unit tests, and contracts of models. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createDbtGround, type DbtGround } from './dbt-ground.ts'

let ground: DbtGround
beforeEach(() => {
  ground = createDbtGround()
})
afterEach(() => ground.dispose())

async function imported(env: Readonly<Record<string, string>> = {}) {
  const { code, stdout } = await ground.line(['import', 'dbt', 'my-dbt', '-o', 'new', '--json'], { env })
  const { notes } = JSON.parse(stdout) as { notes: readonly Record<string, string>[] }
  return {
    code,
    notes: notes.map(({ level, path, message, hint }) => `${level} ${path} ${message} | ${hint}`),
  }
}

it('a variable of the environment has the value that it has where the import runs, and a secret goes into no file', async () => {
  ground.writeAll({
    'my-dbt/models/sources.yml': `sources:
  - name: raw
    schema: "{{ env_var('RAW_SCHEMA') }}"
    tables:
      - name: "{{ env_var('TABLE_PREFIX', 'app_') }}orders"
`,
    'my-dbt/models/a.sql':
      "select id from {{ source('raw', 'app_orders') }} where country = '{{ env_var('COUNTRY') }}'",
    'my-dbt/models/b.sql': "select '{{ env_var('API_TOKEN') }}' as id",
    'my-dbt/models/c.sql': "select '{{ env_var('UNSET') }}' as id",
  })
  const { code, notes } = await imported({ RAW_SCHEMA: 'landing', COUNTRY: 'DE', API_TOKEN: 'hunter2' })
  expect(code).toBe(1)
  expect(ground.read('new/models/a.svc')).toContain(
    "select id from {{ ref('raw_app_orders') }} where country = 'DE'",
  )
  expect(ground.read('new/models/sources/raw/raw_app_orders.svc')).toContain('resource: landing.app_orders')
  for (const path of ground.allFiles('new')) expect(ground.read(`new/${path}`)).not.toContain('hunter2')
  const told = notes.join('\n')
  expect(told).toContain('changed models/a.sql the value that the variable COUNTRY has here is written')
  expect(told).toContain(
    'todo models/b.sql the model b did not come over: env_var("API_TOKEN") has no default, and a secret',
  )
  expect(told).toContain(
    'the variable is not set here | Set UNSET for the import, as for dbt, or give it a default',
  )
})

it('a source whose name nobody can tell is left out and told, and one whose schema nobody can tell has its own name', async () => {
  ground.writeAll({
    'my-dbt/models/sources.yml': `sources:
  - name: raw
    schema: "{{ env_var('RAW_SCHEMA') }}"
    tables: [{name: orders}, {name: "{{ env_var('OTHER') }}"}]
`,
  })
  const { code, notes } = await imported()
  expect(code).toBe(1)
  expect(ground.allFiles('new').filter(path => path.includes('sources'))).toEqual([
    'models/sources/raw/raw_orders.svc',
  ])
  expect(ground.read('new/models/sources/raw/raw_orders.svc')).toContain('resource: raw.orders')
  const told = notes.join('\n')
  expect(told).toContain('where the rows of raw_orders are: env_var("RAW_SCHEMA")')
  expect(told).toMatch(/the source raw\..* did not come over: env_var\("OTHER"\)/)
})

it('templates in the inputs and rows of a unit test are rendered', async () => {
  ground.writeAll({
    'my-dbt/dbt_project.yml': 'name: my_shop\nprofile: my_shop\nvars: {stage: stg, vat: 19}\n',
    'my-dbt/models/stg_orders.sql': 'select 1 as id, 19 as vat',
    'my-dbt/models/orders.sql': "select id, vat from {{ ref('stg_orders') }}",
    'my-dbt/models/unit.yml': `unit_tests:
  - name: keeps_vat
    model: orders
    given:
      - input: ref('{{ var("stage") }}_orders')
        rows: [{id: 1, vat: "{{ var('vat') }}"}]
    expect:
      format: csv
      rows: |
        id,vat
        1,{{ var('vat') }}
`,
  })
  const { code, notes } = await imported()
  expect(code, notes.join('\n')).toBe(0)
  expect(ground.read('new/models/orders.svc')).toContain(`unit:
      given:
        stg_orders:
          - {id: 1, vat: 19}
      expect:
        - {id: 1, vat: 19}
`)
  expect((await ground.at('new')(['run'])).code).toBe(0)
})

it('the contract of a model keeps its types and the order of its columns', async () => {
  ground.writeAll({
    'my-dbt/models/orders.sql':
      "-- as delivered\nwith a as (select 2 as amount, 'x' as note, 1 as id) select * from a",
    'my-dbt/models/open.sql': 'select 1 as id',
    'my-dbt/models/models.yml': `models:
  - name: orders
    config: {contract: {enforced: true}}
    columns:
      - {name: id, data_type: bigint}
      - {name: amount, data_type: "numeric(10, 2)"}
      - {name: note, data_type: text}
  - name: open
    config: {contract: {enforced: true}}
    columns: [{name: id}]
`,
  })
  const { code, notes } = await imported()
  expect(code, notes.join('\n')).toBe(0)
  const told = notes.join('\n')
  expect(told).toContain('changed models/models.yml the SQL of orders gives the columns of its contract')
  expect(told).toContain('left_out models/models.yml the contract of open, which has a column without a type')
  const at = ground.at('new')
  expect((await at(['run', '--env', 'prod'])).code).toBe(0)
  const sample = await at(['sample', 'orders', '--env', 'prod', '--json'])
  expect((JSON.parse(sample.stdout) as { columns: unknown }).columns).toEqual([
    { name: 'id', type: 'BIGINT' },
    { name: 'amount', type: 'DECIMAL(10,2)' },
    { name: 'note', type: 'VARCHAR' },
  ])
})
