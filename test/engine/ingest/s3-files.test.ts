/** Files of a bucket, from a server that checks every signature: what is listed, how it is read, and what goes wrong. */
import { mkdirSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { showsSource } from '../../support/features/shows.ts'
import { type S3Server, s3Key, startS3Server } from '../../support/s3-server.ts'
import { fetchOnly, load, type Project, peek, temporaryProject } from './fetching.ts'

let project: Project
let server: S3Server

beforeAll(async () => {
  project = temporaryProject()
  server = await startS3Server({ pageSize: 2 })
})
afterAll(async () => {
  await server.close()
  project.remove()
})
beforeEach(() => {
  server.buckets.clear()
  server.open.clear()
  server.asked.length = 0
  server.before = () => false
})

const now = () => new Date()
const home = { HOME: '/nowhere', USERPROFILE: '/nowhere' }
const keys = {
  ...home,
  AWS_ACCESS_KEY_ID: s3Key.id,
  AWS_SECRET_ACCESS_KEY: s3Key.secret,
  AWS_REGION: 'eu-central-1',
}

const ingest = (resource: string, more = '', s3 = '', endpoint = 's3://shop/in') =>
  `ingest: {type: file, endpoint: "${endpoint}", resource: "${resource}"${more}, s3: {endpoint: "${server.origin}"${s3}}}`
const csv = (...ids: number[]) => `id,name\n${ids.map(id => `${id},n${id}\n`).join('')}`
const idsOf = async (body: string, env: Record<string, string> = keys) =>
  (await load(project, body, { env, now })).rows['']?.map(row => Number(row['id'])).sort((a, b) => a - b)

it('are listed page by page, and those that match are read', async () => {
  showsSource(['s3'], ['replace', 'mask', 'max_rows'])
  for (let id = 1; id <= 5; id++) server.put('shop', `in/part ${id}+ü&<.csv`, csv(id))
  server.put('shop', 'in/other.txt', csv(90))
  server.put('shop', 'in/deep/part 6.csv', csv(91))
  server.put('shop', 'inside/part 7.csv', csv(92))
  expect(await idsOf(ingest('part*.csv'))).toEqual([1, 2, 3, 4, 5])
  expect(server.asked.filter(line => line.includes('list-type=2'))).toHaveLength(3)
  expect(await idsOf(ingest('**/*.csv'))).toEqual([1, 2, 3, 4, 5, 91])
  expect(await idsOf(ingest('{other,none}.txt'))).toEqual([90])
  expect(await idsOf(ingest('deep/part 6.csv'))).toEqual([91])
  expect(await idsOf(ingest('in/part 1*.csv', '', '', 's3://shop'))).toEqual([1])
  const few = ingest('part*.csv', ', mask: {name: redact}, limits: {max_rows: 2}')
  const { rows } = await load(project, few, { env: keys, now })
  expect(rows['']?.map(({ name }) => name)).toEqual(['***', '***'])
})

it('may be packed, and may hold records of every format', async () => {
  server.put('shop', 'in/a.csv.gz', gzipSync(csv(1, 2)))
  server.put('shop', 'in/a.ndjson', '{"id":7,"lines":[{"sku":"a"}]}\n')
  expect(await idsOf(ingest('a.csv.gz'))).toEqual([1, 2])
  expect((await load(project, ingest('a.ndjson'), { env: keys, now })).rows['lines']).toMatchObject([
    { sku: 'a' },
  ])
})

it('have the same content as long as their bytes are the same', async () => {
  server.put('shop', 'in/a.csv', csv(1))
  server.put('shop', 'in/b.csv', csv(2))
  const id = async () => (await fetchOnly(project, ingest('*.csv'), { env: keys, now })).loadId
  const first = await id()
  expect(await id()).toBe(first)
  server.put('shop', 'in/b.csv', csv(3))
  expect(await id()).not.toBe(first)
})

it('are asked for with the key of the file, of the credentials, of the variables or of a profile', async () => {
  server.put('shop', 'in/a.csv', csv(1))
  const region = ', region: eu-central-1'
  const own = `${region}, access_key_id: env:ID, secret_access_key: env:SECRET`
  expect(await idsOf(ingest('a.csv', '', own), { ...home, ID: s3Key.id, SECRET: s3Key.secret })).toEqual([1])
  const pair = { ...home, SOURCE__ORDERS__CREDENTIALS: `${s3Key.id}:${s3Key.secret}` }
  expect(await idsOf(ingest('a.csv', '', region), pair)).toEqual([1])
  project.write(
    '.aws/credentials',
    `[default]\naws_access_key_id = nobody\naws_secret_access_key = x\n\n[shop]\naws_access_key_id = ${s3Key.id}\naws_secret_access_key = ${s3Key.secret}\n`,
  )
  project.write('.aws/config', '[profile shop]\nregion = eu-central-1\n')
  const profile = { HOME: project.root }
  expect(await idsOf(ingest('a.csv', '', ', profile: shop'), profile)).toEqual([1])
  expect(await idsOf(ingest('a.csv'), { ...profile, AWS_PROFILE: 'shop' })).toEqual([1])
  await expect(idsOf(ingest('a.csv', '', ', profile: shoop'), profile)).rejects.toMatchObject({
    code: 'missing-credentials',
    message: 'there is no AWS profile "shoop"',
  })
  await expect(idsOf(ingest('a.csv'), home)).rejects.toMatchObject({
    code: 'missing-credentials',
    hint: expect.stringContaining('ingest.s3.anonymous: true'),
  })
})

it('of a bucket that is open to everybody need no key', async () => {
  server.put('shop', 'in/a.csv', csv(1))
  await expect(idsOf(ingest('a.csv', '', ', anonymous: true'), home)).rejects.toMatchObject({
    message: 'the bucket "shop" is not open to everybody',
  })
  server.open.add('shop')
  expect(await idsOf(ingest('a.csv', '', ', anonymous: true'), home)).toEqual([1])
})

it('tell what is wrong: bucket, key, secret, rights, region, clock', async () => {
  server.put('shop', 'in/a.csv', csv(1))
  const wrong = async (env: Record<string, string>, body = ingest('a.csv'), clock = now) =>
    await fetchOnly(project, body, { env: { ...keys, ...env }, now: clock }).then(
      () => undefined,
      (error: Error & { hint?: string }) => `${error.message} | ${error.hint}`,
    )
  expect(await wrong({}, ingest('a.csv', '', '', 's3://shoop/in'))).toContain(
    'there is no bucket "shoop" at 127.0.0.1',
  )
  expect(await wrong({ AWS_ACCESS_KEY_ID: 'nobody' })).toContain('does not know the key (InvalidAccessKeyId)')
  expect(await wrong({ AWS_SECRET_ACCESS_KEY: 'wrong-secret' })).toContain('the secret of the key is wrong')
  expect(await wrong({ AWS_REGION: 'us-east-1' })).toBe(
    'the bucket "shop" is not in the region us-east-1 | Write ingest.s3.region: eu-central-1, or set AWS_REGION.',
  )
  const yesterday = () => new Date(Date.now() - 86_400_000)
  expect(await wrong({}, ingest('a.csv'), yesterday)).toContain(
    'the clock of this machine is wrong: the service has 20',
  )
  expect(await wrong({}, ingest('b*.csv'))).toContain('no file matches "b*.csv" in s3://shop/in')
  expect(await wrong({}, ingest('a.csv', ', limits: {body: 1KB}'))).toBeUndefined()
  server.put('shop', 'in/a.csv', csv(...Array.from({ length: 500 }, (_, id) => id)))
  expect(await wrong({}, ingest('a.csv', ', limits: {body: 1KB}'))).toContain(
    'is larger than 1 KB (limits.body)',
  )
  server.put('shop', 'in/c.csv', csv(1))
  expect(await wrong({}, ingest('*.csv', ', limits: {files: 1}'))).toContain(
    'more than 1 files (limits.files)',
  )
})

it('are tried again when the service is busy or the connection breaks, and told when that does not help', async () => {
  showsSource(['s3'], ['retries'])
  server.put('shop', 'in/a.csv', csv(1, 2))
  let failures = 0
  server.before = (request, response) => {
    if (!(request.url ?? '').includes('a.csv') || failures > 1) return false
    if (++failures === 1)
      response.writeHead(503, { 'retry-after': '0' }).end('<Error><Code>SlowDown</Code></Error>')
    else {
      response.writeHead(200, { 'content-length': '18' }).write('id,name\n1,')
      setTimeout(() => response.destroy(), 10)
    }
    return true
  }
  const { rows, notes } = await load(project, ingest('a.*'), { env: keys, now })
  expect(rows['']).toHaveLength(2)
  expect(notes.join('\n')).toContain('then try 2 of 6')
  server.before = (_request, response) => {
    response.writeHead(500).end()
    return true
  }
  await expect(
    fetchOnly(project, ingest('a.csv', ', limits: {retries: 0}'), { env: keys, now }),
  ).rejects.toMatchObject({ code: 'http-status', message: expect.stringContaining('status 500') })
})

it('that have come stay when the fetch breaks off, unless they have changed since', async () => {
  showsSource(['s3'], ['resume'])
  for (let id = 1; id <= 4; id++) server.put('shop', `in/${id}.csv`, csv(id))
  const spoolFolder = project.path('.spool/broken')
  mkdirSync(spoolFolder, { recursive: true })
  const context = { env: keys, now, spoolFolder }
  const one = ', limits: {retries: 0, concurrency: 1}'
  server.before = (request, response) => {
    const isThird = (request.url ?? '').includes('/3.csv')
    if (isThird) response.writeHead(500).end()
    return isThird
  }
  await expect(fetchOnly(project, ingest('*.csv', one), context)).rejects.toMatchObject({
    code: 'http-status',
  })
  server.before = () => false
  server.put('shop', 'in/2.csv', csv(2, 20))
  server.asked.length = 0
  const { rows, notes } = await load(project, ingest('*.csv', one), context)
  expect(rows['']?.map(({ id }) => Number(id))).toEqual([1, 2, 20, 3, 4])
  expect(notes).toContain('going on: 1 of 4 files is kept')
  expect(server.asked.filter(line => line.includes('.csv') && !line.includes('list-type'))).toHaveLength(3)
})

it('of a list that says that there is more, and not where, are not taken for all', async () => {
  server.put('shop', 'in/a.csv', csv(1))
  const list = (inside: string) => {
    server.before = (request, response) => {
      if (!(request.url ?? '').includes('list-type')) return false
      response.end(inside)
      return true
    }
  }
  const failing = () => fetchOnly(project, ingest('*.csv'), { env: keys, now })
  const contents = '<Contents><Key>in/a.csv</Key><Size>9</Size></Contents>'
  list(`<ListBucketResult><IsTruncated>true</IsTruncated>${contents}</ListBucketResult>`)
  await expect(failing()).rejects.toMatchObject({
    code: 'http-body',
    message: 'the list of s3://shop/in/ says that there are more objects, and not where they begin',
  })
  for (const other of ['<html>Please log in</html>', `<ListBucketResult>${contents}`]) {
    list(other)
    await expect(failing()).rejects.toMatchObject({
      message: 'the list of s3://shop/in/ is no whole list of S3',
    })
  }
  server.before = () => false
})

it('that change while they are read are told', async () => {
  server.put('shop', 'in/a.csv', csv(1))
  server.before = request => {
    if (!(request.url ?? '').includes('list-type')) server.put('shop', 'in/a.csv', csv(2))
    return false
  }
  await expect(fetchOnly(project, ingest('a.csv'), { env: keys, now })).rejects.toMatchObject({
    message: 's3://shop/in/a.csv changed while it was read',
  })
})

it('are not read whole to know their columns', async () => {
  server.put('shop', 'in/a.csv', `id,text\n${`1,${'x'.repeat(1000)}\n`.repeat(20_000)}`)
  server.put('shop', 'in/b.csv', 'id,text\n1,a\n')
  const sent: string[] = []
  server.before = request => {
    if (request.headers.range !== undefined) sent.push(`${request.url} ${request.headers.range}`)
    return false
  }
  const tables = await peek(project, ingest('*.csv'), { env: keys, now })
  expect(tables[0]?.columns.map(({ name }) => name)).toEqual(['id', 'text'])
  expect(tables[0]?.complete).toBe(false)
  expect(sent).toEqual(['/shop/in/a.csv bytes=0-4194303'])
})

it('never show the key in a message or a line of the log', async () => {
  server.put('shop', 'in/a.csv', csv(1))
  const env = { ...keys, AWS_SECRET_ACCESS_KEY: 'wrong-secret' }
  const error = await fetchOnly(project, ingest('a.csv'), { env, now }).catch((failure: unknown) => failure)
  expect(JSON.stringify([String(error), error])).not.toContain('wrong-secret')
})
