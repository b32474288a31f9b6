// What the kills of fetches and publishes are about: a source that goes on changing, as a web service and as a table of
// PostgreSQL and of MariaDB; a project that reads all three; and the targets that it publishes to. Every connection passes a
// gate, which tells when something goes through it, and the database files are watched. A server that is not installed is
// left out.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { connect, createServer as createGate } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DuckDBInstance } from '@duckdb/node-api'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { bundle } from './bundle.mjs'

const pageRows = 40
/** A file for a bucket has more than one part of an upload holds; over SFTP every file goes in many pieces. */
const fileBytes = { bucket: 17 << 20, files: 1 << 20 }
const limits = 'limits: {retries: 8}'
const tableSql =
  'CREATE TABLE people (id bigint PRIMARY KEY, version bigint NOT NULL, value varchar(40) NOT NULL)'

/**
 * Starts all of it. `onPassed` is told `wire` whenever something goes through
 * a gate and `disk` when something is written to a database file; `problem` is told
 * what must not happen.
 */
export async function startWorld({ random, onPassed, problem }) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-publish-kills-')))
  const history = new History(random)
  const service = new Service(history, { random, problem })
  const stops = [() => rmSync(root, { recursive: true, force: true })]
  const gate = async port => {
    const made = await openGate(port, () => onPassed('wire'))
    stops.unshift(made.close)
    return made.port
  }
  const part = async (name, start) => {
    const made = await start()
    if (made === undefined) return undefined
    stops.unshift(made.stop)
    return { ...made, name, gate: await gate(made.port) }
  }
  const servers = {
    web: await part('web', () => service.start()),
    postgres: await part('postgres', startPostgres),
    mariadb: await part('mariadb', startMariadb),
    s3: await part('s3', startS3),
    sftp: await part('sftp', startSftp),
  }
  const targets = targetsOf(servers, { root, service })
  writeProject(root, servers, targets)
  stops.unshift(watchFiles(root, () => onPassed('disk')))
  const sources = [servers.postgres, servers.mariadb].filter(Boolean).map(({ name }) => name)
  return {
    ...{ root, history, service, targets, env: secretsOf(servers) },
    /** Some rows are new, some have a new version, everywhere at once. */
    async change(count) {
      const rows = history.change(count)
      for (const server of [servers.postgres, servers.mariadb]) await server?.upsert(rows)
    },
    /** The rows of each asset that has those of a source, with its name. */
    async production() {
      const assets = ['people', ...sources.map(name => `from_${name}`)]
      const tables = assets.map(name => `analytics.${name}`)
      const rows = await duckdbRows(join(root, 'warehouse.duckdb'), tables)
      return assets.map((name, at) => [name, rows[at]])
    },
    /** What killed uploads have left at the servers. */
    litter: () => [...(servers.s3?.litter() ?? []), ...(servers.sftp?.litter() ?? [])],
    async stop() {
      for (const stop of stops) await stop()
    },
  }
}

// ---------------------------------------------------------------- the source

class History {
  /** Every version of every row that the source ever had, in the order of their versions. */
  #all = []
  #random

  constructor(random) {
    this.#random = random
  }

  get length() {
    return this.#all.length
  }

  /** Returns the rows as they are now. */
  change(count) {
    const from = this.#all.length
    for (let index = 0; index < count; index++) {
      const isNew = this.#all.length === 0 || this.#random() < 0.5
      const id = isNew ? this.#all.length + 1 : this.#all[Math.floor(this.#random() * this.#all.length)].id
      this.#all.push({ id, version: this.#all.length + 1, value: `v${Math.floor(this.#random() * 1e9)}` })
    }
    return [...new Map(this.#all.slice(from).map(row => [row.id, row])).values()]
  }

  /** What the source had when its newest version was this. */
  at(version = this.#all.length) {
    return [...new Map(this.#all.slice(0, version).map(row => [row.id, row])).values()].sort(
      (a, b) => a.id - b.id,
    )
  }
}

/** Serves pages of changes, and takes rows; it loses answers and refuses now and then. */
class Service {
  rows = new Map()
  requests = 0
  repeated = 0
  #keys = new Set()
  #keysOf = new Map()
  #history
  #random
  #problem

  constructor(history, { random, problem }) {
    this.#history = history
    this.#random = random
    this.#problem = problem
  }

  async start() {
    const server = createServer((request, response) => {
      const chunks = []
      request.on('data', chunk => chunks.push(chunk))
      request.on('end', () => {
        const url = new URL(request.url, 'http://here')
        const text = Buffer.concat(chunks).toString('utf8')
        const answer = () =>
          url.pathname === '/changes' ? this.#sendChanges(url, response) : this.#take(request, response, text)
        setTimeout(answer, 2 + this.#random() * 12)
      })
    })
    await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
    const stop = () => {
      server.closeAllConnections()
      server.close()
    }
    return { port: server.address().port, stop }
  }

  /** Pages of what changed after a version; a version that comes later is on a later page. */
  #sendChanges(url, response) {
    const since = Number(url.searchParams.get('since') || 0)
    const page = Number(url.searchParams.get('page') ?? 1)
    const rows = this.#history
      .at()
      .filter(({ version }) => version > since)
      .sort((a, b) => a.version - b.version)
    json(response, 200, { data: rows.slice((page - 1) * pageRows, page * pageRows) })
  }

  #take(request, response, text) {
    const chance = this.#random()
    if (chance < 0.05) return json(response, 503, { error: 'not now' })
    const key = request.headers['idempotency-key']
    this.requests++
    if (key === undefined) this.#problem('a batch came without an idempotency key')
    if (this.#keys.has(key)) this.repeated++
    else {
      this.#keys.add(key)
      for (const row of JSON.parse(text)) this.#keep(row, key)
    }
    // It took the rows, and nobody learns of it.
    if (chance < 0.1) return response.destroy()
    json(response, 200, { ok: true })
  }

  #keep(row, key) {
    this.rows.set(row.id, row)
    const sent = `${row.id} ${row.version}`
    const before = this.#keysOf.get(sent)
    if (before !== undefined) this.#problem(`row ${sent} was taken under ${before} and under ${key}`)
    this.#keysOf.set(sent, key)
  }
}

function json(response, status, value) {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}

/** Passes on what comes from both sides, and tells of it. */
async function openGate(port, onPassed) {
  const open = new Set()
  const server = createGate(near => {
    const far = connect(port, '127.0.0.1')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ]) {
      open.add(from)
      from.on('data', onPassed)
      from.pipe(to)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        open.delete(from)
        to.destroy()
      })
    }
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    for (const socket of open) socket.destroy()
    server.close()
  }
  return { port: server.address().port, close }
}

/** Tells when one of the database files of the project is written. */
function watchFiles(root, onWritten) {
  const watcher = watch(root, (_, name) => {
    if (name?.includes('.duckdb')) onWritten()
  })
  return () => watcher.close()
}

// ---------------------------------------------------------------- servers

/** The servers of the tests: `test/support/<name>.ts`. */
async function support(name) {
  return import(pathToFileURL(await bundle(`test/support/${name}.ts`, name)).href)
}

async function startPostgres() {
  const { canStartPostgres, startPostgres: start } = await support('postgres')
  if (!canStartPostgres()) return undefined
  const server = await start()
  const address = await server.createDatabase()
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  await client.query(tableSql)
  return {
    ...{ address, port: Number(new URL(address).port) },
    upsert: rows =>
      client.query(
        `INSERT INTO people SELECT * FROM json_to_recordset($1) AS r(id bigint, version bigint, value text)
         ON CONFLICT (id) DO UPDATE SET version = excluded.version, value = excluded.value`,
        [JSON.stringify(rows)],
      ),
    rows: async table =>
      (await client.query(`SELECT id, version, value FROM ${table} ORDER BY id`)).rows.map(asRow),
    async stop() {
      await client.end()
      await server.stop()
    },
  }
}

async function startMariadb() {
  const { canStartMariadb, startMariadb: start } = await support('mariadb')
  if (!canStartMariadb()) return undefined
  const server = await start()
  const address = await server.createDatabase()
  const connection = await mysql.createConnection(address)
  await connection.query(tableSql)
  return {
    ...{ address, port: Number(new URL(address).port) },
    upsert: rows =>
      connection.query(
        'INSERT INTO people (id, version, value) VALUES ? ON DUPLICATE KEY UPDATE version = VALUES(version), value = VALUES(value)',
        [rows.map(({ id, version, value }) => [id, version, value])],
      ),
    rows: async table =>
      (await connection.query(`SELECT id, version, value FROM ${table} ORDER BY id`))[0].map(asRow),
    async stop() {
      await connection.end()
      await server.stop()
    },
  }
}

async function startS3() {
  const { s3Key, startS3Server } = await support('s3-server')
  const server = await startS3Server()
  server.buckets.set('shop', new Map())
  return {
    ...{ port: Number(new URL(server.origin).port), secret: `${s3Key.id}:${s3Key.secret}` },
    content: () => server.buckets.get('shop')?.get('people.csv')?.toString(),
    litter: () => [...server.uploads.keys()].map(id => `the upload ${id} to the bucket is open`),
    stop: () => server.close(),
  }
}

async function startSftp() {
  const { canStartSshd, startSftpServer } = await support('sftp-server')
  if (!canStartSshd()) return undefined
  const server = await startSftpServer()
  const path = join(server.files, 'people.csv')
  return {
    ...{
      port: server.port,
      secret: server.key,
      user: server.user,
      files: server.files,
      hostKey: server.hostKey,
    },
    content: () => (existsSync(path) ? readFileSync(path, 'utf8') : undefined),
    litter: () => readdirSync(server.files).filter(name => name !== 'people.csv'),
    stop: () => server.stop(),
  }
}

// ---------------------------------------------------------------- the project

/**
 * Returns the targets: the asset, the block of its file, and what is there. A whole one shows the old rows or the new ones at
 * any moment.
 */
function targetsOf(servers, { root, service }) {
  const elsewhere = join(root, 'elsewhere.duckdb')
  const table = (type, endpoint, resource) =>
    `{type: ${type}, endpoint: "${endpoint}", resource: ${resource}, key: id, batch: 25, max_change: 100%, ${limits}}`
  const { web, postgres, mariadb, s3, sftp } = servers
  const all = {
    service: {
      asset: 'people',
      block: `{type: http, endpoint: "http://127.0.0.1:${web.gate}", resource: rows, key: id, batch: 15, max_change: 100%, ${limits}}`,
      rows: async () => [...service.rows.values()].sort((a, b) => a.id - b.id),
    },
    table: {
      asset: 'people',
      block: table('duckdb', 'duckdb:./elsewhere.duckdb', 'people'),
      rows: async () => (await duckdbRows(elsewhere, ['people']))[0],
    },
    postgres: postgres && {
      asset: mariadb ? 'from_mariadb' : 'people',
      block: table('postgres', 'env:POSTGRES_ADDRESS', 'published'),
      rows: () => postgres.rows('published'),
    },
    mariadb: mariadb && {
      asset: postgres ? 'from_postgres' : 'people',
      block: table('mysql', 'env:MARIADB_ADDRESS', 'published'),
      rows: () => mariadb.rows('published'),
    },
    bucket: s3 && {
      ...{ asset: 'file_for_bucket', isWhole: true, rows: async () => csvRows(s3.content()) },
      block: `{type: file, endpoint: "s3://shop", resource: people.csv, s3: {endpoint: "http://127.0.0.1:${s3.gate}", region: eu-central-1}, max_change: 100%, ${limits}}`,
    },
    files: sftp && {
      ...{ asset: 'file_for_files', isWhole: true, rows: async () => csvRows(sftp.content()) },
      block: `{type: file, endpoint: "sftp://${sftp.user}@127.0.0.1:${sftp.gate}${sftp.files}", resource: people.csv, sftp: {host_key: "${sftp.hostKey}"}, max_change: 100%, ${limits}}`,
    },
  }
  return Object.entries(all).flatMap(([name, target]) => (target ? [{ name, ...target }] : []))
}

function secretsOf({ postgres, mariadb, s3, sftp }) {
  return {
    ...(postgres && { POSTGRES_ADDRESS: gated(postgres) }),
    ...(mariadb && { MARIADB_ADDRESS: gated(mariadb) }),
    ...(s3 && { DESTINATION__BUCKET__CREDENTIALS: s3.secret }),
    ...(sftp && { DESTINATION__FILES__CREDENTIALS: sftp.secret }),
  }
}

function writeProject(root, { web, postgres, mariadb }, targets) {
  const merge = 'primary_key: id, write: merge, incremental: {cursor: version, start: 0}'
  const columns = 'transform: SELECT id, version, value FROM {{ source }}'
  const database = name => `{type: sql, endpoint: "env:${name}_ADDRESS", resource: people, ${merge}}`
  const assets = {
    people: `ingest: {type: rest_api, endpoint: "http://127.0.0.1:${web.gate}", resource: /changes, records: data, params: {since: "{cursor}"}, paginate: {type: page, param: page}, ${merge}}\n${columns}`,
    ...(postgres && { from_postgres: `ingest: ${database('POSTGRES')}\n${columns}` }),
    ...(mariadb && { from_mariadb: `ingest: ${database('MARIADB')}\n${columns}` }),
    ...Object.fromEntries(
      Object.keys(fileBytes).map(name => [`file_for_${name}`, paddedTo(fileBytes[name])]),
    ),
  }
  mkdirSync(join(root, 'models'))
  writeFileSync(join(root, 'svc.yaml'), 'name: kills\nenvironments: {prod: {}}\n')
  for (const [name, text] of Object.entries(assets)) {
    const own = targets.filter(({ asset }) => asset === name).map(each => `  ${each.name}: ${each.block}\n`)
    const publish = own.length === 0 ? '' : `publish:\n${own.join('')}`
    writeFileSync(join(root, 'models', `${name}.svc`), `name: ${name}\n${text}\n${publish}`)
  }
}

/** As many bytes in all, however many rows there are; made when they are published, not at each fetch. */
function paddedTo(bytes) {
  const padding = `repeat('x', CAST(${bytes} // count(*) OVER () AS INTEGER)) AS padding`
  return `ingest: none\ndeploy: {materialize: view}\ntransform: SELECT id, version, value, ${padding} FROM {{ ref('people') }}`
}

/** The address of a database through its gate. */
function gated({ address, gate }) {
  const url = new URL(address)
  url.port = String(gate)
  return url.href
}

// ---------------------------------------------------------------- rows

function asRow({ id, version, value }) {
  return { id: Number(id), version: Number(version), value: String(value) }
}

/** Returns undefined where there is no file; an end in the middle of a line is found by its padding. */
function csvRows(text) {
  if (text === undefined) return undefined
  const [, ...lines] = text.trimEnd().split('\n')
  const rows = lines.map(line => line.split(','))
  if (new Set(rows.map(row => row[3]?.length)).size > 1) return []
  return rows.map(([id, version, value]) => asRow({ id, version, value })).sort((a, b) => a.id - b.id)
}

async function duckdbRows(path, tables) {
  if (!existsSync(path)) return []
  const instance = await DuckDBInstance.create(path, { access_mode: 'READ_ONLY' })
  try {
    const connection = await instance.connect()
    const rows = []
    for (const table of tables) {
      const reader = await connection.runAndReadAll(`SELECT id, version, value FROM ${table} ORDER BY id`)
      rows.push(reader.getRowObjectsJS().map(asRow))
    }
    connection.closeSync()
    return rows
  } finally {
    instance.closeSync()
  }
}
