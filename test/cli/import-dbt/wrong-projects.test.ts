/** `svc import dbt`: what is wrong is told by place, leaves nothing behind, and runs nothing. */
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDbtGround, type DbtGround } from './dbt-ground.ts'

let ground: DbtGround
beforeEach(() => {
  ground = createDbtGround()
})
afterEach(() => ground.dispose())

type WrongProject = [
  what: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  message: string,
  code: number,
  isEmpty?: boolean,
  words?: readonly string[],
]

describe('what is wrong is told, and nothing is written', () => {
  it.each<WrongProject>([
    ['no dbt project', {}, 'no dbt project here', 2, true],
    ['broken YAML', { 'my-dbt/models/schema.yml': 'models:\n  - name: [a\n' }, 'models/schema.yml:', 1],
    ['broken settings', { 'my-dbt/dbt_project.yml': 'name: "a\n' }, 'dbt_project.yml is no YAML', 1],
    [
      'settings without a name',
      { 'my-dbt/dbt_project.yml': 'version: 1\n' },
      'dbt_project.yml has no name',
      1,
    ],
    ['not UTF-8', { 'my-dbt/models/a.sql': Buffer.from([0x73, 0xff, 0xfe]) }, 'models/a.sql is not UTF-8', 3],
    [
      'two files of one name',
      { 'my-dbt/models/x/a.sql': 'select 1 as id', 'my-dbt/models/y/a.sql': 'select 2 as id' },
      'two files are called "a": models/x/a.sql and models/y/a.sql',
      1,
    ],
    [
      'a model and a seed of one name',
      { 'my-dbt/models/a.sql': 'select 1 as id', 'my-dbt/seeds/a.csv': 'id\n1\n' },
      'two files are called "a"',
      1,
    ],
    [
      'an unknown target',
      { 'my-dbt/models/a.sql': 'select 1 as id' },
      'the profile has no target "x"',
      2,
      false,
      ['--target', 'x'],
    ],
    [
      'a folder without a profile',
      {},
      'there is no profiles.yml in',
      2,
      false,
      ['--profiles-dir', 'nowhere'],
    ],
  ])('%s', async (...[, files, message, code, isEmpty, words = []]: WrongProject) => {
    if (isEmpty !== true) ground.writeAll(files)
    else mkdirSync(join(ground.root, 'my-dbt'))
    const said = await ground.line(['import', 'dbt', 'my-dbt', '-o', 'new', ...words])
    expect(said.stderr.replace(/\s+/g, ' ')).toContain(message)
    expect(said.code).toBe(code)
    expect(existsSync(join(ground.root, 'new'))).toBe(false)
  })

  it('a file in the way, of which nothing is lost', async () => {
    ground.writeAll({ 'my-dbt/models/a.sql': 'select 1 as id', 'new/models/a.svc': 'mine' })
    const said = await ground.line(['import', 'dbt', 'my-dbt', '-o', 'new'])
    expect(said.code).toBe(1)
    expect(said.stderr).toContain('the file models/a.svc exists already')
    expect(ground.allFiles('new')).toEqual(['models/a.svc'])
    expect(ground.read('new/models/a.svc')).toBe('mine')
  })

  it('a project that is there already', async () => {
    ground.writeAll({ 'my-dbt/models/a.sql': 'select 1 as id', 'new/svc.yaml': 'name: other\n' })
    const said = await ground.line(['import', 'dbt', 'my-dbt', '-o', 'new'])
    expect(said.stderr.replace(/\s+/g, ' ')).toContain('there is a project in')
    expect(ground.allFiles('new')).toEqual(['svc.yaml'])
  })

  it('but the same import again is none', async () => {
    ground.writeAll({ 'my-dbt/models/a.sql': 'select 1 as id' })
    for (const _ of [1, 2]) {
      expect((await ground.line(['import', 'dbt', 'my-dbt', '-o', 'new'])).code).toBe(0)
    }
  })
})

describe('names that svc cannot use', () => {
  it('make way for others, and that is told', async () => {
    ground.writeAll({
      'my-dbt/models/new orders.sql': 'select 1 as id',
      'my-dbt/models/svc_costs.sql': "select * from {{ ref('new orders') }}",
      'my-dbt/models/placed.sql': "{{ config(schema='../x') }} select 1 as id",
      'my-dbt/models/sources.yml': 'sources: [{name: shop, tables: [{name: ""}]}]\n',
    })
    const { code, notes } = await ground.importNotes()
    expect(code).toBe(1)
    expect(notes.map(note => note.split(' | ')[0])).toEqual([
      'changed models/new orders.sql:1:1 what dbt calls "new orders" is the asset "new_orders" here',
      'todo models/placed.sql:1:1 the schema "analytics_../x" of placed, which svc or the warehouse cannot use',
      'todo models/sources.yml:1:33 a table of the source "shop" has no name',
      'changed models/svc_costs.sql:1:1 what dbt calls "svc_costs" is the asset "own_svc_costs" here',
    ])
    expect(ground.read('new/models/own_svc_costs.svc')).toContain("{{ ref('new_orders') }}")
    const said = await ground.at('new')(['validate'])
    expect(said.code).toBe(0)
  })
})

describe('a model that cannot be unrolled', () => {
  it.each([
    [
      'a missing ref',
      "select * from {{ ref('ordrs') }}",
      'models/a.sql:1:18 the model a did not come over: no model or seed is called "ordrs" | Did you mean "orders"?',
    ],
    [
      'a missing source',
      "\n\nselect * from {{ source('x', 'y') }}",
      'models/a.sql:3:18 the model a did not come over: no source is called x.y',
    ],
    [
      'macros in a circle',
      'select {{ one() }} as id',
      'the model a did not come over: the macros call one another without end',
    ],
    [
      'a question to the warehouse',
      "{% set r = run_query('select 1') %}\nselect 1 as id",
      'models/a.sql:1:12 the model a did not come over: run_query',
    ],
    [
      'an unknown macro',
      'select\n  {{ nobody(1) }} as id',
      'models/a.sql:2:6 the model a did not come over: "nobody" is no function or macro that is known here',
    ],
    [
      'a package that is not installed',
      'select {{ codegen.x() }} as id',
      'todo packages.yml:2:5 1 model did not come over: the package codegen is not installed | Run "dbt deps"',
    ],
    [
      'a macro that asks',
      "select {{ dbt_utils.get_column_values(ref('orders'), 'id') }} as id",
      'dbt_utils.get_column_values asks the warehouse',
    ],
    ['the environment', "select '{{ env_var('SECRET') }}' as id", 'env_var("SECRET") has no default'],
    ['a snapshot', "select * from {{ ref('history') }}", '"history" is a snapshot'],
    [
      'a broken tag',
      'select {% if x %} 1 as id',
      'models/a.sql:1:8 the model a did not come over: the block is not closed with {% endif %}',
    ],
    [
      'a refusal of the project',
      "{{ exceptions.raise_compiler_error('not here') }}",
      'the project says: not here',
    ],
    ['nothing', '-- {{ config(tags=["x"]) }}', undefined],
  ] as const)('%s is told by place', async (_, sql, message) => {
    ground.writeAll({
      'my-dbt/models/a.sql': sql,
      'my-dbt/models/orders.sql': 'select 1 as id',
      'my-dbt/models/reader.sql': "select * from {{ ref('a') }}",
      'my-dbt/macros/circle.sql':
        '{% macro one() %}{{ two() }}{% endmacro %}{% macro two() %}{{ one() }}{% endmacro %}',
      'my-dbt/packages.yml': 'packages:\n  - package: dbt-labs/codegen\n    version: 0.12.0\n',
      'my-dbt/snapshots/history.sql':
        "{% snapshot history %}select * from {{ ref('orders') }}{% endsnapshot %}",
    })
    const { code, notes } = await ground.importNotes()
    expect(code).toBe(1)
    const told = notes.filter(note => !note.includes('snapshots/'))
    if (message === undefined) return
    expect(told.join('\n')).toContain(message)
    expect(told.join('\n')).toContain(
      'todo models/reader.sql:1:1 reader reads what did not come over | Bring models/a.sql first.',
    )
    expect(ground.allFiles('new')).toEqual(['models/orders.svc', 'models/reader.svc', 'svc.yaml'])
  })
})

describe('a hostile project', () => {
  it('runs nothing, reads nothing outside its folder, and is stopped when it never ends', async () => {
    ground.write('secret/x.sql', 'select 1 as stolen')
    ground.write('secret/rows.csv', 'password\nhunter2\n')
    const reach = [
      "{{ ''.constructor.constructor('return process')().exit(7) }}",
      '{{ [].constructor }}',
      "{{ config.constructor('x') }}",
      '{{ ref.parts.call }}',
      '{{ (1).__class__.__mro__ }}',
      '{{ target.__proto__ }}',
      "{{ cycler.__init__.__globals__.os.popen('id').read() }}",
      "{{ modules.os.system('id') }}",
      "{% import 'os' as os %}",
      '{% for a in range(100000) %}{% for b in range(100000) %}x{% endfor %}{% endfor %}',
      "{{ 'x' * 1000000000 }}",
    ]
    ground.writeAll({
      'my-dbt/dbt_project.yml':
        'name: my_shop\nmodel-paths: [models, ../secret]\nseed-paths: [seeds, ../secret, /etc]\n',
      ...Object.fromEntries(
        reach.map((sql, index) => [`my-dbt/models/m${index}.sql`, `select ${sql} as id`]),
      ),
      'my-dbt/models/good.sql': 'select 1 as id',
    })
    symlinkSync(join(ground.root, 'secret', 'x.sql'), join(ground.root, 'my-dbt/models/linked.sql'))
    symlinkSync(join(ground.root, 'secret'), join(ground.root, 'my-dbt/models/folder'))
    const { code, notes } = await ground.importNotes()
    expect(code).toBe(1)
    const lost = notes
      .filter(note => note.includes('did not come over'))
      .map(note => /models\/(\w+)/.exec(note)?.[1])
    const written = ground.allFiles('new')
    expect(written.join()).not.toMatch(/stolen|linked|rows|folder/)
    for (const [index] of reach.entries()) {
      const path = `models/m${index}.svc`
      if (lost.includes(`m${index}`)) expect(written).not.toContain(path)
      else expect(ground.read(`new/${path}`), reach[index]).not.toMatch(/function|native code|\[object/)
    }
    expect(lost).toHaveLength(reach.length - 1)
    for (const path of ['../secret', '/etc', 'models/linked.sql', 'models/folder']) {
      const hint = 'Copy what it holds into the dbt project, or make a package of it, and import again.'
      const told = `todo ${path}:1:1 ${path} leads outside the dbt project, and nothing of it came over | ${hint}`
      expect(notes).toContain(told)
    }
    expect(written).toContain('models/good.svc')
  })
})
