// `npm run demo -- --postgres`: the way of a project on a PostgreSQL of its own, with the real commands and what they print.
// With `--check` every table is held against the same project on DuckDB, and any deviation fails.
import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { postgresPrograms, startPostgresServer } from './postgres-server.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const svc = join(root, 'cli', 'bin', 'svc.cjs')
const tables = ['books', 'readers', 'loans', 'book_use', 'cities']

/** A command that ends differently than expected: the following steps would fail too. */
class Stop extends Error {}

/** Returns what deviates; nothing if all is as it should be. */
export async function demoOnPostgres({ check }) {
  const programs = postgresPrograms()
  if (programs === undefined)
    return ['PostgreSQL is missing: install it (Debian: apt install postgresql), or put initdb on the PATH']
  const [project, twin] = [copied(), copied()]
  const server = await startPostgresServer(programs)
  const failures = []
  try {
    const place = { project, env: { WAREHOUSE: server.address } }
    await demo({
      ...place,
      twin: { project: twin, env: { WAREHOUSE: 'duckdb:./warehouse.duckdb' } },
      failures,
      check,
    })
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    failures.push(error.message)
  } finally {
    await server.close()
    for (const folder of [project, twin]) rmSync(folder, { recursive: true, force: true })
  }
  return failures
}

/** What is known of sources is kept in the project's folder, in the types of its warehouse: each warehouse has its own. */
function copied() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-demo-'))
  cpSync(join(root, 'examples', 'library'), folder, { recursive: true })
  return folder
}

async function demo(place) {
  const { project, twin, check, failures } = place
  const run = (line, exitCode = 0) => shown(place, line, exitCode)
  say(
    'A project on PostgreSQL',
    'The library: five assets, a server of its own, not even a database in it yet.',
  )
  await run('init')
  await run('validate')
  await run('plan --env prod')
  await run('run --env prod')
  await run('sample book_use --env prod')
  const first = check ? await rowsOf(place) : undefined
  if (check) {
    await quiet(twin, 'run --env prod')
    if ((await rowsOf(twin)) !== first) failures.push('the rows on PostgreSQL are not those on DuckDB')
  }

  say(
    'A mistake',
    'A join that doubles the books. A test says that each comes once, and nothing is promoted.',
  )
  const model = join(project, 'models', 'book_use.svc')
  const original = readFileSync(model, 'utf8')
  writeFileSync(model, original.replace('GROUP BY b.isbn, b.title', 'GROUP BY b.isbn, b.title, l.reader_id'))
  await run('run --env prod', 1)
  if (check && (await rowsOf(place)) !== first) failures.push('a failed run changed production')
  writeFileSync(model, original)

  say('A change that is right', 'Loans may last two weeks only, which the late days follow.')
  const settings = join(project, 'svc.yaml')
  writeFileSync(settings, readFileSync(settings, 'utf8').replace('loan_days: 21', 'loan_days: 14'))
  await run('plan --env prod')
  await run('run --env prod')
  if (check && (await rowsOf(place)) === first) failures.push('the change is not in production')

  say('Roll back', 'One step, at once.')
  await run('rollback --env prod')
  if (check && (await rowsOf(place)) !== first)
    failures.push('the rollback did not bring back the first rows')
  if (check)
    console.log(`\ncheck: ${tables.length} tables ${failures.length === 0 ? 'are as on DuckDB' : 'DEVIATE'}`)
}

function say(title, text) {
  console.log(`\n── ${title} ${'─'.repeat(Math.max(3, 76 - title.length))}\n${text}\n`)
}

async function shown(place, line, exitCode) {
  console.log(`$ svc ${line}`)
  const { code } = await start(place, line, 'inherit')
  console.log()
  if (code !== exitCode) throw new Stop(`svc ${line} ended with ${code}, not ${exitCode}`)
}

async function quiet(place, line) {
  const { code, output } = await start(place, line, 'pipe')
  if (code !== 0) throw new Stop(`svc ${line} ended with ${code}: ${output}`)
  return output
}

/** The rows of all tables as one text; numbers by their value, because each engine writes them in its own way. */
async function rowsOf(place) {
  const found = []
  for (const table of tables) {
    const { rows } = JSON.parse(await quiet(place, `sample ${table} --env prod --limit 100 --json`))
    const texts = rows.map(row =>
      JSON.stringify(Object.entries(row).map(([name, value]) => [name, plain(value)])),
    )
    found.push([table, texts.sort()])
  }
  return JSON.stringify(found)
}

function plain(value) {
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
}

function start({ project, env }, line, output) {
  const child = spawn(process.execPath, [svc, ...line.split(' ')], {
    cwd: project,
    env: { ...process.env, ...env },
    stdio: ['ignore', output, output === 'pipe' ? 'ignore' : output],
  })
  let text = ''
  child.stdout?.on('data', chunk => {
    text += chunk
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => resolve({ code, output: text }))
  })
}
