/** Sources that are as they were are not read again; whatever is not certain is. */
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { typeUnderTest } from '../../support/warehouse-under-test.ts'
import { outcomes, projectMaker, type TestProject } from './test-project.ts'

const project = projectMaker()

/** Files that were written long ago. */
const oldFiles = join(process.cwd(), 'node_modules', 'vega-datasets', 'data')
const airports = `ingest: {type: file, endpoint: ${JSON.stringify(oldFiles)}, resource: airports.csv}
transform: SELECT count(*) AS n FROM {{ source }}`

function memoryOf(p: TestProject) {
  const path = join(p.root, '.svc', 'prod', 'files.json')
  return {
    read: () => JSON.parse(readFileSync(path, 'utf8')) as { sources: { airports: { rows: number } } },
    write: (value: unknown) => writeFileSync(path, JSON.stringify(value)),
  }
}

function fetched(p: TestProject) {
  return p.events.flatMap(event =>
    event.type === 'fetch-finished' ? [`${event.rows} ${event.unchanged ? 'unchanged' : 'new'}`] : [],
  )
}

test('files that nobody has touched since their load are not read again', async () => {
  const p = project({ airports })
  await p.run()
  expect(fetched(p)).toEqual(['3376 new'])
  const memory = memoryOf(p)
  const known = memory.read()
  known.sources.airports.rows = 7
  memory.write(known)
  expect(outcomes(await p.run())).toEqual(['airports unchanged'])
  // Counted in the file, it would be 3376.
  expect(fetched(p)).toEqual(['7 unchanged'])
  expect(await p.query('SELECT n FROM analytics.airports')).toEqual([{ n: 3376 }])

  p.files['airports'] = airports.replace('AS n', 'AS number')
  expect(outcomes(await p.run())).toEqual(['airports built'])
  expect(fetched(p)).toEqual(['7 unchanged'])
})

test('files that a run warned of are read again, so that it warns again', async () => {
  const p = project({
    airports:
      'ingest: {type: file, endpoint: data, resource: "*.csv"}\ntransform: SELECT 1 AS n FROM {{ source }}',
  })
  mkdirSync(join(p.root, 'data'))
  symlinkSync(join(oldFiles, 'airports.csv'), join(p.root, 'data', 'airports.csv'))
  await p.run()
  expect(memoryOf(p).read().sources.airports.rows).toBe(3376)
  symlinkSync(join(p.root, 'nowhere'), join(p.root, 'data', 'more.csv'))
  const warnings = () => p.events.flatMap(event => (event.type === 'warning' ? [event.message] : []))
  const warned = ['a link that leads nowhere brought no records: data/more.csv']
  await p.run()
  expect(warnings()).toEqual(warned)
  await p.run()
  expect(warnings()).toEqual(warned)
})

test('without the lock file, another definition or another environment a source is read', async () => {
  const p = project({ airports })
  await p.run()
  rmSync(join(p.root, 'schemas.lock.json'))
  await p.run()
  expect(readFileSync(join(p.root, 'schemas.lock.json'), 'utf8')).toContain('airports')
  p.files['airports'] = airports.replace('csv}', 'csv, exclude: [city]}')
  expect(outcomes(await p.run())).toEqual(['airports built'])
  expect(fetched(p)).toEqual(['3376 new'])
  await p.run({}, 'dev')
  expect(fetched(p)).toEqual(['3376 new'])
  expect(await p.query('SELECT n FROM analytics_dev.airports')).toEqual([{ n: 3376 }])
})

test('rows in the file are known by its definition', async () => {
  const rows = (value: number) => `ingest: {type: rows, rows: [{id: ${value}}, {id: 2}]}
transform: SELECT id FROM {{ source }}`
  const p = project({ a: rows(1) })
  await p.run()
  await p.run()
  expect(fetched(p)).toEqual(['2 unchanged'])
  p.files['a'] = rows(3)
  expect(outcomes(await p.run())).toEqual(['a built'])
  expect(await p.query('SELECT min(id) AS id FROM analytics.a')).toEqual([{ id: 2 }])
})

const bigint = typeUnderTest('BIGINT')
const double = typeUnderTest('DOUBLE')

test('content that comes back is loaded under the types that its columns have now', async () => {
  const p = project({
    prices:
      'ingest: {type: file, endpoint: data, resource: prices.csv}\ntransform: SELECT * FROM {{ source }}',
  })
  const deliver = async (text: string) => {
    mkdirSync(join(p.root, 'data'), { recursive: true })
    writeFileSync(join(p.root, 'data', 'prices.csv'), text)
    await p.run()
    const columns = await p.query(
      "SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = 'analytics' AND table_name = 'prices' ORDER BY ordinal_position",
    )
    return columns.map(({ column_name, data_type }) => `${column_name} ${data_type}`)
  }
  expect(await deliver('id,price\n1,10\n2,20\n')).toEqual([`id ${bigint}`, `price ${bigint}`])
  expect(await deliver('id,price\n1,10.5\n2,20\n')).toEqual([`id ${bigint}`, `price ${double}`])
  // The first load is still there: it is the same content, and another type.
  expect(await deliver('id,price\n1,10\n2,20\n')).toEqual([`id ${bigint}`, `price ${double}`])
  expect(readFileSync(join(p.root, 'schemas.lock.json'), 'utf8')).toContain(double)
})
