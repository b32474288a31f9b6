/** `svc import dbt`: sources, seeds, packages, settings, and SQL of other warehouses. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDbtGround, type DbtGround } from './dbt-ground.ts'

let ground: DbtGround
beforeEach(() => {
  ground = createDbtGround()
})
afterEach(() => ground.dispose())

describe('sources', () => {
  const sources = `sources:
  - name: raw
    schema: "{{ var('raw_schema', 'landing') }}"
    freshness: {warn_after: {count: 12, period: hour}, error_after: {count: 2, period: day}}
    loaded_at_field: loaded_at
    tables:
      - name: orders
        identifier: order_lines
`
  const profile = (output: string) => `my_shop: {target: prod, outputs: {prod: ${output}}}\n`

  it.each([
    [
      'of MySQL have the address without the password',
      '{type: mysql, server: db.example.com, port: 3307, username: reader, password: "hunter2", dbname: shop, schema: public}',
      `ingest:
  type: sql
  endpoint: mysql://reader@db.example.com:3307/shop
  resource: landing.order_lines
  credentials: env:MY_SHOP_PASSWORD
  naming: source
transform: SELECT * FROM {{ source }}
`,
    ],
    [
      'read the password from the variable of the profile',
      `{type: mysql, host: db.example.com, user: reader, password: "{{ env_var('SHOP_PASSWORD') }}", dbname: shop, schema: public}`,
      'credentials: env:SHOP_PASSWORD',
    ],
    [
      'of a DuckDB file are where it is',
      '{type: duckdb, path: lake/shop.duckdb}',
      'endpoint: duckdb:../my-dbt/lake/shop.duckdb',
    ],
  ])('%s', async (_, output, expected) => {
    ground.writeAll({ 'my-dbt/models/sources.yml': sources, 'my-dbt/profiles.yml': profile(output) })
    const { code, notes } = await ground.importNotes()
    expect(code).toBe(0)
    expect(notes.map(note => note.replace(/^.*yml\S+ /, ''))).toEqual(
      output.includes('hunter2')
        ? [
            'the password of the profile is in no file of the new project | Set MY_SHOP_PASSWORD before a run.',
          ]
        : [],
    )
    const text = ground.read('new/models/sources/raw/raw_orders.svc')
    expect(text).toContain(expected)
    expect(text).toContain('freshness: {warn_after: 12h, error_after: 2d, column: loaded_at}')
    for (const path of ground.allFiles('new')) expect(ground.read(`new/${path}`)).not.toContain('hunter2')
  })

  it.each([
    [
      'another warehouse',
      profile('{type: snowflake, account: x, password: hunter2, schema: A}'),
      'svc does not read snowflake',
    ],
    ['no profile', undefined, 'No profile was found'],
  ])('of %s are told as something to fill in, and validate', async (_, text, hint) => {
    ground.writeAll({
      'my-dbt/models/sources.yml': sources,
      ...(text !== undefined && { 'my-dbt/profiles.yml': text }),
    })
    const { code, notes } = await ground.importNotes()
    expect(code).toBe(1)
    expect(notes[0]).toContain('todo models/sources.yml:2:5 where the rows of the source raw come from')
    expect(notes[0]).toContain(hint)
    expect(ground.read('new/models/sources/raw/raw_orders.svc')).toContain('endpoint: env:RAW_DATABASE')
    expect((await ground.at('new')(['validate'])).code).toBe(0)
  })
})

describe('smaller things', () => {
  it('hooks, grants, Python models, metrics and settings without a counterpart are told', async () => {
    ground.writeAll({
      'my-dbt/dbt_project.yml': `name: my_shop
on-run-start: ["create schema x"]
models:
  my_shop:
    +post-hook: grant select on {{ this }} to reporting
    +grants: {select: [reporting]}
    +docs: {node_color: red}
    off: {+enabled: false}
`,
      'my-dbt/models/a.sql': 'select 1 as id',
      'my-dbt/models/off/b.sql': 'select 1 as id',
      'my-dbt/models/reads_c.sql': "select * from {{ ref('c') }}",
      'my-dbt/models/c.py': 'def model(dbt, session): return session.sql("select 1")',
      'my-dbt/models/m.yml': `metrics:
  - {name: revenue, label: Revenue, type: simple}
models:
  - {name: gone, description: There is no such file}
  - name: a
    columns: [{name: id, data_type: integer, quote: true, meta: {owner_team: x}}]
    deprecation_date: 2030-01-01
    data_tests:
      - nobody_knows: {arg: 1}
      - unique: {arguments: {}}
`,
    })
    const { notes } = await ground.importNotes()
    expect(notes).toMatchInlineSnapshot(`
      [
        "todo dbt_project.yml:2:1 what runs before all models | svc has no hooks: run it before "svc run".",
        "todo dbt_project.yml:5:5 a post-hook | Write its statements under deploy.after, with {{ this }} for the table.",
        "todo dbt_project.yml:6:5 grants | Where the warehouse has roles, write them under deploy.grants.",
        "left_out dbt_project.yml:7:5 the setting "docs"",
        "todo models/c.py:1:1 a model in Python | svc has no Python models yet: write it in SQL, or load its result as a file.",
        "left_out models/m.yml:2:5 a metric | Describe it under metrics of glossary.yaml, with its SQL.",
        "left_out models/m.yml:4:5 "gone" is described here, and there is no file of it",
        "left_out models/m.yml:6:26 "data_type" of columns",
        "left_out models/m.yml:6:46 "quote" of columns",
        "left_out models/m.yml:6:66 meta "owner_team" of the column id",
        "left_out models/m.yml:7:5 "deprecation_date" of models",
        "todo models/m.yml:9:9 a test of a: the test nobody_knows is not known here | Write it as a test of kind sql or expression: docs/tests.md.",
        "todo models/m.yml:10:9 a test of a: unique belongs to a column | Write it as a test of kind sql or expression: docs/tests.md.",
        "left_out models/off/b.sql:1:1 a disabled model",
        "todo models/reads_c.sql:1:18 the model reads_c did not come over: "c" is a model in Python, which does not come over | Write it in SQL, or load its result as a file, and import again.",
      ]
    `)
  })

  it('constraints of a whole model become tests, or are told', async () => {
    ground.writeAll({
      'my-dbt/models/m.sql': 'SELECT 1 AS id, 2 AS a, 3 AS b',
      'my-dbt/models/m.yml': `models:
  - name: m
    constraints:
      - {type: primary_key, columns: [id]}
      - {type: unique, columns: [a, b]}
      - {type: not_null, columns: [a]}
      - {type: check, expression: a < b}
      - {type: foreign_key, columns: [a], to: ref('n'), to_columns: [id]}
      - {type: check}
`,
    })
    const { code, notes } = await ground.importNotes()
    expect(code).toBe(1)
    expect(notes.map(note => note.split(' | ')[0])).toEqual([
      'todo models/m.yml:8:9 the constraint foreign_key of m',
      'todo models/m.yml:9:9 the constraint check of m',
    ])
    expect(ground.read('new/models/m.svc')).toContain(`tests:
  - unique: id
  - not_null: id
  - unique: [a, b]
  - not_null: a
  - expression: a < b
`)
  })

  it('what a schema file says of sources and is not read is told', async () => {
    ground.writeAll({
      'my-dbt/models/s.yml': `sources:
  - name: files
    loader: fivetran
    meta: {external_location: "data/{name}.csv", team: x}
    tables:
      - name: a
        description: Rows.
        columns: [{name: id, data_type: "number(10,2)", tags: [key]}]
`,
    })
    const { code, notes } = await ground.importNotes()
    expect(code).toBe(0)
    expect(notes).toEqual([
      'left_out models/s.yml:3:5 "loader" of sources',
      'left_out models/s.yml:4:50 meta "team"',
      'left_out models/s.yml:8:57 "tags" of columns',
    ])
    expect(ground.read('new/models/sources/files/files_a.svc')).toContain('columns: {id: "decimal(10,2)"}')
  })

  it('SQL of another warehouse is rewritten where only places and names change', async () => {
    ground.writeAll({
      'my-dbt/models/a.sql': `select dateadd(day, -7, current_date) as a, datediff('day', d, e) as b, nvl(d, iff(true, d, e)) as c,
  dateadd(quarter, n, dateadd(month, 1, d)) as f, x.nvl(1) as g, 'nvl(a, b)' as h -- nvl(a, b)
from t as x`,
    })
    await ground.importNotes()
    expect(ground.read('new/models/a.svc')).toMatchInlineSnapshot(`
      "name: a
      ingest: none

      transform: |
        select (current_date - interval 7 day) as a, datediff('day', d, e) as b, coalesce(d, if(true, d, e)) as c,
          ((d + interval 1 month) + (n) * 3 * interval 1 month) as f, x.nvl(1) as g, 'nvl(a, b)' as h -- nvl(a, b)
        from t as x

      deploy: {materialize: view}
      "
    `)
  })

  it('macros of installed packages and dispatch are unrolled', async () => {
    ground.writeAll({
      'my-dbt/dbt_packages/tools/dbt_project.yml': 'name: tools\n',
      'my-dbt/dbt_packages/tools/macros/m.sql': `{% macro quoted(x) %}{{ return(adapter.dispatch('quoted', 'tools')(x)) }}{% endmacro %}
{% macro default__quoted(x) %}'{{ x }}'{% endmacro %}
{% macro duckdb__quoted(x) %}{{ inner() }}{{ x }}"{% endmacro %}
{% macro inner() %}"{% endmacro %}`,
      'my-dbt/dbt_packages/tools/models/shared.sql': 'select 1 as id',
      'my-dbt/macros/mine.sql': "{% macro duckdb__quoted(x) %}'mine {{ x }}'{% endmacro %}",
      'my-dbt/models/a.sql':
        "select {{ tools.quoted('x') }} as a, (select id from {{ ref('tools', 'shared') }}) as b",
    })
    const { notes } = await ground.importNotes()
    expect(notes).toEqual([])
    expect(ground.read('new/models/a.svc')).toContain(
      "transform: select 'mine x' as a, (select id from {{ ref('shared') }}) as b",
    )
    expect(ground.allFiles('new')).toContain('models/tools/shared.svc')
  })

  it('seeds have the types that dbt finds, and names as they are', async () => {
    ground.writeAll({
      'my-dbt/seeds/s.csv':
        'orderID,big,price,day,at,ok,code,nothing\n1,3000000000,1.5,2024-01-01,2024-01-01 10:00:00,true,"a ""b"", c",\n2,1,2,2024-01-02,2024-01-02T10:00:00,FALSE,,\n',
    })
    expect((await ground.importNotes()).code).toBe(0)
    expect(ground.read('new/models/seeds/s.svc')).toMatchInlineSnapshot(`
      "name: s

      ingest: {type: file, endpoint: ./seeds, resource: s.csv, naming: source}

      contract:
        columns:
          orderID: integer
          big: bigint
          price: double
          day: date
          at: varchar
          ok: boolean
          code: varchar
          nothing: integer
      transform: SELECT * FROM {{ source }}
      "
    `)
    const run = await ground.at('new')(['run', '--env', 'prod'])
    expect(run.code, run.stdout + run.stderr).toBe(0)
    expect(await ground.rowsOf('new/warehouse.duckdb', 's')).toMatchInlineSnapshot(`
      [
        {
          "at": "2024-01-01 10:00:00",
          "big": "3000000000",
          "code": "a "b", c",
          "day": "2024-01-01",
          "nothing": null,
          "ok": true,
          "orderID": 1,
          "price": 1.5,
        },
        {
          "at": "2024-01-02T10:00:00",
          "big": "1",
          "code": null,
          "day": "2024-01-02",
          "nothing": null,
          "ok": false,
          "orderID": 2,
          "price": 2,
        },
      ]
    `)
  })
})
