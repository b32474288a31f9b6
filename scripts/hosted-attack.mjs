// The hosted service under attack by one token of each scope, with the limits that it has by itself: how long /healthz and
// others wait, and how much memory it takes:
//   node scripts/hosted-attack.mjs [--seconds 15] [--engine sqlite | postgres] [--db postgres://…] [--scope metadata:read]
// Without --db: a new SQLite file, or a PostgreSQL server that the script starts; both are gone afterwards. TMPDIR says
// where they are. Linux only, for the memory. Exit code 1: a goal was missed; 2: something is missing.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { bundle } from './bundle.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '15' },
    engine: { type: 'string', default: 'sqlite' },
    db: { type: 'string' },
    scope: { type: 'string' },
  },
})
const seconds = Number(values.seconds)
const scopes = [
  'glossary:read',
  'glossary:write',
  'metadata:read',
  'metadata:upload',
  'projects:admin',
  'tokens:admin',
  'audit:read',
]
/** Milliseconds, and megabytes. */
const goals = { health: 100, others: 50, memory: 3000 }
const admin = 'attack-token-0123456789-0123456789-012345'

const folder = mkdtempSync(join(tmpdir(), 'svc-attack-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const database =
  values.db === undefined ? await startDatabase(values.engine) : { address: values.db, stop() {} }
const { url, child } = await startService(database.address)
try {
  await fill()
  const tokens = new Map()
  for (const scope of scopes) tokens.set(scope, await makeToken(scope, [scope]))
  const victim = await makeToken('victim', ['glossary:read', 'glossary:write'])
  report(await measure('nobody', [], victim))
  for (const scope of values.scope === undefined ? scopes : [values.scope])
    report(await measure(scope, [[scope, tokens.get(scope)]], victim))
  if (values.scope === undefined) report(await measure('all of them', [...tokens], victim))
} finally {
  child.kill('SIGKILL')
  await database.stop()
}

async function startDatabase(engine) {
  if (engine === 'sqlite') return { address: `sqlite://${join(folder, 'attack.db')}`, stop() {} }
  const file = await bundle('test/support/postgres.ts', 'attack-postgres', { format: 'cjs' })
  const { canStartPostgres, startPostgres } = (await import(pathToFileURL(file).href)).default
  if (engine !== 'postgres' || !canStartPostgres()) {
    console.error('--engine is sqlite or postgres, and PostgreSQL has to be installed')
    process.exit(2)
  }
  const server = await startPostgres()
  return { address: await server.createDatabase(), stop: () => server.stop() }
}

async function startService(address) {
  if (spawnSync(process.execPath, ['esbuild.mjs'], { cwd: root, stdio: 'inherit' }).status !== 0)
    process.exit(2)
  const words = ['serve', '--db', address, '--create', '--port', '0', '--log-level', 'silent']
  const child = spawn(process.execPath, [join(root, 'hosted-api/bin/svc-hosted.cjs'), ...words], {
    env: { ...process.env, SVC_HOSTED_BOOTSTRAP_TOKEN: admin },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let text = ''
  const url = await new Promise((resolve, reject) => {
    child.stderr.on('data', chunk => {
      text += chunk
      const found = /listens on (\S+)/.exec(text)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('exit', () => reject(new Error(text)))
  })
  return { url, child }
}

async function ask(token, method, path, body) {
  const headers = {
    Authorization: `Bearer ${token}`,
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  }
  const response = await fetch(url + path, {
    method,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  return { status: response.status, body: await response.text() }
}

/** Six assets of 1,500 columns in a row, 2,000 others, 500 terms, three policies. */
async function fill() {
  const wide = Array.from({ length: 6 }, (_, index) => `wide${index}`)
  const columns = Array.from({ length: 1500 }, (_, index) => ({
    name: `c${index}`,
    type: 'varchar',
    pii: index % 3 === 0,
  }))
  const pairs = columns.map(({ name }) => ({ from: name, to: name }))
  const others = Array.from({ length: 2000 }, (_, index) => ({
    id: `a${index}`,
    columns: Array.from({ length: 20 }, (_, column) => ({ name: `col_${column}`, type: 'varchar' })),
    blocks: { transform: `select ${'x'.repeat(500)}` },
  }))
  const lineage = [
    ...wide.slice(1).map((to, index) => ({ from: wide[index], to, columns: pairs })),
    ...others.slice(1).map(({ id }, index) => ({ from: `a${index}`, to: id })),
  ]
  const assets = [...wide.map(id => ({ id, columns })), ...others]
  const uploaded = await ask(admin, 'POST', '/api/svc/metadata/projects/1/upload?source=cli', {
    project: { id: 'shop' },
    assets,
    lineage,
  })
  if (uploaded.status !== 200) throw new Error(uploaded.body)
  const items = Array.from({ length: 500 }, (_, index) => ({
    name: `Term ${index}`,
    description: 'abc def '.repeat(20),
  }))
  await ask(admin, 'POST', '/api/svc/glossary/terms/bulk', { project: 1, items })
  for (const applies of ['a*', 'wide*', '*5'])
    await ask(admin, 'POST', '/api/svc/glossary/policies', {
      project: 1,
      name: applies,
      rule: 'no',
      applies_to: [applies],
    })
}

async function makeToken(name, scopes) {
  const { body } = await ask(admin, 'POST', '/api/svc/tokens', { name, scopes, projects: 'all' })
  return JSON.parse(body).secret
}

async function measure(name, attackers, victim) {
  const children = attackers.map(([scope, token]) =>
    spawn(
      'nice',
      ['-n', '10', process.execPath, join(root, 'scripts/hosted-attacks.mjs'), url, scope, token],
      {
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    ),
  )
  const told = children.map(readAll)
  if (children.length > 0) await wait(1500)
  const end = performance.now() + seconds * 1000
  let memory = 0
  const [health, reads, writes] = await Promise.all([
    probe(end, 20, () => ask('', 'GET', '/healthz')),
    probe(end, 150, () =>
      ask(victim, 'GET', `/api/svc/glossary/terms/${1 + Math.floor(Math.random() * 400)}`),
    ),
    probe(end, 700, () =>
      ask(victim, 'POST', '/api/svc/glossary/terms', { project: 1, name: 'From the victim' }),
    ),
    probe(end, 100, async () => {
      memory = Math.max(memory, memoryOf(child.pid))
      return { status: 200 }
    }),
  ])
  for (const attacker of children) attacker.kill('SIGTERM')
  const statuses = await Promise.all(told)
  await wait(3000)
  return { name, health, reads, writes, memory, statuses }
}

function readAll(child) {
  let text = ''
  child.stdout.on('data', chunk => {
    text += chunk
  })
  return new Promise(resolve => child.once('close', () => resolve(text.trim())))
}

/** Asks at a fixed pace, whether or not the answer before has come. */
async function probe(end, every, work) {
  const times = []
  const failures = {}
  const open = []
  while (performance.now() < end) {
    const started = performance.now()
    open.push(
      work().then(
        ({ status }) => {
          times.push(performance.now() - started)
          if (status >= 400) failures[status] = (failures[status] ?? 0) + 1
        },
        () => {
          failures.none = (failures.none ?? 0) + 1
        },
      ),
    )
    await wait(every)
  }
  await Promise.all(open)
  times.sort((a, b) => a - b)
  const at = part => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN
  return { median: at(0.5), p99: at(0.99), longest: at(1), failures }
}

/** Of the service and of the processes that it started. */
function memoryOf(pid) {
  const children = readProcess(pid, `task/${pid}/children`).trim().split(' ').filter(Boolean)
  const own = Number(/VmRSS:\s+(\d+)/.exec(readProcess(pid, 'status'))?.[1] ?? 0) / 1024
  return own + children.reduce((sum, child) => sum + memoryOf(child), 0)
}

/** Empty if it has just ended. */
function readProcess(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}

function report({ name, health, reads, writes, memory, statuses }) {
  const ms = value => `${value.toFixed(0)} ms`
  const isMissed =
    health.longest > goals.health ||
    reads.p99 > goals.others ||
    writes.p99 > goals.others ||
    memory > goals.memory
  if (isMissed) process.exitCode = 1
  const failures = JSON.stringify({ ...health.failures, ...reads.failures, ...writes.failures })
  console.log(
    `${name.padEnd(16)} /healthz p99 ${ms(health.p99)}, longest ${ms(health.longest)}; ` +
      `reads of others p99 ${ms(reads.p99)}; writes p99 ${ms(writes.p99)}; memory ${memory.toFixed(0)} MB; ` +
      `failures ${failures}${isMissed ? '  MISSED' : ''}`,
  )
  for (const each of statuses) if (each !== '') console.log(`  answers to the attack: ${each}`)
}
