import { afterAll, describe, expect, test } from 'vitest'
import type { TestResult } from '../../../server/contract/index.ts'
import { kindUnderTest } from '../../support/warehouse-under-test.ts'
import { type TestProject, testProject } from '../run/test-project.ts'

const rows = `ingest: none
transform: |
  SELECT * FROM (VALUES
    (1, 'new', 10.0, 'a@x.org', TIMESTAMP '2026-03-01 11:00:00', 'eu'),
    (2, 'paid', -5.0, 'no mail', TIMESTAMP '2026-02-20 11:00:00', 'eu'),
    (2, 'lost', 99.0, NULL, TIMESTAMP '2026-02-20 11:00:00', 'us'),
    (NULL, NULL, NULL, 'b@x.org', NULL, 'us'))
  AS t(id, status, amount, email, changed, region)
`

const open: TestProject[] = []
afterAll(async () => {
  for (const project of open) await project.remove()
})

/** Results of the tests of one asset with the rows above, beside a parent with ids 1 and 3. */
async function results(tests: string, extra = '', of = rows): Promise<readonly TestResult[]> {
  const project = testProject({
    orders: `${of}${extra}tests:\n${tests
      .trim()
      .split('\n')
      .map(line => `  - ${line.trim()}`)
      .join('\n')}`,
    parents: 'SELECT 1 AS id UNION ALL SELECT 3',
  })
  open.push(project)
  return (await project.run()).tests
}

async function only(line: string, extra = ''): Promise<TestResult> {
  const [result, ...rest] = await results(line, extra)
  expect(rest).toEqual([])
  if (result === undefined) throw new Error('no result')
  return result
}

/** Rows whose id is no parent's, in words that are the engine's own. */
const withoutParent =
  kindUnderTest === 'duckdb'
    ? 'SELECT t.* FROM {{ this }} AS t ANTI JOIN {{ ref("parents") }} AS p ON t.id = p.id'
    : 'SELECT t.* FROM {{ this }} AS t WHERE (SELECT bool_or(p.id = t.id) FROM {{ ref("parents") }} AS p) IS NOT TRUE'

test('a newest value in the future is a warning, because it would pass for ever', async () => {
  const project = testProject({
    orders: `ingest: none
transform: |
  SELECT TIMESTAMP '2026-03-02 11:00:00' AS soon, TIMESTAMP '9999-12-31 00:00:00' AS never, DATE '2026-03-04' AS day
tests:
  - fresh: {column: soon, within: 2h}
  - fresh: {column: never, within: 2h}
  - fresh: {column: day, within: 2h}
`,
  })
  open.push(project)
  const { tests, status } = await project.run()
  expect(status).toBe('deployed')
  const told = (time: string, column: string) =>
    `the newest ${column} is ${time} in the future: nothing says how old the others are`
  expect(tests).toMatchObject([
    { status: 'pass' },
    { status: 'fail', severity: 'warn', message: expect.stringMatching(/^the newest never is \d+ d in/) },
    { status: 'fail', severity: 'warn', message: told('2 d', 'day') },
  ])
})

describe('each kind passes and fails', () => {
  const kinds: [string, number, string?][] = [
    ['not_null: region', 0],
    ['not_null: id', 1, '1 row without id'],
    ['not_blank: region', 0],
    ['not_blank: status', 1, '1 row with a blank status'],
    ['unique: amount', 0],
    ['unique: id', 1, '1 value of id more than once'],
    ['unique: [id, status]', 0],
    ['unique: [id, changed]', 1, '1 combination of id, changed more than once'],
    ['accepted_values: {status: [new, paid, lost]}', 0],
    ['accepted_values: {status: [new, paid]}', 1, '1 row with a status that is not one of new, paid'],
    ['accepted_values: {id: [1, 2]}', 0],
    ['accepted_values: {id: [2, 3]}', 1],
    ['relationships: {id: parents.id}', 2, '2 rows with a id that is not in parents.id'],
    ["{relationships: {id: parents.id}, where: 'id = 1'}", 0],
    ['range: {amount: {min: -5, max: 99}}', 0],
    ['range: {amount: {min: -5, max: 99, strict: true}}', 2],
    ['range: {amount: {min: 0}}', 1, '1 row with amount not at least 0'],
    ['range: {changed: {min: "2026-02-01"}}', 0],
    ['matches: {email: "@"}', 1, '1 row with a email that does not match @'],
    ['matches: {email: "^.+$"}', 0],
    ['row_count: {min: 4, max: 4}', 0],
    ['row_count: {min: 6}', 2, '4 rows, at least 6 expected'],
    ['row_count: {max: 1}', 3, '4 rows, at most 1 expected'],
    ['fresh: {column: changed, within: 2h}', 0],
    ['fresh: {column: changed, within: 30m}', 1, 'the newest changed is 60 min old, 30 min allowed'],
    ['expression: amount < 100', 0],
    ['expression: amount >= 0 -- a comment', 1],
    ["sql: SELECT * FROM {{ this }} WHERE region = 'asia'", 0],
    [`sql: ${withoutParent};`, 3, '3 rows returned'],
  ]

  test.each(kinds)('%s', async (line, failures, message) => {
    const result = await only(line)
    expect(result).toMatchObject({ status: failures === 0 ? 'pass' : 'fail', failures, ran: true })
    if (message !== undefined) expect(result.message).toBe(message)
    expect(result.place).toMatch(/^models\/orders\.svc:\d+:5$/)
  })

  test('all of them at once give the same answers, in the order of the file', async () => {
    const together = await results(kinds.map(([line], index) => named(line, index)).join('\n'))
    expect(together.map(({ failures }) => failures)).toEqual(kinds.map(([, failures]) => failures))
  })

  test.each(['view', 'table'])(
    'those of a wide %s, which are measured on excerpts, give the same answers and rows',
    async materialize => {
      const names = Array.from({ length: 120 }, (_, index) => `more_${index}`)
      const wide = rows.replace(
        'SELECT *',
        `SELECT t.*, ${names.map(name => `region AS ${name}`).join(', ')}`,
      )
      const lines = [
        ...kinds.map(([line]) => line),
        "{unique: id, where: \"region = 'eu' AND more_119 = 'us'\"}",
        '{relationships: {id: parents.id}, where: "MORE_110 <> \'eu\'"}',
        'unique: more_115',
        'not_null: [more_110]',
        'accepted_values: {more_116: [eu]}',
      ]
      const asked = lines.map((line, index) => named(line, index)).join('\n')
      const settings = `deploy: {materialize: ${materialize}}\n`
      const together = await results(asked, settings, wide)
      expect(together.map(({ failures }) => failures)).toEqual([
        ...kinds.map(([, failures]) => failures),
        ...[0, 1, 2, 0, 2],
      ])
      const orphans = together[12]?.sample.map(row => [row['id'], row['more_93'], row['more_94']])
      expect(orphans).toEqual([
        [2, 'eu', undefined],
        [2, 'us', undefined],
      ])
      const { sample } = together[kinds.length + 2] ?? {}
      expect(sample?.map(row => Object.keys(row))).toEqual([
        ['more_115', 'times'],
        ['more_115', 'times'],
      ])
      expect(Object.keys(together[kinds.length + 4]?.sample[0] ?? {})).toHaveLength(100)
    },
  )

  const named = (line: string, index: number) =>
    line.startsWith('{') ? line.replace('{', `{name: t${index}, `) : `{name: t${index}, ${flow(line)}}`
  const flow = (line: string) => {
    const [, key, value] = /^(\w+): (.*)$/s.exec(line) ?? []
    return `${key}: ${value?.startsWith('{') || value?.startsWith('[') ? value : `'${value?.replaceAll("'", "''")}'`}`
  }
})

test('tests of one scan have its time and say that it was shared; one alone has a time of its own', async () => {
  const shared = await results('not_null: region\nunique: amount\nnot_blank: region')
  expect(new Set(shared.map(({ seconds }) => seconds)).size).toBe(1)
  expect(shared.map(({ scan }) => scan)).toEqual([{ tests: 3 }, { tests: 3 }, { tests: 3 }])
  expect(await only('not_null: region')).not.toHaveProperty('scan')
})

test('not_blank sees white space of every kind', async () => {
  const project = testProject({
    notes: `ingest: none
transform: |
  SELECT * FROM (VALUES (1, 'a'), (2, ''), (3, ' ' || chr(9) || chr(10) || chr(11)),
    (4, chr(160) || chr(12288) || chr(65279)), (5, NULL), (6, ' b ')) AS t(id, note)
tests:
  - not_blank: note
  - {not_blank: note, where: id > 4}
`,
  })
  open.push(project)
  const [all, some] = (await project.run()).tests
  expect(all).toMatchObject({ failures: 4, message: '4 rows with a blank note' })
  expect(all?.sample.map(row => Number(row['id']))).toEqual([2, 3, 4, 5])
  expect(some?.failures).toBe(1)
})

describe('options', () => {
  test('where limits the rows looked at', async () => {
    expect((await only("{not_null: id, where: region = 'eu'}")).status).toBe('pass')
    expect((await only("{unique: id, where: region = 'eu'}")).status).toBe('pass')
    expect((await only("{row_count: {max: 2}, where: region = 'eu'}")).status).toBe('pass')
    expect((await only("{sql: 'SELECT * FROM {{ this }}', where: region = 'us'}")).failures).toBe(2)
  })

  test.each([
    ["{range: {amount: {min: 50}}, warn_if: '> 1'}", 'fail', 'warn'],
    ["{range: {amount: {min: 50}}, warn_if: '> 5'}", 'pass', 'error'],
    ["{range: {amount: {min: 50}}, error_if: '>= 2'}", 'fail', 'error'],
    ["{range: {amount: {min: 50}}, error_if: '> 2', warn_if: '= 2'}", 'fail', 'warn'],
    ["{range: {amount: {min: 50}}, error_if: '> 1', severity: warn}", 'fail', 'warn'],
    ['{range: {amount: {min: 50}}, severity: warn}', 'fail', 'warn'],
    ["{range: {amount: {min: 0}}, error_if: '!= 1'}", 'pass', 'error'],
  ])('%s', async (line, status, severity) => {
    expect(await only(line)).toMatchObject({ status, severity })
  })

  test('row_count: change compares with the live version', async () => {
    const project = testProject({ n: 'SELECT * FROM generate_series(1, 100) AS t(i)' })
    open.push(project)
    await project.run()
    const shrunk = (rows: number) =>
      `ingest: none\ntransform: SELECT * FROM generate_series(1, ${rows}) AS t(i)\ntests: [{row_count: {change: "20%"}}]`
    project.files['n'] = shrunk(85)
    expect((await project.run()).status).toBe('deployed')
    project.files['n'] = shrunk(40)
    const report = await project.run()
    expect(report.tests[0]).toMatchObject({
      status: 'fail',
      failures: 28,
      message: '40 rows after 85: 52.9 % fewer, 20 % allowed',
    })
  })
})

describe('failing rows', () => {
  test('are shown, at most 100 of them', async () => {
    const project = testProject({
      many: 'ingest: none\ntransform: SELECT i FROM generate_series(1, 500) AS t(i)\ntests: [{expression: i < 0}]',
    })
    open.push(project)
    const [result] = (await project.run()).tests
    expect(result?.failures).toBe(500)
    expect(result?.sample).toHaveLength(100)
  })

  test('hide personal data, also under another name downstream', async () => {
    const project = testProject({
      people: `ingest: {type: rows, rows: [{id: 1, mail: a@x.org}]}
contract: {columns: {id: bigint, mail: {type: varchar, pii: true}}}
transform: SELECT id, mail FROM {{ source }}
tests: [{expression: id > 5, severity: warn}]`,
      contacts: `ingest: none
transform: SELECT id, lower(mail) AS contact FROM {{ ref('people') }}
tests:
  - {expression: id > 5, severity: warn}
  - {name: alias, sql: 'SELECT id, contact AS c FROM {{ this }}', severity: warn}`,
    })
    open.push(project)
    const report = await project.run()
    expect(report.failure).toBeUndefined()
    expect(report.tests.map(({ sample }) => sample)).toEqual([
      [{ id: 1, mail: '***' }],
      [{ id: 1, contact: '***' }],
      [{ id: 1, c: '***' }],
    ])
  })
})

const conversionFailed =
  kindUnderTest === 'duckdb'
    ? /^the test cannot run: Conversion Error/
    : /^the test cannot run: invalid input syntax for type integer/

describe('a test that cannot run', () => {
  test('fails with the reason and leaves the others alone', async () => {
    const found = await results(`
      not_null: region
      {name: broken, expression: "CAST(status AS INTEGER) > 0"}
      unique: amount`)
    expect(found.map(({ status }) => status)).toEqual(['pass', 'fail', 'pass'])
    expect(found[1]?.message).toMatch(conversionFailed)
  })

  test('because its other asset has no build', async () => {
    const project = testProject({
      orders: 'ingest: none\ntransform: SELECT 1 AS id\ntests: [{relationships: {id: parents.id}}]',
      parents: 'SELECT 1 AS id',
    })
    open.push(project)
    const report = await project.run({ selector: 'orders' })
    expect(report.tests[0]).toMatchObject({
      status: 'fail',
      message: '"parents" has no build in prod to test against',
    })
  })
})
