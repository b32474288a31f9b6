/** Own tests, macros and unit tests of a project on a PostgreSQL server, as a user of the command line meets them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProjectHere, type ProjectHere } from '../support/cli-here.ts'
import { canStartPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'

const macros = `CREATE MACRO euros(amount, digits := 2) AS round(amount / 100.0, digits);
CREATE MACRO paid(rows_of) AS TABLE SELECT DISTINCT ON (o.id) o.* FROM rows_of AS o WHERE o.status = 'paid' ORDER BY o.id, o.at DESC;
`

const within = `-- Amounts outside of their bounds, in euros.
-- param column: column
-- param max: number = 100
-- param among: list = [paid, open]
SELECT id, {{ column }}, {{ euros({{ column }}) }} AS euros FROM {{ this }}
WHERE {{ euros({{ column }}) }} > {{ max }} OR status <> ALL (ARRAY[{{ among }}])
`

const orders = (tests: string) => `name: orders
ingest:
  type: rows
  rows:
    - {id: 1, amount: 199, status: paid, at: 2024-01-01 10:00:00, email: a@x.org}
    - {id: 1, amount: 250, status: paid, at: 2024-01-02 10:00:00, email: a@x.org}
    - {id: 2, amount: 1000, status: open, at: 2024-01-03 10:00:00, email: b@x.org}
contract: {columns: {email: {pii: true}, amount: integer}}
transform: SELECT id, amount, status, at::timestamp AS at, email FROM {{ source }}
tests:
${tests}`

const latest = (total: string) => `name: latest
ingest: none
transform: SELECT id, {{ euros(amount) }} AS euros, at::date AS day FROM {{ paid({{ ref('orders') }}) }}
tests:
  - name: takes_the_last_one
    unit:
      given:
        orders:
          - {id: 7, amount: 150, status: paid, at: 2024-02-01 00:00:00}
          - {id: 7, amount: 1250, status: paid, at: 2024-02-02 00:00:00}
          - {id: 8, amount: 1, status: open, at: 2024-02-02 00:00:00}
      expect:
        - {id: 7, euros: ${total}, day: 2024-02-02}
`

describe.runIf(canStartPostgres())('tests of a project on a PostgreSQL server', () => {
  let server: PostgresServer
  let project: ProjectHere
  let client: pg.Client

  beforeAll(async () => {
    server = await startPostgres()
    const url = await server.createDatabase()
    client = new pg.Client(url)
    await client.connect()
    project = createProjectHere({
      'svc.yaml': `name: shop\nwarehouse: ${url}\n`,
      'macros/money.sql': macros,
      'tests/within.sql': within,
      'models/orders.svc': orders('  - within: amount\n'),
      'models/latest.svc': latest('12.50'),
    })
  })

  afterAll(async () => {
    project.dispose()
    await client.end()
    await server.stop()
  })

  async function told(code: number, ...words: string[]): Promise<string> {
    const said = await project.svc(words)
    const text = said.stdout + said.stderr
    expect({ code: said.code, text }).toEqual({ code, text })
    return text.replace(/\s+/g, ' ')
  }

  it('pass there, with their macros and parameters', async () => {
    await told(0, 'validate')
    await told(0, 'run')
    const { rows } = await client.query('SELECT id, euros::text, day::text FROM analytics_dev.latest')
    expect(rows).toEqual([{ id: '1', euros: '2.50', day: '2024-01-02' }])
    expect(await told(0, 'test')).toMatch(/2 tests passed|2 passed/)
  })

  it('fail with the rows that their query returns, and no personal value, and promote nothing', async () => {
    project.write('models/orders.svc', orders('  - within: {column: amount, max: 9.5}\n'))
    const failed = await told(1, 'run')
    expect(failed).toContain('1 row returned by within')
    expect(failed).toContain('10.00')
    expect(failed).not.toContain('b@x.org')
    project.write(
      'models/orders.svc',
      orders('  - within: {column: amount, among: [paid]}\n    severity: warn\n'),
    )
    expect(await told(0, 'run')).toContain('within')
    project.write('models/latest.svc', latest('1.50'))
    const unit = await told(1, 'test', '--unit')
    expect(unit).toContain('takes_the_last_one')
    expect(unit).toMatch(/12\.50?/)
    project.write('models/latest.svc', latest('12.50'))
  })

  it.each([
    [
      'tests/within.sql',
      within.replace('status <>', 'statsu <>'),
      /unknown column "statsu".* did you mean "status"/,
    ],
    ['tests/within.sql', within.replace('FROM {{ this }}', 'FRM {{ this }}'), /tests\/within.sql:5:/],
    ['macros/money.sql', macros.replace('round(', 'rond('), /rond/],
    ['models/latest.svc', latest('12.50').replace('euros: 12.50', 'euros: twelve'), /twelve/],
    ['models/orders.svc', orders('  - within: {column: amount, max: high}\n'), /must be a number/],
  ])('say by %s what is wrong there (%#)', async (path, text, expected) => {
    const kept = readFileSync(join(project.root, path), 'utf8')
    try {
      project.write(path, text)
      expect(await told(1, 'validate')).toMatch(expected)
    } finally {
      project.write(path, kept)
    }
  })

  it('tell an error that only the rows make, with the test that meets it', async () => {
    project.write('models/orders.svc', orders('  - within: amount\n'))
    await told(0, 'run')
    project.write('tests/within.sql', within.replace('> {{ max }}', '> {{ max }} / (id - 1)'))
    const failed = await told(1, 'run')
    expect(failed).toContain('division by zero')
    expect(failed).toContain('models/orders.svc:11:5')
  })
})
