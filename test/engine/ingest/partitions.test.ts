/** Files in folders named `key=value`: the folders are columns, whatever the format, and however the records are copied. */
import { openLocalReader, sourceLooker, sourceOf } from '@svc/server/catalog'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engine } from '../../support/engine.ts'
import { showsSource } from '../../support/features/shows.ts'
import { type S3Server, s3Key, startS3Server } from '../../support/s3-server.ts'
import { contextFor, load, temporaryProject } from './fetching.ts'

const project = temporaryProject()
let server: S3Server
beforeAll(async () => {
  server = await startS3Server()
  const local = await openLocalReader({ threads: 1 })
  const folders = [
    'month=05/city=Z%C3%BCrich',
    'month=12/city=a b',
    'month=12/city=__HIVE_DEFAULT_PARTITION__',
  ]
  for (const [index, folder] of folders.entries()) {
    // The folder above the endpoint is named like a partition, too.
    const at = `env=dev/data/${folder}/part-${index}`
    project.write(`${at}.csv`, `id,age\n${index},4${index}\n`)
    project.write(`${at}.ndjson`, `{"id":${index},"o":{"p":1}}\n`)
    project.write(`${at}.env.json`, `{"page":1,"items":[{"id":${index}}]}\n`)
    await local.rows(`COPY (SELECT ${index}::BIGINT AS id) TO '${project.path(`${at}.parquet`)}'`)
    server.put(
      'lake',
      `sales/${decodeURIComponent(folder)}/part-${index}.csv`,
      `id,age\n${index},4${index}\n`,
    )
  }
  local.close()
})
afterAll(async () => {
  project.remove()
  await server.close()
})

const ingest = (resource: string, more = '') =>
  `ingest: {type: file, endpoint: ./env=dev/data, resource: "${resource}"${more === '' ? '' : `, ${more}`}}`

const places = [
  { month: '5', city: 'Zürich' },
  { month: '12', city: null },
  { month: '12', city: 'a b' },
]

const bare = (rows: readonly Readonly<Record<string, unknown>>[] | undefined) =>
  rows?.map(({ month, city }) => ({ month, city }))

async function checked(body: string): Promise<{ columns: string[]; problems: string[] }> {
  const { asset } = contextFor(project, body)
  const looker = sourceLooker({ root: project.root })
  try {
    const { tables, diagnostics } = sourceOf(
      asset,
      await looker.look(asset.definition.ingest),
      undefined,
      engine,
    )
    const columns = (tables?.[0]?.columns ?? []).map(({ name, type }) => `${name} ${type ?? '?'}`)
    return { columns, problems: diagnostics.map(({ message }) => message) }
  } finally {
    looker.close()
  }
}

describe('folders named key=value', () => {
  it.each(['csv', 'ndjson'])(
    'are the text NULL where they are named so, beside those of no value: %s',
    async format => {
      const record = (id: number) => (format === 'csv' ? `id,n\n${id},1\n` : `{"id":${id},"n":1}\n`)
      const folders = ['p=NULL', 'p=null', 'p=__HIVE_DEFAULT_PARTITION__', 'p=x']
      for (const [id, folder] of folders.entries()) project.write(`nulls/${folder}/a.${format}`, record(id))
      const { rows } = await load(
        project,
        `ingest: {type: file, endpoint: nulls, resource: "**/*.${format}"}`,
      )
      const found = rows['']?.map(({ id, p }) => [id, p]).sort()
      expect(found).toEqual([
        ['0', 'NULL'],
        ['1', 'null'],
        ['2', null],
        ['3', 'x'],
      ])
    },
  )

  it.each(['**/*.parquet', '**/*.csv', '**/*.ndjson', '**/*.env.json'])(
    'are columns of %s',
    async resource => {
      showsSource(['folder'], ['partitions'])
      const more = resource.endsWith('env.json') ? 'options: {records: items}' : ''
      const { columns, rows } = await load(project, ingest(resource, more))
      const partitions = columns['']?.slice(-2)
      expect(partitions).toEqual(['month BIGINT', 'city VARCHAR'])
      expect(bare(rows[''])).toEqual(places)
      expect(rows['']?.map(({ id }) => id)).toEqual(['0', '2', '1'])
      expect((await checked(ingest(resource, more))).columns).toEqual(columns[''])
    },
  )

  it.each(['**/*.parquet', '**/*.csv', '**/*.ndjson'])('stay where %s is masked', async resource => {
    const { rows } = await load(project, ingest(resource, 'mask: {id: redact}'))
    expect(bare(rows[''])).toEqual(places)
    expect(rows['']?.map(({ id }) => id)).toEqual(['***', '***', '***'])
  })

  it('are masked, or the load fails', async () => {
    const { rows } = await load(project, ingest('**/*.csv', 'mask: {city: redact}'))
    expect(rows['']?.map(({ city }) => city)).toEqual(['***', null, '***'])
    await expect(load(project, ingest('**/*.ndjson', 'mask: {city: redact}'))).rejects.toThrow(
      '"city" is the name of folders, which no mask of JSON reaches',
    )
  })

  it('stay where lines are discarded, and keep the type that a contract promises', async () => {
    project.write('lines/day=2024-01-31/a.csv', 'id,age\n1,2\nbroken\n')
    project.write('lines/day=2024-02-01/a.csv', 'id,age\n2,3\n')
    const lines = 'ingest: {type: file, endpoint: ./lines, resource: "*/*.csv"}'
    const discarding = `${lines}\ncontract: {evolution: {types: discard_row}}`
    expect((await load(project, discarding)).rows['']).toEqual([
      { id: '1', age: '2', day: '2024-01-31' },
      { id: '2', age: '3', day: '2024-02-01' },
    ])
    project.write('lines/day=2024-01-31/a.csv', 'id,age\n1,2\n')
    const { columns } = await load(project, `${lines}\ncontract: {columns: {day: varchar}}`)
    expect(columns['']).toContain('day VARCHAR')
  })

  it('count for the id of the load, and are none where that is wanted or not all files have them', async () => {
    const before = (await load(project, ingest('**/*.csv'))).fetched.loadId
    const none = await load(project, ingest('**/*.csv', 'partitions: none'))
    expect(none.columns['']).toEqual(['id BIGINT', 'age BIGINT'])
    expect(none.fetched.loadId).not.toBe(before)
    project.write('some/k=1/a.csv', 'id\n1\n')
    project.write('some/a.csv', 'id\n2\n')
    const some = await load(project, 'ingest: {type: file, endpoint: ./some, resource: "**/*.csv"}')
    expect(some.columns['']).toEqual(['id BIGINT'])
  })

  it('that are called like a column of the files are an error', async () => {
    project.write('clash/id=1/a.csv', 'id,age\n1,2\n')
    const body = 'ingest: {type: file, endpoint: ./clash, resource: "**/*.csv"}'
    const message = 'the files have a column "id", and their folders are named by it too'
    await expect(load(project, body)).rejects.toThrow(message)
    expect((await checked(body)).problems).toEqual([message])
  })

  it('are codes where their numbers begin with zeros', async () => {
    project.write('codes/zip=08001/a.csv', 'id\n1\n')
    const { columns } = await load(project, 'ingest: {type: file, endpoint: ./codes, resource: "**/*.csv"}')
    expect(columns['']).toEqual(['id BIGINT', 'zip VARCHAR'])
  })

  it('are columns of a bucket, of which a pattern reads some', async () => {
    showsSource(['s3'], ['partitions'])
    const s3 = `s3: {endpoint: "${server.origin}", region: eu-central-1}`
    const env = { SOURCE__ORDERS__CREDENTIALS: `${s3Key.id}:${s3Key.secret}` }
    const now = () => new Date()
    const body = (resource: string) =>
      `ingest: {type: file, endpoint: "s3://lake/sales", resource: "${resource}", ${s3}}`
    const { rows } = await load(project, body('**/*.csv'), { env, now })
    expect(bare(rows[''])).toEqual([places[0], places[1], places[2]])
    server.asked.length = 0
    expect((await load(project, body('month=05/**/*.csv'), { env, now })).rows['']).toHaveLength(1)
    expect(server.asked[0]).toContain('prefix=sales%2Fmonth%3D05%2F')
  })
})
