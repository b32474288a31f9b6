/** Files that are loaded once: what is read, what joins, and that what is loaded moves with production. */
import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rollback } from '../../../cli/engine/run/rollback.ts'
import { showsSource } from '../../support/features/shows.ts'
import { type S3Server, s3Key, startS3Server } from '../../support/s3-server.ts'
import { outcomes, projectMaker, type TestProject } from './test-project.ts'

const project = projectMaker()

const append = 'only_new: true, write: append'
const merge = 'only_new: true, write: merge, primary_key: id'
const fileOf = (more: string, resource = '*.csv', transform = 'SELECT * FROM {{ source }}') =>
  `ingest: {type: file, endpoint: data, resource: "${resource}", ${more}}\ntransform: ${transform}`

function put(p: TestProject, name: string, ...rows: readonly string[]): void {
  const path = join(p.root, 'data', name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, ['id,v', ...rows, ''].join('\n'))
}

const all = async (p: TestProject) =>
  (await p.query('SELECT id, v FROM analytics.orders ORDER BY id, v'))
    .map(({ id, v }) => `${id}${v}`)
    .join(' ')
const warnings = (p: TestProject) =>
  p.events.flatMap(event => (event.type === 'warning' ? [event.message] : []))
const read = (p: TestProject) =>
  p.events.flatMap(event => (event.type === 'fetch-finished' ? [event.rows] : []))

describe('with write: append', () => {
  test('records of new files are added, also such as are there already, and no file is read twice', async () => {
    showsSource(['folder'], ['only_new'])
    const p = project({ orders: fileOf(append) })
    put(p, 'day1.csv', '1,a', '2,b')
    await p.run()
    put(p, 'day2.csv', '2,b', '3,c')
    rmSync(join(p.root, 'data', 'day1.csv'))
    await p.run()
    expect(await all(p)).toBe('1a 2b 2b 3c')
    expect(read(p)).toEqual([2])
    expect(outcomes(await p.run())).toEqual(['orders unchanged'])
    put(p, 'day1.csv', '1,a', '2,b')
    put(p, 'sub/day3.csv', '9,z')
    expect(outcomes(await p.run())).toEqual(['orders unchanged'])
  })

  test('a primary key keeps records that are there from being added again', async () => {
    const p = project({ orders: fileOf(`${append}, primary_key: id`) })
    put(p, 'day1.csv', '1,a', '2,b')
    await p.run()
    put(p, 'day2.csv', '2,x', '3,c')
    await p.run()
    expect(await all(p)).toBe('1a 2b 3c')
  })

  test('a file that has changed fails the asset, and one with another time alone does not', async () => {
    const p = project({ orders: fileOf(append) })
    put(p, 'day1.csv', '1,a')
    await p.run()
    utimesSync(join(p.root, 'data', 'day1.csv'), new Date(0), new Date(0))
    expect(outcomes(await p.run())).toEqual(['orders unchanged'])
    put(p, 'day1.csv', '1,a', '2,b')
    put(p, 'day2.csv', '3,c')
    const report = await p.run()
    expect(report.status).toBe('Failed')
    expect(JSON.stringify(report)).toContain('1 file has changed since it was loaded: day1.csv')
    expect(await all(p)).toBe('1a')
    await p.run({ refresh: 'all', refreshSalt: 'again' })
    expect(await all(p)).toBe('1a 2b 3c')
  })
})

describe('a file with another name', () => {
  const rename = (p: TestProject, before: string, now: string) =>
    renameSync(join(p.root, 'data', before), join(p.root, 'data', now))

  test('is not added a second time under append, alone or beside a new one, and is told once', async () => {
    const p = project({ orders: fileOf(append) })
    put(p, 'day1.csv', '1,a')
    put(p, 'day2.csv', '2,b')
    await p.run()
    rename(p, 'day1.csv', 'monday.csv')
    await p.run()
    expect(warnings(p)).toEqual([
      '1 file was loaded under another name, which is gone, and is not loaded again: monday.csv (day1.csv)',
    ])
    expect(await all(p)).toBe('1a 2b')
    expect(outcomes(await p.run())).toEqual(['orders unchanged'])
    expect(warnings(p)).toEqual([])
    rename(p, 'day2.csv', 'tuesday.csv')
    put(p, 'day3.csv', '3,c')
    await p.run()
    expect(warnings(p)).toHaveLength(1)
    expect(await all(p)).toBe('1a 2b 3c')
    expect(outcomes(await p.run())).toEqual(['orders unchanged'])
    expect(warnings(p)).toEqual([])
  })

  test('is one alone: beside it, a further file with the same bytes is a delivery of its own', async () => {
    const p = project({ orders: fileOf(append) })
    put(p, 'day1.csv', '1,a')
    await p.run()
    rename(p, 'day1.csv', 'monday.csv')
    await p.run()
    put(p, 'tuesday.csv', '1,a')
    await p.run()
    expect(warnings(p)).toEqual([])
    expect(await all(p)).toBe('1a 1a')
    expect(outcomes(await p.run())).toEqual(['orders unchanged'])
  })

  test('is a delivery of its own where the file before it is there, where it differs, and with a key', async () => {
    const p = project({ orders: fileOf(append, 'day*.csv'), merged: fileOf(merge, 'part*.csv') })
    put(p, 'day1.csv', '1,a')
    put(p, 'part1.csv', '1,a')
    await p.run()
    put(p, 'day2.csv', '1,a')
    put(p, 'part2.csv', '1,b')
    await p.run()
    rmSync(join(p.root, 'data', 'day1.csv'))
    put(p, 'day3.csv', '1,z')
    rename(p, 'part1.csv', 'part3.csv')
    await p.run()
    expect(warnings(p)).toEqual([])
    expect(await all(p)).toBe('1a 1a 1z')
    expect(await p.query('SELECT v FROM analytics.merged')).toEqual([{ v: 'a' }])
  })
})

describe('with write: merge', () => {
  test('records of new files replace those with their key', async () => {
    const p = project({ orders: fileOf(merge) })
    put(p, 'day1.csv', '1,a', '2,b')
    await p.run()
    put(p, 'day2.csv', '2,x', '3,c')
    await p.run()
    expect(await all(p)).toBe('1a 2x 3c')
    expect(warnings(p)).toEqual([])
  })

  test('a file that has changed is told and loaded again', async () => {
    const p = project({ orders: fileOf(merge) })
    put(p, 'day1.csv', '1,a', '2,b')
    put(p, 'day2.csv', '3,c')
    await p.run()
    put(p, 'day1.csv', '1,x')
    await p.run()
    expect(await all(p)).toBe('1x 2b 3c')
    expect(read(p)).toEqual([1])
    expect(warnings(p)).toEqual(['1 file has changed since the last load: day1.csv'])
    expect(outcomes(await p.run())).toEqual(['orders unchanged'])
  })
})

test('an asset with another name reads all files again, and the run says what goes with the old one', async () => {
  const p = project({ orders: fileOf(append), plain: fileOf('primary_key: id') })
  put(p, 'day1.csv', '1,a')
  await p.run()
  p.files['sales'] = fileOf(append)
  delete p.files['orders']
  delete p.files['plain']
  rmSync(join(p.root, 'data', 'day1.csv'))
  put(p, 'day2.csv', '2,b')
  await p.run()
  expect(warnings(p)).toEqual([
    'its file is gone; what its loads have gathered goes with the last kept run, and its source need not have it any more',
  ])
  await p.run()
  expect(warnings(p)).toEqual([])
})

describe('what is loaded', () => {
  test('moves with a promotion, not with a failed run, and goes back with a rollback', async () => {
    const p = project({ orders: fileOf(append) })
    put(p, 'day1.csv', '1,a')
    await p.run()
    p.files['orders'] = `${fileOf(append)}\ntests: [{row_count: {max: 1}}]`
    put(p, 'day2.csv', '2,b')
    expect((await p.run()).status).toBe('Failed')
    p.files['orders'] = fileOf(append)
    await p.run()
    expect(await all(p)).toBe('1a 2b')
    const workspace = await p.workspace()
    await rollback(workspace, {}, () => undefined)
    await workspace.close()
    expect(await all(p)).toBe('1a')
    put(p, 'day3.csv', '3,c')
    await p.run()
    expect(await all(p)).toBe('1a 2b 3c')
  })

  test('is not forgotten when other files are named: the run asks what becomes of it', async () => {
    const p = project({ orders: fileOf(append) })
    put(p, 'day1.csv', '1,a')
    put(p, 'extra.csv', '7,e')
    await p.run()
    p.files['orders'] = fileOf(append, 'day*.csv')
    expect((await p.run()).failure).toMatchObject({
      code: 'history-lost',
      message: 'the 2 rows that its loads have gathered would go, because ingest.resource is not what it was',
    })
    p.files['orders'] = fileOf(`${append}, on_change: forward`, 'day*.csv')
    put(p, 'day2.csv', '2,b')
    await p.run()
    expect(await all(p)).toBe('1a 2b 7e')
    p.files['orders'] = fileOf(`${append}, on_change: rebuild`, 'd*.csv')
    await p.run()
    expect(await all(p)).toBe('1a 2b')
    expect(warnings(p)).toEqual([
      'the 3 rows that its loads have gathered go, but for those that its source still has: ingest.resource is not what it was',
    ])
  })
})

describe('files of a bucket', () => {
  let server: S3Server
  beforeAll(async () => {
    server = await startS3Server()
  })
  afterAll(() => server.close())

  test('are downloaded once, by their ETag', async () => {
    showsSource(['s3'], ['only_new'])
    const p = project({
      orders: `ingest: {type: file, endpoint: "s3://shop/in", resource: "*.csv", ${append}, s3: {endpoint: "${server.origin}", region: eu-central-1}}\ntransform: SELECT * FROM {{ source }}`,
    })
    p.clock = new Date()
    p.env = { SOURCE__ORDERS__CREDENTIALS: `${s3Key.id}:${s3Key.secret}` }
    server.put('shop', 'in/day1.csv', 'id,v\n1,a\n')
    await p.run()
    server.put('shop', 'in/day2.csv', 'id,v\n2,b\n')
    server.asked.length = 0
    await p.run()
    expect(await all(p)).toBe('1a 2b')
    expect(server.asked.filter(line => line.includes('.csv'))).toEqual(['GET /shop/in/day2.csv'])
    expect(outcomes(await p.run())).toEqual(['orders unchanged'])
    server.put('shop', 'in/day1.csv', 'id,v\n1,changed\n')
    expect(JSON.stringify(await p.run())).toContain('1 file has changed since it was loaded: day1.csv')
  })
})
