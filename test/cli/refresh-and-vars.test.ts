/** `--full-refresh`, `--vars` and a table that somebody dropped, as a user sees them (decisions 8, "Forced and limited"). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closeLeftOpen } from '../../cli/engine/warehouse/duckdb/open-instances.ts'
import { createProjectHere, type ProjectHere } from '../support/cli-here.ts'

let p: ProjectHere

beforeAll(async () => {
  p = createProjectHere({
    'svc.yaml': 'name: shop\nvars: {country: de, least: 0, all: false}\n',
    'data/orders.csv': 'id,country,amount\n1,de,10\n2,fr,20\n',
    'models/orders.svc':
      'name: orders\ningest: {type: file, endpoint: ./data, resource: orders.csv}\ntransform: SELECT id, country, amount FROM {{ source }}\n',
    'models/total.svc':
      "name: total\ningest: none\ntransform: SELECT count(*) AS n FROM {{ ref('orders') }} WHERE (country = {{ var('country') }} OR {{ var('all') }}) AND amount > {{ var('least') }}\n",
  })
  expect((await p.svc(['run'])).code).toBe(0)
})

afterAll(() => p.dispose())

const outcomes = async (words: readonly string[]) => {
  const { code, value } = await p.json(['run', ...words, '--json'])
  expect(code).toBe(0)
  const { assets } = value as { readonly assets: { readonly name: string; readonly status: string }[] }
  return Object.fromEntries(assets.map(({ name, status }) => [name, status]))
}

const total = async () => {
  const { value } = await p.json(['sample', 'total', '--json'])
  return JSON.stringify(value)
}

describe('--vars', () => {
  test('sets a variable for one run, in the type that svc.yaml gives it', async () => {
    expect(await outcomes(['--vars', 'country=fr', '--vars', 'least=5'])).toMatchObject({ total: 'built' })
    expect(await outcomes(['--vars', 'all=true'])).toMatchObject({ orders: 'unchanged', total: 'built' })
    expect(await total()).toContain('2')
    const plan = await p.svc(['plan', '--vars', 'all=true'])
    expect(plan.stdout).toContain('Nothing to do')
    expect((await p.svc(['run'])).code).toBe(0)
    expect(await total()).toContain('1')
  })

  test.each([
    [['--vars', 'countri=fr'], 'declares no variable "countri"; did you mean "country"?'],
    [['--vars', 'least=many'], 'takes a number, not "many"'],
    [['--vars', 'all=yes'], 'takes true or false, not "yes"'],
    [['--vars', 'country'], 'takes name=value, not "country"'],
  ])('%j is refused', async (words, message) => {
    const { code, stderr } = await p.svc(['run', ...words])
    expect(code).toBe(2)
    expect(stderr.replace(/\s+/g, ' ')).toContain(message)
  })

  test('are those of the failed run in a retry', async () => {
    p.write('models/check.svc', "name: check\ningest: none\ntransform: SELECT error('no') AS n\n")
    expect((await p.svc(['run', '--vars', 'all=true'])).code).toBe(1)
    p.write('models/check.svc', 'name: check\ningest: none\ntransform: SELECT 1 AS n\n')
    expect((await p.svc(['retry'])).code).toBe(0)
    expect(await total()).toContain('2')
    expect((await p.svc(['run'])).code).toBe(0)
  })
})

describe('--full-refresh', () => {
  test('builds all anew, or what it names', async () => {
    expect(await outcomes(['--full-refresh'])).toMatchObject({ orders: 'built', total: 'built' })
    expect(await outcomes(['--full-refresh', 'total'])).toMatchObject({ orders: 'unchanged', total: 'built' })
    const plan = await p.svc(['plan', '--full-refresh'])
    expect(plan.stdout.replace(/\s+/g, ' ')).toContain('because --full-refresh asks for it')
  })
})

test('a dropped table is told by doctor, and the next run makes it again', async () => {
  const path = join(p.root, 'warehouse.duckdb')
  const instance = await DuckDBInstance.create(path)
  const connection = await instance.connect()
  const found = await connection.runAndReadAll(
    "SELECT schema_name FROM duckdb_tables() WHERE table_name = 'total' AND schema_name LIKE 'svc_g_%'",
  )
  for (const [schema] of found.getRows()) await connection.run(`DROP TABLE ${String(schema)}.total`)
  connection.closeSync()
  instance.closeSync()
  const doctor = await p.svc(['doctor'])
  expect(doctor.stdout.replace(/\s+/g, ' ')).toContain('the table or load of total is gone')
  expect(await outcomes([])).toMatchObject({ orders: 'unchanged', total: 'built' })
  expect((await p.svc(['doctor'])).stdout).not.toContain('gone')
})

/** Puts another view in the place of one of production. */
async function replaceView(asset: string, sql: string): Promise<void> {
  await closeLeftOpen()
  const instance = await DuckDBInstance.create(join(p.root, 'warehouse.duckdb'))
  const connection = await instance.connect()
  const found = await connection.runAndReadAll(
    `SELECT schema_name, sql FROM duckdb_views() WHERE view_name = 'total' AND NOT starts_with(schema_name, 'svc')`,
  )
  const [[schema, text] = []] = found.getRows()
  const green = /svc_g_\w+/.exec(String(text))?.[0] ?? ''
  await connection.run(`CREATE OR REPLACE VIEW ${String(schema)}.${asset} AS ${sql.replace('$green', green)}`)
  connection.closeSync()
  instance.closeSync()
}

describe('a view that somebody replaced is told by doctor, and the next run says so and makes it again', () => {
  beforeAll(async () => {
    p.write(
      'models/shown.svc',
      `name: shown
ingest: none
transform: |
  SELECT n::VARCHAR AS "text ""n""", CASE WHEN n BETWEEN 0 AND 9 THEN 'it''s' END AS word FROM {{ ref('total') }} -- few
deploy: {materialize: view}
`,
    )
    expect((await p.svc(['run'])).code).toBe(0)
    expect((await p.svc(['doctor'])).stdout).not.toContain('replaced')
  })

  test.each([
    ['total', 'SELECT 99 AS n'],
    ['total', 'SELECT n + 98 AS n FROM $green.total'],
    ['total', 'SELECT n FROM $green.total WHERE n < 0'],
    ['shown', `SELECT '1' AS "text ""n""", 'x' AS word FROM $green.total`],
  ])('%s: %s', async (asset, sql) => {
    await replaceView(asset, sql)
    const doctor = await p.svc(['doctor'])
    expect(doctor.code).toBe(1)
    expect(doctor.stdout.replace(/\s+/g, ' ')).toContain(`the view of ${asset} was replaced, not by svc`)
    expect((await p.svc(['plan'])).stdout.replace(/\s+/g, ' ')).toContain(
      `! ${asset} replaced its view was replaced in the warehouse, not by svc: a run puts that of svc in its place`,
    )
    expect((await p.json(['plan', '--json'])).value).toMatchObject({
      repairs: [{ asset, relation: 'view', replaced: true }],
    })
    const refused = await p.svc(['run'])
    expect(refused.code).toBe(1)
    const said = refused.stderr.replace(/\s+/g, ' ')
    expect(said).toContain(`.${asset}, not svc [replaced-view]`)
    expect(said).toContain('svc run --replace-views puts that of svc in its place')
    const run = await p.svc(['run', '--replace-views'])
    expect(run.code).toBe(0)
    expect(`${run.stdout}${run.stderr}`.replace(/\s+/g, ' ')).toContain(
      `! ${asset} replaced its view was replaced in the warehouse, not by svc: this run makes it again`,
    )
    expect((await p.svc(['doctor'])).stdout).not.toContain('replaced')
    // What the dashboard and the editor read says so too, until the next run.
    const told = () =>
      ['svc_catalog.json', '.svc/dev/history.json'].map(file =>
        /"repaired": ?"its view was replaced/.test(readFileSync(join(p.root, file), 'utf8')),
      )
    expect(told()).toEqual([true, true])
    expect((await p.svc(['plan'])).stdout).toContain('Nothing to do')
    await p.svc(['run'])
    expect(told()).toEqual([false, true])
  })

  test('a rollback says so too, also one that is only looked at', async () => {
    await replaceView('total', 'SELECT 99 AS n')
    const said = (words: string) => words.replace(/\s+/g, ' ')
    const looked = await p.svc(['rollback', '--dry-run'])
    expect([looked.code, said(looked.stdout)]).toEqual([
      0,
      expect.stringContaining('not by svc: a rollback puts that of svc in its place'),
    ])
    const { value } = await p.json(['rollback', '--dry-run', '--json'])
    expect(value).toMatchObject({ repairs: [{ asset: 'total', relation: 'view', replaced: true }] })
    const refused = await p.svc(['rollback'])
    expect([refused.code, said(refused.stderr)]).toEqual([1, expect.stringContaining('[replaced-view]')])
    expect(said(refused.stderr)).toContain('svc rollback --replace-views')
    expect(said((await p.svc(['doctor'])).stdout)).toContain('svc run --replace-views')
    const { code, stdout, stderr } = await p.svc(['rollback', '--replace-views'])
    expect(code, stderr).toBe(0)
    expect(said(stdout + stderr)).toContain(
      '! total replaced its view was replaced in the warehouse, not by svc',
    )
  })

  test('a promotion is refused too, and takes place as its hint says', async () => {
    const { value } = await p.json(['preview', '--json'])
    const { run_id: preview } = value as { readonly run_id: string }
    await replaceView('total', 'SELECT 99 AS n')
    const refused = await p.svc(['promote', preview])
    expect([refused.code, refused.stderr.replace(/\s+/g, ' ')]).toEqual([
      1,
      expect.stringContaining(`svc promote ${preview} --replace-views`),
    ])
    expect((await p.svc(['promote', preview, '--replace-views'])).code).toBe(0)
    expect((await p.svc(['doctor'])).stdout).not.toContain('replaced')
  })

  test('one whose asset is gone is not dropped unasked either', async () => {
    p.write('models/left.svc', 'name: left\ningest: none\ntransform: SELECT 1 AS n\n')
    expect((await p.svc(['run'])).code).toBe(0)
    await replaceView('left', 'SELECT 99 AS n')
    p.remove('models/left.svc')
    const refused = await p.svc(['run'])
    expect([refused.code, refused.stderr.replace(/\s+/g, ' ')]).toEqual([
      1,
      expect.stringMatching(/\.left, not svc \[replaced-view\].*svc run --replace-views drops it/),
    ])
    expect((await p.svc(['doctor'])).stdout.replace(/\s+/g, ' ')).toContain('the view of left was replaced')
    expect((await p.svc(['run', '--replace-views'])).code).toBe(0)
    expect((await p.svc(['doctor'])).stdout).not.toContain('replaced')
  })
})
