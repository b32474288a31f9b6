/** Files that are published to a bucket and to an SFTP server: whole, or not at all. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { s3Client } from '../../../cli/engine/s3/client.ts'
import { s3Place } from '../../../cli/engine/s3/place.ts'
import { uploadFile } from '../../../cli/engine/s3/upload.ts'
import { showsDestination } from '../../support/features/shows.ts'
import { type S3Server, s3Key, startS3Server } from '../../support/s3-server.ts'
import { canStartSshd, type SftpServer, startSftpServer } from '../../support/sftp-server.ts'
import { customers, type Ground, publishGround } from './ground.ts'

let ground: Ground
afterEach(() => ground?.dispose())

const one = 'id,email,name,amount\n1,c1@example.com,name 1,1.5\n'
const lines = (text: string | undefined) => text?.trim().split('\n').length

describe('a file of a bucket', () => {
  let server: S3Server
  beforeAll(async () => {
    server = await startS3Server()
  })
  afterAll(() => server.close())
  beforeEach(() => {
    server.buckets.clear()
    server.buckets.set('shop', new Map())
    server.readers.clear()
    server.before = () => false
  })

  const to = (resource: string, more = '') =>
    publishGround(
      `{type: file, endpoint: "s3://shop/out", resource: ${resource}, s3: {endpoint: "${server.origin}", region: eu-central-1}${more}}`,
      { secrets: { DESTINATION__THERE__CREDENTIALS: `${s3Key.id}:${s3Key.secret}` } },
    )
  const content = (key: string) => server.buckets.get('shop')?.get(key)?.toString()

  it('is written, and again only when something has changed or it is gone', async () => {
    showsDestination(['s3'], ['replace', 'creates', 'difference', 'dry_run'])
    ground = to('people.csv')
    await ground.production(customers(1))
    expect((await ground.publish(['--dry-run'])).value).toMatchObject({ planned: { inserts: 1 } })
    expect(content('out/people.csv')).toBeUndefined()
    expect(await ground.publish()).toMatchObject({ code: 0, value: { done: { inserts: 1 }, creates: true } })
    expect(content('out/people.csv')).toBe(one)
    server.asked.length = 0
    expect((await ground.publish()).value.done).toMatchObject({ inserts: 0, unchanged: 1 })
    expect(server.asked).toEqual(['HEAD /shop/out/people.csv'])
    server.buckets.get('shop')?.delete('out/people.csv')
    await ground.publish()
    expect(content('out/people.csv')).toBe(one)
    await ground.production(customers(2))
    await ground.publish()
    expect(lines(content('out/people.csv'))).toBe(3)
  })

  it('of Parquet can be read again from there', async () => {
    ground = to('people.parquet')
    await ground.production(customers(2))
    expect((await ground.publish()).code).toBe(0)
    ground.write(
      'models/again.svc',
      `name: again\ningest: {type: file, endpoint: "s3://shop/out", resource: "*.parquet", s3: {endpoint: "${server.origin}", region: eu-central-1}}\ntransform: SELECT name FROM {{ source }}\n`,
    )
    const env = { AWS_ACCESS_KEY_ID: s3Key.id, AWS_SECRET_ACCESS_KEY: s3Key.secret }
    const { code, stderr } = await ground.svc(['run', 'again'], { env })
    expect(code, stderr).toBe(0)
    expect((await ground.svc(['sample', 'again', '--csv'])).stdout).toBe('name\r\nname 1\r\nname 2\r\n')
  })

  it('stays as it was when the key may not write, and nothing counts as published', async () => {
    ground = to('people.csv', ', limits: {retries: 0}')
    await ground.production(customers(1))
    await ground.publish()
    await ground.production(customers(3))
    server.readers.add(s3Key.id)
    const refused = await ground.publish()
    expect(refused.code).toBe(3)
    expect(refused.value.error?.message).toContain('the key may not read or write s3://shop/out/people.csv')
    expect(JSON.stringify(refused)).not.toContain(s3Key.secret)
    expect(content('out/people.csv')).toBe(one)
    server.readers.clear()
    expect((await ground.publish()).value.done).toMatchObject({ inserts: 2, unchanged: 1 })
    expect(lines(content('out/people.csv'))).toBe(4)
  })

  it('whose upload was killed is given up by the next publish, and no other one is', async () => {
    ground = to('people.csv', ', limits: {retries: 0}')
    await ground.production(customers(1))
    await ground.publish()
    server.uploads.set('left', new Map([[1, Buffer.from('x')]]))
    server.uploadKeys.set('left', 'out/people.csv')
    server.uploads.set('another', new Map())
    server.uploadKeys.set('another', 'out/people.csv.old')
    await ground.production(customers(2))
    server.readers.add(s3Key.id)
    expect((await ground.publish()).code).toBe(3)
    server.readers.clear()
    expect((await ground.publish()).code).toBe(0)
    expect([...server.uploads.keys()]).toEqual(['another'])
    server.uploads.clear()
    server.asked.length = 0
    await ground.publish()
    expect(server.asked).toEqual(['HEAD /shop/out/people.csv'])
  })

  it('that is large goes in parts, and one that fails is given up', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-upload-'))
    const path = join(folder, 'large')
    const bytes = Buffer.alloc(12 << 20, 'abcdefg')
    writeFileSync(path, bytes)
    const env = { HOME: '/nowhere' }
    const settings = { endpoint: server.origin, region: 'eu-central-1', anonymous: false }
    const credentials = `${s3Key.id}:${s3Key.secret}`
    const place = await s3Place({ endpoint: 's3://shop', settings, credentials, env, where: 's3' })
    const limits = { retries: 2, concurrency: 2, timeoutMs: 30_000 }
    const signal = new AbortController().signal
    const backoff = { baseMs: 1, capMs: 2, random: () => 0 }
    const client = s3Client({
      place,
      env,
      now: () => new Date(),
      signal,
      limits,
      backoff,
      note: () => undefined,
    })
    try {
      let failures = 0
      server.before = (request, response) => {
        if (!(request.url ?? '').includes('partNumber=2') || ++failures > 1) return false
        response.writeHead(503).end()
        return true
      }
      await uploadFile(client, 'large +ü.bin', path, 5 << 20)
      expect(server.buckets.get('shop')?.get('large +ü.bin')?.equals(bytes)).toBe(true)
      server.before = (request, response) => {
        if (!(request.url ?? '').includes('partNumber=3')) return false
        response.writeHead(403).end()
        return true
      }
      await expect(uploadFile(client, 'second.bin', path, 5 << 20)).rejects.toMatchObject({
        code: 'http-status',
      })
      expect([...(server.buckets.get('shop')?.keys() ?? [])]).toEqual(['large +ü.bin'])
      expect(server.uploads.size).toBe(0)
    } finally {
      await client.close()
      rmSync(folder, { recursive: true })
    }
  })
})

describe.skipIf(!canStartSshd())('a file of an SFTP server', () => {
  let server: SftpServer
  beforeAll(async () => {
    server = await startSftpServer()
  })
  afterAll(() => server?.stop())

  it('is sent under another name and renamed, and what was there stays when it cannot be', async () => {
    showsDestination(['sftp'], ['replace', 'creates', 'difference', 'dry_run'])
    const folder = join(server.files, 'out')
    ground = publishGround(
      `{type: file, endpoint: "sftp://${server.user}@127.0.0.1:${server.port}${server.files}/out", resource: in/people.csv, sftp: {host_key: "${server.hostKey}"}}`,
      { secrets: { DESTINATION__THERE__CREDENTIALS: server.key } },
    )
    await ground.production(customers(1))
    expect((await ground.publish(['--dry-run'])).value).toMatchObject({ planned: { inserts: 1 } })
    expect(existsSync(folder)).toBe(false)
    expect(await ground.publish()).toMatchObject({ code: 0, value: { done: { inserts: 1 }, creates: true } })
    expect(readFileSync(join(folder, 'in', 'people.csv'), 'utf8')).toBe(one)
    expect((await ground.publish()).value.done).toMatchObject({ inserts: 0, unchanged: 1 })
    chmodSync(join(folder, 'in', 'people.csv'), 0o640)
    await ground.production(customers(2))
    expect((await ground.publish()).value.done).toMatchObject({ inserts: 1, unchanged: 1 })
    expect(lines(readFileSync(join(folder, 'in', 'people.csv'), 'utf8'))).toBe(3)
    expect(statSync(join(folder, 'in', 'people.csv')).mode & 0o777).toBe(0o640)
    expect(readdirSync(join(folder, 'in'))).toEqual(['people.csv'])
    // A folder in its place is what no rename replaces.
    rmSync(join(folder, 'in', 'people.csv'))
    mkdirSync(join(folder, 'in', 'people.csv'))
    await ground.production(customers(3))
    expect((await ground.publish()).code).toBe(3)
    expect(readdirSync(join(folder, 'in'))).toEqual(['people.csv'])
    // What a killed publish left goes with the next one; files of others stay.
    rmSync(join(folder, 'in', 'people.csv'), { recursive: true })
    for (const name of ['.people.csv.0a1b2c3d.tmp', '.people.csv.mine.tmp', '.people.json.0a1b2c3d.tmp'])
      writeFileSync(join(folder, 'in', name), 'half')
    expect((await ground.publish()).code).toBe(0)
    expect(readdirSync(join(folder, 'in')).sort()).toEqual([
      '.people.csv.mine.tmp',
      '.people.json.0a1b2c3d.tmp',
      'people.csv',
    ])
  })

  it('is not sent to a server that nobody knows', async () => {
    ground = publishGround(
      `{type: file, endpoint: "sftp://${server.user}@127.0.0.1:${server.port}${server.files}/out", resource: a.csv}`,
      { secrets: { DESTINATION__THERE__CREDENTIALS: server.key, HOME: '/nowhere' } },
    )
    await ground.production(customers(1))
    const { value } = await ground.publish()
    expect(value.error?.code).toBe('host-not-allowed')
    expect(value.error?.hint).toContain('publish.there.sftp.host_key: SHA256:')
  })
})
