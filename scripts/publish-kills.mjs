// Kills svc while it fetches and publishes: `node scripts/publish-kills.mjs --kills 300 --seed 1`. Every kill is a SIGKILL of
// a real process of the built command, at a random moment or while a server waits for it. The source goes on changing,
// and the service that takes rows loses answers and refuses now and then. After each kill production must have no
// cursor ahead of its rows; no version of a row may be taken under two idempotency keys; and whenever the commands are
// left alone, production, the service and a table elsewhere must have what the source has.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { DuckDBInstance } from '@duckdb/node-api'

const svc = join(dirname(fileURLToPath(import.meta.url)), '..', 'cli', 'bin', 'svc.cjs')
const bundle = join(dirname(svc), '..', 'dist', 'svc.cjs')
const longestMs = 120_000
const pageRows = 40
const commands = {
  fetch: ['run', '--all', '--env', 'prod'],
  service: ['publish', 'people', '--to', 'service', '--env', 'prod'],
  table: ['publish', 'people', '--to', 'table', '--env', 'prod'],
}

const options = readOptions()
const random = randomOf(options.seed)
const root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-publish-kills-')))
const problems = []
const killed = new Map()
/** How long each command took when it was left alone. */
const lasted = new Map()
/** Every version of every row that the source ever had, in the order of their versions. */
const history = []
/** What the service has, and under which keys it took each version. */
const taken = { rows: new Map(), keys: new Set(), keysOf: new Map(), requests: 0, repeated: 0 }
/** Called with what a server is asked. */
let onAsked = () => undefined
const started = performance.now()
process.once('SIGTERM', () => {
  report()
  rmSync(root, { recursive: true, force: true })
  process.exit(1)
})
const server = await serve()
try {
  writeProject()
  change(200)
  for (const name of Object.keys(commands)) await finish(name)
  while (kills() < options.kills && problems.length < 5) await round()
} finally {
  server.closeAllConnections()
  server.close()
  rmSync(root, { recursive: true, force: true })
}
report()
process.exit(problems.length === 0 && kills() >= options.kills ? 0 : 1)

function readOptions() {
  const { values } = parseArgs({
    options: { kills: { type: 'string', default: '300' }, seed: { type: 'string', default: '1' } },
  })
  const numbers = Object.fromEntries(Object.entries(values).map(([name, text]) => [name, Number(text)]))
  if (Object.values(numbers).some(number => !Number.isInteger(number) || number < 1)) {
    process.stderr.write('usage: node scripts/publish-kills.mjs [--kills N] [--seed S]\n')
    process.exit(2)
  }
  if (!existsSync(bundle)) {
    process.stderr.write('there is no bundle to kill: npm run build\n')
    process.exit(2)
  }
  return numbers
}

function kills() {
  return [...killed.values()].reduce((sum, count) => sum + count, 0)
}

/** New data, a few kills of each command with changes between them, then each command to its end. */
async function round() {
  change(20 + Math.floor(random() * 120))
  for (let turn = 0; turn < 12 && kills() < options.kills; turn++) {
    const names = Object.keys(commands)
    await kill(names[Math.floor(random() * names.length)])
    await lookAtCursor()
    if (random() < 0.4) change(1 + Math.floor(random() * 60))
  }
  for (const name of Object.keys(commands)) await finish(name)
  await lookAtAll()
}

// ---------------------------------------------------------------- the world

/** Some rows are new, some have a new version. */
function change(count) {
  for (let index = 0; index < count; index++) {
    const isNew = history.length === 0 || random() < 0.5
    const id = isNew ? history.length + 1 : history[Math.floor(random() * history.length)].id
    history.push({ id, version: history.length + 1, value: `v${Math.floor(random() * 1e9)}` })
  }
}

/** What the source had when its newest version was this. */
function stateAt(version) {
  return new Map(history.slice(0, version).map(row => [row.id, row]))
}

async function serve() {
  const made = createServer((request, response) => {
    const chunks = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => answer(request, response, Buffer.concat(chunks).toString('utf8')))
  })
  await new Promise(resolve => made.listen(0, '127.0.0.1', resolve))
  return made
}

function answer(request, response, text) {
  const url = new URL(request.url, 'http://here')
  const isFetch = url.pathname === '/changes'
  onAsked(isFetch ? 'fetch' : 'service')
  const wait = 2 + random() * 12
  setTimeout(() => (isFetch ? sendChanges(url, response) : takeRows(request, response, text)), wait)
}

/** Pages of what changed after a version; a version that comes later is on a later page. */
function sendChanges(url, response) {
  const since = Number(url.searchParams.get('since') || 0)
  const page = Number(url.searchParams.get('page') ?? 1)
  const rows = [...stateAt(history.length).values()]
    .filter(({ version }) => version > since)
    .sort((a, b) => a.version - b.version)
  json(response, 200, { data: rows.slice((page - 1) * pageRows, page * pageRows) })
}

function takeRows(request, response, text) {
  const chance = random()
  if (chance < 0.05) return json(response, 503, { error: 'not now' })
  const key = request.headers['idempotency-key']
  taken.requests++
  if (taken.keys.has(key)) taken.repeated++
  else {
    taken.keys.add(key)
    for (const row of JSON.parse(text)) {
      taken.rows.set(row.id, row)
      const sent = `${row.id} ${row.version}`
      const before = taken.keysOf.get(sent)
      if (before !== undefined) problem(`row ${sent} was taken under ${before} and under ${key}`)
      taken.keysOf.set(sent, key)
    }
  }
  // It took the rows, and nobody learns of it.
  if (chance < 0.1) return response.destroy()
  json(response, 200, { ok: true })
}

function json(response, status, value) {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}

function writeProject() {
  const origin = `http://127.0.0.1:${server.address().port}`
  const limits = 'limits: {retries: 8}'
  mkdirSync(join(root, 'models'))
  writeFileSync(join(root, 'svc.yaml'), 'name: kills\nenvironments: {prod: {}}\n')
  writeFileSync(
    join(root, 'models', 'people.svc'),
    `name: people
ingest:
  type: rest_api
  endpoint: ${origin}
  resource: /changes
  records: data
  params: {since: "{cursor}"}
  paginate: {type: page, param: page}
  primary_key: id
  write: merge
  incremental: {cursor: version, start: 0}
transform: SELECT id, version, value FROM {{ source }}
publish:
  service: {type: http, endpoint: "${origin}", resource: rows, key: id, batch: 15, max_change: 100%, ${limits}}
  table: {type: duckdb, endpoint: "duckdb:./elsewhere.duckdb", resource: people, key: id, batch: 25, max_change: 100%}
`,
  )
}

// ---------------------------------------------------------------- commands

function start(name) {
  const child = spawn(process.execPath, [svc, ...commands[name]], {
    cwd: root,
    env: { ...process.env, NO_COLOR: '1', SVC_TRIGGER: 'kills' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', text => {
      output += text
    })
  const ended = new Promise(resolve => child.on('close', code => resolve({ code, output })))
  return { child, ended }
}

/** Kills at a random moment, or when a server has been asked so many times. One that is over before is no kill. */
async function kill(name) {
  const { child, ended } = start(name)
  const isAimed = name !== 'table' && random() < 0.6
  let left = 1 + Math.floor(random() * 6)
  onAsked = of => {
    if (isAimed && of === name && --left === 0) child.kill('SIGKILL')
  }
  const timer = setTimeout(() => child.kill('SIGKILL'), isAimed ? longestMs : random() * usualMs(name))
  const { code } = await ended
  clearTimeout(timer)
  onAsked = () => undefined
  if (code === null) killed.set(name, (killed.get(name) ?? 0) + 1)
}

function usualMs(name) {
  return (lasted.get(name) ?? 2000) * 1.1
}

/** What is left alone ends well; a service that failed too often is asked once more. */
async function finish(name) {
  for (let tries = 1; ; tries++) {
    const began = performance.now()
    const { child, ended } = start(name)
    const timer = setTimeout(() => child.kill('SIGKILL'), longestMs)
    const { code, output } = await ended
    clearTimeout(timer)
    lasted.set(name, performance.now() - began)
    if (code === 0) return
    if (tries === 3) return problem(`${name} ended with ${code}: ${output.slice(-1500)}`)
  }
}

// ---------------------------------------------------------------- looks

async function rowsOf(file, table) {
  const path = join(root, file)
  if (!existsSync(path)) return undefined
  const instance = await DuckDBInstance.create(path, { access_mode: 'READ_ONLY' })
  try {
    const connection = await instance.connect()
    const reader = await connection.runAndReadAll(`SELECT id, version, value FROM ${table} ORDER BY id`)
    connection.closeSync()
    return reader.getRowObjectsJS().map(({ id, version, value }) => ({
      id: Number(id),
      version: Number(version),
      value,
    }))
  } finally {
    instance.closeSync()
  }
}

function production() {
  return rowsOf('warehouse.duckdb', 'analytics.people')
}

/** Whatever the newest version in production is, no row that changed before it may be missing or old. */
async function lookAtCursor() {
  const rows = await production()
  const newest = Math.max(0, ...rows.map(({ version }) => version))
  // A row whose next version was fetched with the rest has that one.
  const due = [...stateAt(newest).values()].sort((a, b) => a.id - b.id)
  if (!isDeepStrictEqual(rows, due)) problem(`production is not the source up to version ${newest}`)
}

async function lookAtAll() {
  const truth = [...stateAt(history.length).values()].sort((a, b) => a.id - b.id)
  const there = [...taken.rows.values()].sort((a, b) => a.id - b.id)
  if (!isDeepStrictEqual(await production(), truth)) problem('production is not what the source has')
  if (!isDeepStrictEqual(there, truth)) problem('the service has something else than production')
  const table = await rowsOf('elsewhere.duckdb', 'people')
  if (!isDeepStrictEqual(table, truth)) problem('the table has something else than production')
}

function problem(text) {
  problems.push(text)
  process.stderr.write(`problem: ${text}\n`)
}

function report() {
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  const lines = [
    `${kills()} kills (seed ${options.seed}) in ${seconds} s: ${problems.length} problems`,
    ...[...killed].map(([name, count]) => `  ${name.padEnd(10)} ${count}`),
    `  ${history.length} versions of ${stateAt(history.length).size} rows, ${taken.requests} batches, ${taken.repeated} of them came again under their key`,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** A small generator, so that a seed names a sequence of decisions. */
function randomOf(seed) {
  let state = seed * 0x9e3779b1
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
