/** Secrets in files, in the environment and in what servers say: no command, file or table ever gives one back. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterEach, describe, expect, it } from 'vitest'
import { type RestServer, sendJson, startRestServer } from '../../support/rest-server.ts'
import { createGround, expectNoStack, expectRefusal, type Ground } from './command-line.ts'

const made: { dispose(): void }[] = []
const servers: RestServer[] = []

afterEach(async () => {
  for (const one of made.splice(0)) one.dispose()
  for (const server of servers.splice(0)) await server.close()
})

function ground(files: Readonly<Record<string, string>>): Ground {
  const one = createGround(files)
  made.push(one)
  return one
}

/** Everything that svc wrote below the root: not what the user did. */
function writtenFiles(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(name => !/^models\/|^models$|^svc\.yaml$|^data/.test(name))
    .map(name => join(root, name))
    .filter(path => statSync(path).isFile())
}

/** Every value of every table of the warehouse, as text: the file itself is compressed. */
async function warehouseText(root: string): Promise<string> {
  const instance = await DuckDBInstance.create(join(root, 'warehouse.duckdb'), { access_mode: 'READ_ONLY' })
  try {
    const connection = await instance.connect()
    const tables = await connection.runAndReadAll(
      `SELECT '"' || table_schema || '"."' || table_name || '"' FROM information_schema.tables WHERE table_type = 'BASE TABLE'`,
    )
    const texts: string[] = []
    for (const [table] of tables.getRows()) {
      const rows = await connection.runAndReadAll(`SELECT CAST(t AS VARCHAR) FROM ${String(table)} t`)
      texts.push(rows.getRows().flat().join('\n'))
    }
    connection.closeSync()
    return texts.join('\n')
  } finally {
    instance.closeSync()
  }
}

function expectNoSecret(text: string, secrets: readonly string[], where: string): void {
  for (const secret of secrets) {
    for (const spelling of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')]) {
      expect(text.includes(spelling), `${where} tells ${secret}`).toBe(false)
    }
  }
}

const commands: readonly (readonly string[])[] = [
  ['validate'],
  ['validate', '--json'],
  ['plan'],
  ['plan', '--json'],
  ['run', 'good'],
  ['run', 'good', '--debug'],
  ['run', 'good', '--log-format', 'json'],
  ['preview', 'good', '--json'],
  ['run'],
  ['run', '--json'],
  ['run', '--debug'],
  ['run', '--log-format', 'json'],
  ['run', 'leaky'],
  ['run', 'leaky', '--debug'],
  ['inspect', 'leaky'],
  ['inspect', 'leaky', '--json'],
  ['inspect', 'models/broken.svc'],
  ['inspect', 'models/broken.svc', '--json'],
  ['manifest'],
  ['manifest', '--json'],
  ['manifest', '--update', '--json'],
  ['doctor'],
  ['doctor', '--json'],
  ['status'],
  ['status', '--format', 'json'],
  ['versions', 'leaky', '--json'],
  ['sample', 'leaky'],
  ['test'],
  ['test', '--json'],
  ['freshness'],
  ['rollback'],
]

async function expectSilence(
  one: Ground,
  secrets: readonly string[],
  env: Record<string, string>,
): Promise<void> {
  for (const words of commands) {
    const said = await one.line(words, { env })
    // What lies behind an error is what --debug is for.
    if (!words.includes('--debug')) expectNoStack(said)
    expectNoSecret(said.stdout + said.stderr, secrets, `svc ${words.join(' ')}`)
  }
  const files = writtenFiles(one.root)
  for (const path of files) expectNoSecret(readFileSync(path, 'utf8'), secrets, path)
  expect(files.map(path => path.slice(one.root.length + 1))).toContain('svc_catalog.json')
  expectNoSecret(await warehouseText(one.root), secrets, 'the warehouse')
}

describe('secrets written into files', () => {
  const inFile = {
    token: 'Zx81-tulip-token',
    password: 'Zx82-tulip-password',
    header: 'Zx83-tulip-header',
    query: 'Zx84-tulip-query',
    address: 'Zx85-tulip-address',
    aws: 'AKIAZX86TULIPZX86TUL',
    github: 'ghp_Zx87TulipZx87TulipZx87TulipZx87Tul',
    comment: 'Zx88q1w2e3r4t5z6u7i8',
    exposure: 'Zx89-tulip-exposure',
    setting: 'Zx90-tulip-setting',
    broken: 'Zx91-tulip-broken',
    test: 'ghp_Zx92TulipZx92TulipZx92TulipZx92Tul',
    warehouse: 'Zx93-tulip-warehouse',
  }
  const leaky = `name: leaky
# password: ${inFile.comment}
ingest:
  type: rest_api
  endpoint: "http://user:${inFile.address}@127.0.0.1:9/?api_key=${inFile.query}"
  resource: things
  credentials: ${inFile.token}
  headers: {Authorization: "Bearer ${inFile.header}"}
  auth: {type: basic, username: bob, password: ${inFile.password}, passwrd: ${inFile.password}}
transform: |
  SELECT '${inFile.aws}' AS key, ide -- ${inFile.github}
  FROM {{ source }} WHERE token = '${inFile.github}' ${inFile.github}
tests:
  - sql: SELECT '${inFile.test}' FROM {{ this }}
exposures: [{name: Board, type: dashboard, url: "https://u:${inFile.exposure}@board.example"}]
`
  const broken = `name: broken
ingest:
  type: rest_api
  endpoint: https://api.example.com
  auth: {type: bearer, token: "${inFile.broken}
  password: ${inFile.broken}
  resource: [
transform: SELECT 1 AS id
`

  it('are never printed back, by no command, file or table', async () => {
    const one = ground({
      'svc.yaml': `name: secrets\nvars: {api_token: ${inFile.setting}}\n`,
      'models/good.svc': 'name: good\ningest: none\ntransform: SELECT 1 AS id\ntests: [{unique: id}]\n',
      'models/leaky.svc': leaky,
      'models/broken.svc': broken,
    })
    const told = await one.line(['validate'])
    expectRefusal(told, 1, 'hard-coded credential', 'Write env:SOURCE__LEAKY__')
    // A wrong svc.yaml stops everything; what follows is about the files.
    expectRefusal(await one.line(['run', 'good']), 2, 'svc.yaml')
    one.write('svc.yaml', 'name: secrets\n')
    await expectSilence(one, Object.values(inFile), {})
  })

  it('in the address of a warehouse', async () => {
    const one = ground({
      'svc.yaml': `name: secrets\nwarehouse: postgres://u:${inFile.warehouse}@127.0.0.1:9/db\n`,
      'models/good.svc': 'name: good\ningest: none\ntransform: SELECT 1 AS id\n',
    })
    for (const words of commands) {
      const said = await one.line(words)
      expect(said.code, said.stderr).not.toBe(70)
      expectNoSecret(said.stdout + said.stderr, [inFile.warehouse], words.join(' '))
    }
    one.write('svc.yaml', 'name: secrets\nwarehouse: env:WH\n')
    for (const url of [
      `postgres://u:${inFile.warehouse}@h/db`,
      `mysql://${inFile.warehouse}@h`,
      inFile.warehouse,
    ]) {
      for (const words of commands) {
        const said = await one.line(words, { env: { WH: url } })
        expect(said.code, said.stderr).not.toBe(70)
        expectNoSecret(said.stdout + said.stderr, [inFile.warehouse], `${words.join(' ')} with ${url}`)
      }
    }
  })
})

describe('secrets of the environment', () => {
  it('do not come back in what a server says, whatever it says', async () => {
    const token = 'Tk/41+tulip==&x'
    const server = await startRestServer()
    servers.push(server)
    server.route('/denied', (request, response) =>
      sendJson(
        response,
        { message: `no: ${request.headers['authorization']}`, url: request.query.get('k') },
        401,
      ),
    )
    server.route('/page', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(`<title>${token}</title>`)
    })
    server.route('/broken', (_request, response) => sendJson(response, `[{"id": 1, "t": "${token}" oops`))
    server.route('/away', (_request, response) => {
      response.writeHead(302, { location: `http://elsewhere.invalid/?token=${encodeURIComponent(token)}` })
      response.end()
    })
    const source = (name: string, path: string) =>
      `name: ${name}\ningest:\n  type: rest_api\n  endpoint: ${server.origin}\n  resource: ${path}\n  credentials: env:MY_TOKEN\n  auth: {type: bearer}\n  params: {k: "env:MY_TOKEN"}\n  limits: {retries: 0}\ncontract: {columns: {id: bigint}}\ntransform: SELECT id FROM {{ source }}\n`
    const one = ground({
      'svc.yaml': 'name: secrets\n',
      'models/good.svc': 'name: good\ningest: none\ntransform: SELECT 1 AS id\n',
      'models/leaky.svc': source('leaky', 'denied'),
      'models/page.svc': source('page', 'page'),
      'models/half.svc': source('half', 'broken'),
      'models/away.svc': source('away', 'away'),
      'models/broken.svc': 'name: broken\ningest: none\ntransform: SELECT 1 AS id\n',
    })
    const said = await one.line(['run'], { env: { MY_TOKEN: token } })
    expectRefusal(said, 3, '401')
    expect(server.requests.some(request => request.headers['authorization'] === `Bearer ${token}`)).toBe(true)
    await expectSilence(one, [token], { MY_TOKEN: token })
  })
})
