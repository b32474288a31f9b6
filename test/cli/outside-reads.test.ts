/** Every door by which SQL of a project runs gives the one answer about what a function may read. */
import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildCommand, svcLauncher } from '../support/cli.ts'
import { createGround, type Ground } from './bad-input/command-line.ts'

/** What the embedded catalogue works out is not what the warehouse does: its database has another name. */
const stolen = `SELECT * FROM query(CASE WHEN current_database() = 'memory' THEN 'select 1 as email' ELSE 'select email from analytics_dev.customers' END)`

const model = (sql: string, rest = '') => `name: thief\ningest: none\ntransform: |\n  ${sql}\n${rest}`
const tested = (test: string) => model("SELECT id FROM {{ ref('customers') }}", `tests:\n  - ${test}\n`)

const files = {
  'svc.yaml': 'name: shop\n',
  'models/customers.svc': `name: customers
ingest: {type: rows, rows: [{id: 7, email: ada@example.com}]}
contract: {columns: {email: {type: varchar, pii: true}}}
transform: "SELECT id, email FROM {{ source }}"
`,
}

let ground: Ground
beforeAll(async () => {
  ground = createGround(files)
  expect((await ground.line(['run'])).code).toBe(0)
})
afterAll(() => ground.dispose())

const doors: readonly (readonly [door: string, file: string, text: string])[] = [
  ['a model', 'models/thief.svc', model(stolen)],
  ['a test', 'models/thief.svc', tested(`sql: "${stolen}"`)],
  [
    'a condition',
    'models/thief.svc',
    tested('{unique: id, where: "id IN (SELECT 1 FROM sniff_csv(\'/etc/passwd\'))"}'),
  ],
  ['an expression', 'models/thief.svc', tested('expression: "getvariable(\'x\') IS NULL"')],
  ['a unit test', 'models/thief.svc', model(stolen, 'tests:\n  - {unit: {expect: [{email: a}]}}\n')],
  ['a setting', 'models/thief.svc', model("SELECT current_setting('home_directory') AS a")],
]

describe('is refused', () => {
  it.each(doors)('in %s', async (_, file, text) => {
    ground.write(file, text)
    for (const words of [['validate'], ['test', 'thief'], ['run', 'thief'], ['sample', 'thief', '--query']]) {
      const { code, stdout, stderr } = await ground.line(words)
      const said = stdout + stderr
      // A sample shows rows of the query and runs no tests.
      if (words[0] === 'sample' && text.includes("ref('customers')")) continue
      expect(code, `${words.join(' ')}: ${said}`).toBe(1)
      expect(said.replace(/\s+/g, ' ')).toMatch(/the SQL calls \w+\(\), which/)
      expect(said).not.toContain('ada@')
    }
    ground.write(file, model("SELECT id FROM {{ ref('customers') }}"))
  })

  it('in a metric', async () => {
    ground.write(
      'glossary.yaml',
      `metrics:\n  - {name: stolen, asset: customers, sql_definition: "(SELECT max(content) FROM read_text('/etc/passwd'))"}\n`,
    )
    const { stdout, stderr } = await ground.line(['validate'])
    expect((stdout + stderr).replace(/\s+/g, ' ')).toContain(
      'the SQL calls read_text(), which reads or writes files',
    )
    ground.write('glossary.yaml', 'metrics: []\n')
  })

  it('in a macro', async () => {
    ground.write('macros/home.sql', 'CREATE MACRO home(a) AS getvariable(a);\n')
    ground.write('models/thief.svc', model("SELECT {{ home('x') }} AS a"))
    const { stdout, stderr } = await ground.line(['validate'])
    expect((stdout + stderr).replace(/\s+/g, ' ')).toContain(
      'the SQL calls getvariable(), which reads settings',
    )
    ground.write('models/thief.svc', model("SELECT id FROM {{ ref('customers') }}"))
  })

  it('in the condition of a publish, and of the rows that requests are made for', async () => {
    const where = `id IN (SELECT 7 FROM read_text('/etc/passwd'))`
    const target = (text: string) =>
      `publish: {out: {type: file, endpoint: ./out, resource: rows.csv, environments: [dev], where: "${text}"}}\n`
    ground.write('models/thief.svc', model("SELECT id FROM {{ ref('customers') }}", target('id > 0')))
    expect((await ground.line(['run', 'thief'])).code).toBe(0)
    ground.write('models/thief.svc', model("SELECT id FROM {{ ref('customers') }}", target(where)))
    ground.write(
      'models/asks.svc',
      `name: asks\ningest:\n  type: rest_api\n  endpoint: http://127.0.0.1:9\n  resource: lines/{customers.id}\n  for_each: {asset: customers, where: "id = nextval('x')"}\n`,
    )
    const validated = await ground.line(['validate'])
    const told = (validated.stdout + validated.stderr).replace(/\s+/g, ' ')
    expect(told).toContain('the SQL calls read_text(), which reads or writes files where-reaches-out')
    expect(told).toContain('the SQL calls nextval(), which changes something')
    const published = await ground.line(['publish', 'thief', '--to', 'out', '--dry-run'])
    expect(published.code).not.toBe(0)
    expect((published.stdout + published.stderr).replace(/\s+/g, ' ')).toContain(
      'the SQL calls read_text(), which',
    )
    const ofOthers = "id IN (SELECT id FROM analytics_dev.customers WHERE email LIKE 'ada%')"
    ground.write('models/thief.svc', model("SELECT id FROM {{ ref('customers') }}", target(ofOthers)))
    for (const words of [['validate'], ['publish', 'thief', '--to', 'out', '--dry-run']]) {
      const { code, stdout, stderr } = await ground.line(words)
      expect([words[0], code]).toEqual([words[0], 1])
      expect((stdout + stderr).replace(/\s+/g, ' ')).toContain(
        'the SQL reads analytics_dev.customers, which no ref() names',
      )
    }
    ground.write('models/asks.svc', 'name: asks\ningest: none\ntransform: SELECT 1 AS id\n')
    ground.write('models/thief.svc', model("SELECT id FROM {{ ref('customers') }}"))
  })

  it('in a text on stdin, as an editor and an agent send it', () => {
    buildCommand()
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [svcLauncher, 'sample', 'thief', '--query', '--stdin', '--json'],
      { cwd: ground.root, input: model(stolen), encoding: 'utf8' },
    )
    expect(status, stderr).toBe(1)
    expect(stdout + stderr).toContain('the SQL calls query(), which runs a text as SQL')
  })
})
