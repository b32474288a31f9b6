/** What a source may ask of the machine: sizes of bodies, records and files, numbers of pages and files. */
import { gzipSync } from 'node:zlib'
import { openLocalReader } from '@svc/server/catalog'
import { describe, expect, it } from 'vitest'
import { createRecordReader, newShape } from '../../../server/language/index.ts'
import { sendJson } from '../../support/rest-server.ts'
import { fetchOnly } from './fetching.ts'
import { fetchFast, project, rest, server, useRestServer } from './rest-fetching.ts'

useRestServer()

const packed = (body: Buffer, layers: number) => {
  let bytes = body
  for (let layer = 0; layer < layers; layer++) bytes = gzipSync(bytes)
  return { bytes, encoding: Array.from({ length: layers }, () => 'gzip').join(', ') }
}

function serve(path: string, body: Buffer, layers = 1): void {
  const { bytes, encoding } = packed(body, layers)
  server.route(path, (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding })
    response.end(bytes)
  })
}

async function problem(body: string): Promise<string> {
  const error = await fetchFast(body).catch((caught: Error) => caught)
  return error instanceof Error ? error.message : 'no error'
}

describe('a web service', () => {
  it('may not send a bomb', async () => {
    serve('/bomb', Buffer.concat([Buffer.from('[{"a":"'), Buffer.alloc(40 << 20, 'a'), Buffer.from('"}]')]))
    expect(await problem(rest('/bomb'))).toContain('unpacks to more than 300 times its size (limits.ratio)')
    expect(await problem(rest('/bomb', 'limits: {ratio: 2000, body: 30MB}'))).toContain(
      'is larger than 30 MB (limits.body)',
    )
    expect((await fetchFast(rest('/bomb', 'limits: {ratio: 2000}'))).fetched.rows).toBe(1)
  })

  it('may pack a body twice, not thirty times', async () => {
    serve('/twice', Buffer.from('[{"id":1}]'), 2)
    expect((await fetchFast(rest('/twice'))).fetched.rows).toBe(1)
    serve('/thirty', Buffer.from('[{"id":1}]'), 30)
    expect(await problem(rest('/thirty'))).toContain('is packed 30 times over')
  })

  it('may not send large records, and says which', async () => {
    const large = JSON.stringify([{ id: 1 }, { id: 2, text: 'x'.repeat(3 << 20) }])
    server.route('/large', (_request, response) => sendJson(response, large))
    expect(await problem(rest('/large', 'limits: {record: 1MB}'))).toContain(
      'cannot be read: record 2 is larger than 1000000 bytes',
    )
    expect((await fetchFast(rest('/large'))).fetched.rows).toBe(2)
  })

  it('may not page without end', async () => {
    server.route('/endless', (request, response) => {
      const page = Number(request.query.get('p') ?? 1)
      sendJson(response, { results: [{ id: page, text: 'x'.repeat(1000) }], next: `?p=${page + 1}` })
    })
    expect(await problem(rest('/endless', 'limits: {pages: 20}'))).toBe(
      'there are more than 20 pages (limits.pages)',
    )
    expect(await problem(rest('/endless', 'limits: {total: 20KB, concurrency: 1}'))).toMatch(
      /^its \d+ pages are larger than 20 KB together \(limits.total\)$/,
    )
  })

  it('says what is too much of JSON that is valid', async () => {
    const keys = Object.fromEntries(Array.from({ length: 10_001 }, (_, n) => [`k${n}`, n]))
    server.route('/keys', (_request, response) => sendJson(response, [keys]))
    const said = await problem(rest('/keys'))
    expect(said).toContain('cannot be read: records have more than 10000 different keys')
    expect(said).not.toContain('not valid JSON')
  })

  it('is told the key that raises a limit, and none where there is none', async () => {
    const hint = async (path: string, ...keys: string[]) => {
      const error = await fetchFast(rest(path, ...keys)).catch((caught: unknown) => caught)
      return (error as { hint?: string }).hint
    }
    server.route('/deep', (_request, response) =>
      sendJson(response, `[{"id": 1, "x": ${'['.repeat(600)}${']'.repeat(600)}}]`),
    )
    server.route('/twice-given', (_request, response) => sendJson(response, '[{"id": 1, "id": 2}]'))
    server.route('/long', (_request, response) =>
      sendJson(response, [{ id: 1 }, { id: 2, text: 'x'.repeat(3 << 20) }]),
    )
    expect(await hint('/deep')).toBe(
      'Raise limits.depth under ingest, or ask the source for records that are less nested.',
    )
    expect(await hint('/deep', 'limits: {depth: 700}')).toBeUndefined()
    expect(await hint('/deep', 'limits: {depth: 550}')).toContain('Raise limits.depth')
    server.route('/deepest', (_request, response) =>
      sendJson(response, `[{"id": 1, "x": ${'['.repeat(50_000)}${']'.repeat(50_000)}}]`),
    )
    expect(await hint('/deepest', 'limits: {depth: 100000}')).toContain('no setting helps')
    expect(await hint('/twice-given')).toBe(
      'Ask the source to give each key once: one of the two values would be lost.',
    )
    expect(await hint('/long', 'limits: {record: 1MB}')).toBe(
      'Raise ingest.limits.record, or ask the source for smaller records.',
    )
  })
})

describe('files', () => {
  const file = (resource: string, limits: string) =>
    `ingest: {type: file, endpoint: ./data, resource: "${resource}", limits: {${limits}}}`

  it('may not be bombs', async () => {
    const line = Buffer.from(`{"a":"${'a'.repeat(1 << 20)}"}\n`)
    project.write('data/bomb.ndjson.gz', gzipSync(Buffer.concat(Array.from({ length: 40 }, () => line))))
    await expect(fetchOnly(project, file('bomb.ndjson.gz', 'ratio: 100'))).rejects.toMatchObject({
      code: 'source-unreadable',
    })
  })

  it('that are packed CSV may not be bombs either', async () => {
    const lines = Buffer.from(
      `id,name\n${'1,aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n'.repeat(400_000)}`,
    )
    project.write('data/bomb.csv.gz', gzipSync(lines))
    await expect(fetchOnly(project, file('bomb.csv.gz', 'ratio: 100'))).rejects.toMatchObject({
      code: 'source-unreadable',
      message: expect.stringContaining('bomb.csv.gz" unpacks to more than 100 times its size (limits.ratio)'),
      hint: 'Raise ingest.limits.ratio if that is right.',
    })
    expect((await fetchOnly(project, file('bomb.csv.gz', 'ratio: 1000'))).rows).toBe(400_000)
  })

  it('may unpack to so much together', async () => {
    const lines = Buffer.from(`id\n${Array.from({ length: 20_000 }, (_, n) => n * 7919).join('\n')}\n`)
    for (const name of ['a', 'b']) project.write(`data/packed/${name}.csv.gz`, gzipSync(lines))
    project.write('data/packed/c.json.gz', gzipSync(`[${'{"id":1234567},'.repeat(20_000)}{"id":2}]`))
    const problem = (resource: string, limits: string) =>
      fetchOnly(project, file(resource, limits)).then(
        () => 'no error',
        (error: Error) => error.message,
      )
    const together = 'unpacks to more than 300 KB, together with the files before it (limits.total)'
    expect(await problem('packed/a.csv.gz', 'total: 300KB')).toBe('no error')
    expect(await problem('packed/*.csv.gz', 'total: 300KB')).toContain(`b.csv.gz" ${together}`)
    expect(await problem('packed/c.json.gz', 'total: 200KB')).toContain(
      'unpacks to more than 200 KB (limits.total)',
    )
  })

  it('of Zstandard are measured without being unpacked', async () => {
    const local = await openLocalReader({})
    const path = project.path('data/bomb.csv.zst')
    const rows = "SELECT 1 AS id, repeat('a', 50) AS name FROM range(400000)"
    try {
      await local.rows(`COPY (${rows}) TO '${path}' (FORMAT csv, COMPRESSION zstd)`)
    } finally {
      local.close()
    }
    const zst = (limits: string) =>
      `ingest: {type: file, endpoint: ./data, resource: bomb.csv.zst, format: csv, limits: {${limits}}}`
    await expect(fetchOnly(project, zst('ratio: 100'))).rejects.toMatchObject({
      message: expect.stringContaining('unpacks to more than 100 times its size (limits.ratio)'),
    })
    expect((await fetchOnly(project, zst('ratio: 100000'))).rows).toBe(400_000)
  })

  it('may not be too many', async () => {
    for (const name of ['a', 'b', 'c']) project.write(`data/many/${name}.csv`, 'id\n1\n')
    await expect(fetchOnly(project, file('many/*.csv', 'files: 2'))).rejects.toMatchObject({
      code: 'source-unreadable',
      message: 'cannot read "many/*.csv": its pattern matches more than 2 files (limits.files)',
    })
    await expect(fetchOnly(project, file('**/*.csv', 'names: 2'))).rejects.toMatchObject({
      code: 'source-unreadable',
    })
  })
})

it('a long text is scanned a few times, however many pieces it comes in', () => {
  const shape = newShape()
  let seen = 0
  const reader = createRecordReader({
    place: { kind: 'path', path: [] },
    shape,
    levels: 2,
    onRecord: record => {
      seen = record.end - record.start
    },
  })
  const piece = Buffer.alloc(16 << 10, 'x')
  reader.push(Buffer.from('[{"a":"'))
  // Quadratic work over 64 MB in pieces of 16 kB would be 128 GB to read.
  for (let at = 0; at < 4096; at++) reader.push(piece)
  reader.push(Buffer.from('"}]'))
  expect(reader.end().records).toBe(1)
  expect(seen).toBe(4096 * piece.length + 8)
})
