/** `svc discover` of files, on this disk and elsewhere: what it writes validates and runs, and has no secret. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { showsSource } from '../support/features/shows.ts'
import { s3Key, startS3Server } from '../support/s3-server.ts'
import { canStartSshd, startSftpServer } from '../support/sftp-server.ts'
import { createGround, type Ground } from './bad-input/command-line.ts'

let ground: Ground
beforeEach(() => {
  ground = createGround({ 'svc.yaml': 'name: shop\n' })
})
afterEach(() => ground.dispose())

type Env = Readonly<Record<string, string>>
const fileOf = (name: string) => readFileSync(join(ground.root, `models/${name}.svc`), 'utf8')
const csv = 'id,E-Mail,at\n1,ann@example.com,2024-01-31\n2,bob@example.com,2024-02-01\n'

/** Discovers, checks and loads; returns the columns of the contract. */
async function discovered(address: string, name: string, env: Env = {}): Promise<string> {
  for (const words of [['discover', address], ['validate'], ['run', '--all']]) {
    const said = await ground.line(words, { env })
    expect(said.code, said.stdout + said.stderr).toBe(0)
  }
  return fileOf(name)
}

describe('files of a folder', () => {
  it('become one asset with the columns of all of them', async () => {
    showsSource(['folder'], ['discover'])
    ground.write('data/orders-1.csv', csv)
    ground.write('data/orders-2.csv', 'id;E-Mail;at;amount\n3;;2024-03-01;1.5\n')
    ground.write('data/other.csv', 'x\n1\n')
    expect(await discovered('data/orders-*.csv', 'orders')).toMatchInlineSnapshot(`
      "name: orders
      description: "Records of orders-*.csv in data."

      ingest:
        type: file
        endpoint: data
        resource: "orders-*.csv"
        primary_key: id

      contract:
        required_columns: [id]
        columns:
          id: bigint
          e_mail: {type: varchar, pii: true}
          at: date
          amount: double

      transform: |
        SELECT
          id,
          e_mail,
          "at",
          amount
        FROM {{ source }}

      tests:
        - unique: id
        - not_null: id
      "
    `)
  })

  it('of every format, packed, by folders named key=value, from a folder below', async () => {
    ground.write('data/month=05/a.ndjson', '{"id":1,"lines":[{"sku":"a"}]}\n')
    writeFileSync(join(ground.root, 'data/people.csv.gz'), gzipSync(csv))
    const text = await discovered('data/**/*.ndjson', 'data')
    expect(text).toContain('resource: "**/*.ndjson"')
    expect(text).toContain('month: bigint')
    expect(await discovered(join(ground.root, 'data/people.csv.gz'), 'people')).toContain('endpoint: data\n')
  })

  it.each([
    [['data'], '"data" is a folder', 'svc discover "data/*.csv"'],
    [['data/a.csv', '--all'], 'files have no tables', 'one asset'],
    [['data/a.csv', 'table:x'], 'files have no tables', 'one asset'],
    [['data/a.doc'], 'does not say how the file is written', 'Names end in .csv'],
    [['env:PLACE'], 'the address of files is written out', 'variable'],
    [['https://ann@localhost/a.csv'], 'has no user and no parameters', 'env:NAME'],
    [['https://localhost/a*.csv'], 'a web server does not list its files', 'Name one file, and'],
  ])('%j is wrong usage', async (words, message, hint) => {
    ground.write('data/a.csv', csv)
    ground.write('data/a.doc', csv)
    const said = await ground.line(['discover', ...words], { env: { PLACE: 's3://lake/a.csv' } })
    const text = said.stderr.replace(/\s+/g, ' ')
    expect(text).toContain(message)
    expect(text).toContain(hint)
    expect(said.code).toBe(2)
  })

  it('that are not there, or have no rows, are told', async () => {
    const none = await ground.line(['discover', 'data/none.csv'])
    expect([none.code, none.stderr]).toEqual([3, expect.stringContaining('does not exist')])
    ground.write('data/empty.csv', 'id,name\n')
    const empty = await ground.line(['discover', 'data/empty.csv', '--no-write'])
    expect([empty.code, empty.stderr]).toEqual([1, expect.stringContaining('empty.csv has no records')])
  })
})

it('a file of a web server, and of a bucket', async () => {
  showsSource(['https', 's3'], ['discover'])
  const web = createServer((_request, response) => response.end(csv))
  await new Promise<void>(resolve => web.listen(0, '127.0.0.1', resolve))
  const bucket = await startS3Server()
  bucket.put('lake', 'in/visits/a.csv', csv)
  try {
    const { port } = web.address() as AddressInfo
    const text = await discovered(`http://127.0.0.1:${port}/open/people.csv`, 'people')
    expect(text).toContain(
      `endpoint: http://127.0.0.1:${port}/open\n  resource: people.csv\n  primary_key: id\n`,
    )
    expect(text).toContain('e_mail: {type: varchar, pii: true}')
    const env = {
      ...{ AWS_ACCESS_KEY_ID: s3Key.id, AWS_SECRET_ACCESS_KEY: s3Key.secret },
      ...{ AWS_REGION: 'eu-central-1', AWS_ENDPOINT_URL_S3: bucket.origin },
    }
    expect(await discovered('s3://lake/in/visits/*.csv', 'visits', env)).toContain(
      'endpoint: s3://lake/in/visits\n',
    )
  } finally {
    web.close()
    await bucket.close()
  }
})

it.skipIf(!canStartSshd())('files of an SFTP server, whose key stays outside', async () => {
  showsSource(['sftp'], ['discover'])
  const server = await startSftpServer()
  try {
    writeFileSync(join(server.files, 'sales-1.csv'), csv)
    mkdirSync(join(ground.root, '.ssh'))
    ground.write('.ssh/known_hosts', `${server.knownHost}\n`)
    const env = { HOME: ground.root, USERPROFILE: ground.root, SOURCE__SALES__CREDENTIALS: server.key }
    const address = `sftp://${server.user}@127.0.0.1:${server.port}${server.files}/sales-*.csv`
    expect(await discovered(address, 'sales', env)).toContain('resource: "sales-*.csv"')
    const secret = address.replace('@', ':sesame@')
    const said = await ground.line(['discover', secret, '--name', 'hidden', '--no-write'], { env })
    expect(said.stdout + said.stderr).not.toContain('sesame')
  } finally {
    await server.stop()
  }
})
