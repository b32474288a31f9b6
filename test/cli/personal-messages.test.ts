/** No message about personal columns keeps a value of them: in the terminal, events, logs, state, files, the site. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { openWarehouse } from '../../cli/engine/warehouse/open.ts'
import { createGround, type Ground } from './bad-input/command-line.ts'

const secret = "anna.o'neil@example.com"
const born = '20011332'
const shown = /o'+neil|20011332|4294967299/gi

const customers = `name: customers
ingest: {type: file, endpoint: data, resource: customers.ndjson}
contract: {columns: {email: {pii: true}, born: {pii: true}, big: {pii: true}}}
transform: SELECT id, email, born, big, name FROM {{ source }}
`
const records = `${JSON.stringify({ id: 1, email: secret, born, big: 4294967299, name: 'Ada' })}\n`
const people = (sql: string, rest = '') => `name: people
ingest: none
transform: |
  ${sql}
${rest}`

let ground: Ground
afterEach(() => ground.dispose())

function start(files: Readonly<Record<string, string>>) {
  ground = createGround({
    'svc.yaml': 'name: shop\n',
    'models/customers.svc': customers,
    'data/customers.ndjson': records,
    ...files,
  })
}

/** Everything that was said and written. */
async function everything(...lines: readonly (readonly string[])[]): Promise<string> {
  const texts: string[] = []
  for (const words of lines) {
    const { stdout, stderr } = await ground.line(words)
    texts.push(stdout, stderr)
  }
  const folder = join(ground.root, '.svc')
  // The records of a failed run are kept for its retry, where nobody but their owner reads them.
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (/\.(json|log|ndjson|jsonl|txt)$/.test(path) && !path.includes('spool'))
      texts.push(readFileSync(join(folder, path), 'utf8'))
  const warehouse = await openWarehouse('duckdb:./warehouse.duckdb', { root: ground.root, project: 'shop' })
  const session = await warehouse.open('read')
  if (session !== undefined) {
    for (const table of ['svc_state_history', 'svc_test_results'])
      texts.push(JSON.stringify(await session.query(`SELECT to_json(t) AS r FROM svc.${table} AS t`)))
    await session.close()
  }
  return texts.join('\n')
}

/** The values that a text shows, with what is around them. */
function shownIn(text: string): readonly string[] {
  return [...text.matchAll(shown)].map(({ index }) => text.slice(Math.max(0, index - 80), index + 30))
}

describe('a build that fails', () => {
  it.each([
    [
      'a cast',
      "SELECT CAST(email AS INTEGER) AS n FROM {{ ref('customers') }}",
      'a value cannot become INT32',
    ],
    [
      'an error of the SQL',
      "SELECT error('bad ' || email) AS n FROM {{ ref('customers') }}",
      'a value does not fit',
    ],
    ['a date', "SELECT strptime(born, '%Y%m%d') AS n FROM {{ ref('customers') }}", 'values are not shown'],
    [
      'a part of a date',
      "SELECT make_date(CAST(born[1:4] AS INT), 13, CAST(big AS BIGINT)) AS n FROM {{ ref('customers') }}",
      'values are not shown',
    ],
    [
      'an overflow',
      "SELECT CAST(big AS INTEGER) AS n FROM {{ ref('customers') }}",
      'a value cannot become INT32',
    ],
    [
      'a condition',
      "SELECT id FROM {{ ref('customers') }} WHERE CAST(upper(email) AS DATE) > now()",
      'values are not shown',
    ],
    [
      'a CTE',
      "WITH a AS (SELECT email AS x FROM {{ ref('customers') }}) SELECT x::BIGINT AS n FROM a",
      'a value cannot become INT64',
    ],
    [
      'a join by USING',
      "SELECT id FROM {{ ref('customers') }} JOIN (SELECT 1 AS email) AS o USING (email)",
      'values are not shown',
    ],
  ])('keeps no value: %s', async (_, sql, says) => {
    start({ 'models/people.svc': people(sql) })
    const all = await everything(['run', '--debug'], ['run', '--log-format', 'json'], ['status'], ['logs'])
    expect(all).toContain('build-failed')
    expect(all.replace(/\s+/g, ' ')).toContain(says)
    expect(shownIn(all)).toEqual([])
  })

  it('keeps none of a view that another asset computes', async () => {
    start({
      'models/middle.svc': `${people("SELECT CAST(email AS INTEGER) AS n, id FROM {{ ref('customers') }}").replace('name: people', 'name: middle')}deploy: {materialize: ephemeral}\n`,
      'models/people.svc': people("SELECT id, n + 1 AS m FROM {{ ref('middle') }}"),
    })
    const all = await everything(['run', '--debug'])
    expect(all).toContain('a value cannot become INT32')
    expect(shownIn(all)).toEqual([])
  })

  it('keeps those of columns that are not personal', async () => {
    start({
      'models/people.svc': people("SELECT CAST(name AS INTEGER) AS n, email FROM {{ ref('customers') }}"),
    })
    expect(await everything(['run'])).toContain("'Ada'")
  })
})

describe('a test', () => {
  it('that fails shows personal values under no name', async () => {
    const tests = `tests:
  - {name: a, sql: "SELECT upper(email) AS id, name AS mail FROM {{ this }}"}
  - {name: b, sql: "SELECT t.* FROM (SELECT email AS name, name AS email FROM {{ this }}) AS t"}
  - {name: c, sql: "SELECT {'a': email} AS id FROM {{ ref('customers') }}"}
  - {name: d, sql: "SELECT email AS name, name FROM {{ this }}"}
`
    start({ 'models/people.svc': people("SELECT id, email, name FROM {{ ref('customers') }}", tests) })
    const all = await everything(['run'], ['test', '--json'])
    expect(shownIn(all)).toEqual([])
    const rows = (JSON.parse((await ground.line(['test', '--json'])).stdout) as { results?: unknown }).results
    expect(JSON.stringify(rows ?? all)).toContain('***')
    expect(all).toContain('Ada')
  })

  it('that cannot run keeps no value', async () => {
    const tests = `tests:
  - {name: a, sql: "SELECT id FROM {{ this }} WHERE CAST(email AS INTEGER) > 0"}
  - {name: b, expression: "CAST(email AS DATE) > DATE '2020-01-01'"}
`
    start({ 'models/people.svc': people("SELECT id, email FROM {{ ref('customers') }}", tests) })
    const all = await everything(['run'], ['test', '--json'])
    expect(all).toContain('the test cannot run')
    expect(shownIn(all)).toEqual([])
  })
})

describe('svc sample', () => {
  it('keeps no value in the message of a view or a query that fails', async () => {
    start({
      'models/people.svc': people(
        "SELECT id, CASE WHEN id < 2 THEN CAST(email AS INTEGER) END AS n FROM {{ ref('customers') }}",
        'deploy: {materialize: view}\n',
      ),
    })
    const all = await everything(
      ['run'],
      ['sample', 'people'],
      ['sample', 'people', '--query'],
      ['sample', 'people', '--query', '--debug'],
    )
    expect(all).toContain('a value cannot become INT32')
    expect(shownIn(all)).toEqual([])
  })
})

describe('a source', () => {
  it('that cannot be loaded keeps no value of a marked column', async () => {
    start({
      'models/mails.svc': `name: mails
ingest: {type: file, endpoint: data, resource: m.csv, options: {columns: {id: INTEGER, email: INTEGER}}}
contract: {columns: {email: {pii: true}}}
transform: SELECT id, email FROM {{ source }}
`,
      'data/m.csv': `id,email\n1,${secret}\n2,${secret}\n`,
    })
    expect(shownIn(await everything(['run']))).toEqual([])
  })
})
