// `npm run demo`: the whole way of a project on real data, with the real commands and what they print. Leaves it in
// .demo/flights to go on with. `-- --check` does the same in a temporary folder without a person, holds every table
// against DuckDB over the raw files alone, and fails on any deviation. `-- --prepare` only makes the folder.
// `-- --postgres` does it on a PostgreSQL of its own, with the same files and one other line in svc.yaml.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { compareExample, fingerprints } from './compare-example.mjs'
import { copyExample } from './example.mjs'
import { startExampleServer } from './example-server.mjs'
import { postgresPrograms, startPostgresServer } from './postgres-server.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const svc = join(root, 'cli', 'bin', 'svc.cjs')
const { values: options } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    prepare: { type: 'boolean', default: false },
    postgres: { type: 'boolean', default: false },
  },
})
const folder = options.postgres ? 'flights-postgres' : 'flights'
const project = options.check ? mkdtempSync(join(tmpdir(), 'svc-demo-')) : join(root, '.demo', folder)
const modelPath = 'models/marts/daily_delays.svc'
const model = join(project, modelPath)
const database = join(project, 'warehouse.duckdb')
const coloured = process.stdout.isTTY && !process.env.NO_COLOR
const failures = []
/** Thrown when a command ends differently than expected, because the following steps would fail too. */
class Stop extends Error {}
let compared = []
let firstState = []

const programs = options.postgres ? programsOrExit() : undefined
build()
// With `--prepare`, an existing warehouse is kept.
if (options.prepare && existsSync(database)) process.exit(0)
if (!options.check) rmSync(project, { recursive: true, force: true })
copyExample(project)
if (options.prepare) {
  console.log(`Made ${relative(process.cwd(), project)}.`)
  process.exit(0)
}
const server = await startExampleServer({ busyOnce: true })
const postgres = programs && (await startPostgresServer(programs))
/** Where the comparison finds production. */
const warehouse = { ...(postgres ? { server: postgres.address } : { database }), schema: 'analytics' }
try {
  await demo()
} catch (error) {
  if (!(error instanceof Stop)) throw error
} finally {
  await server.close()
  await postgres?.close()
  if (options.check) rmSync(project, { recursive: true, force: true })
}
finish()

async function demo() {
  say(
    'A project is a folder of .svc files',
    'One file for each data asset: where its data comes from, the SQL that shapes it, the tests that guard it.',
    'This one has 23: three million flights (Parquet), airports, bird strikes and weather (CSV), state capitals',
    '(JSON), a week of earthquakes from a web service (paged, nested), two lists, and the reports made of them.',
  )
  show(modelPath, readFileSync(model, 'utf8'))

  if (postgres) {
    say(
      'A PostgreSQL of its own',
      'The files are those of the demo on DuckDB; svc.yaml names another warehouse.',
    )
    edit('svc.yaml', 'duckdb:./warehouse.duckdb', postgres.address)
  }
  const place = postgres ? 'a PostgreSQL that this demo has started' : 'a DuckDB file beside the project'
  say('Initialise', `Makes the state tables in the warehouse, ${place}.`)
  await run('init')

  say(
    'Validate',
    'Checks every file: YAML, keys, references, and the SQL down to each column. No data is touched.',
  )
  await run('validate')

  say('Plan', 'What a run would do, and why. Nothing is executed.')
  await run('plan --env prod')

  say('Run', 'Fetches the sources, builds in a schema of its own, tests there, then shows all of it at once.')
  await run('run --env prod')
  expect('page 3 of the web service was asked for again after it said "busy"', pageThreeWasRetried())
  await compareTables()

  say('Look at it', 'Production is a schema of views; here is what readers of it see.')
  await run('status --env prod')
  await run('sample daily_delays --env prod --limit 5')

  say('Run again', 'Nothing has changed, so nothing is built.')
  const again = await run('run --env prod')
  expect('an unchanged project builds nothing', !/\bbuilt\b.*\brows\b/.test(again.output))

  await breakingChange()
  await goodChange()
}

async function breakingChange() {
  say(
    'A mistake',
    'Somebody groups by origin as well. The SQL is valid, but a day now has many rows, and a test says "one".',
  )
  const original = readFileSync(model, 'utf8')
  edit(modelPath, '    GROUP BY flight_day\n', '    GROUP BY flight_day, origin\n')
  const failed = await run('run --env prod', 1)
  expect('the failed test is named', failed.output.includes('flight_day'))

  say('Production is as it was', 'The test failed on the new tables; they never became production.')
  await run('sample daily_delays --env prod --limit 3')
  await expectFirstState('after the run that failed')
  writeFileSync(model, original)
}

async function goodChange() {
  say('A change that is right', 'One more column. The plan says which assets that touches.')
  const average = '    {{ average(delay_total, flight_count) }} AS average_delay,\n'
  edit(modelPath, average, `${average}    {{ percent(late_count, flight_count) }} AS late_percent,\n`)
  await run('plan --env prod')
  await run('run --env prod')
  const changed = await run('sample daily_delays --env prod --limit 3')
  expect('the new column is in production', changed.output.includes('late_percent'))

  say(
    'Roll back',
    'One step, at once: production is what it was before the last run. Nothing is built for it.',
  )
  await run('rollback --env prod')
  const restored = await run('sample daily_delays --env prod --limit 3')
  expect('the column is gone again', !restored.output.includes('late_percent'))
  await expectFirstState('after the rollback')
  await run('versions daily_delays --env prod')
}

/** Prints a heading and an explanation of the next step. */
function say(title, ...lines) {
  console.log(`\n${paint('1', `── ${title} ${'─'.repeat(Math.max(3, 76 - title.length))}`)}`)
  console.log(`${filled(lines.join(' '))}\n`)
}

/** Breaks a text into lines that every terminal has room for. */
function filled(text) {
  return text.replace(/(.{1,78})(?: |$)/g, '$1\n').trimEnd()
}

/** Runs a real command, shows it and its output, and checks its exit code. */
async function run(line, exitCode = 0) {
  console.log(`${paint('1;36', `$ svc ${line}`)}`)
  const { code, output } = await start(line.split(' '))
  console.log()
  if (code !== exitCode) {
    failures.push(`svc ${line} ended with ${code}, not ${exitCode}`)
    throw new Stop()
  }
  return { output }
}

/** For a user the command gets the terminal; otherwise its output is captured and shown. */
function start(commandArguments) {
  const child = spawn(process.execPath, [svc, ...commandArguments], {
    cwd: project,
    env: { ...process.env, QUAKES_URL: server.url },
    stdio: ['ignore', options.check ? 'pipe' : 'inherit', options.check ? 'pipe' : 'inherit'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', chunk => {
      output += chunk
      process.stdout.write(chunk)
    })
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => resolve({ code, output }))
  })
}

/** Changes a line of a file and shows the change. */
function edit(path, before, after) {
  const file = join(project, path)
  const text = readFileSync(file, 'utf8')
  if (!text.includes(before)) throw new Error(`the demo expects this line in ${path}: ${before}`)
  writeFileSync(file, text.replace(before, after))
  console.log(paint('2', `  ${path}`))
  const [old, now] = [before, after].map(part => part.trimEnd().split('\n'))
  for (const line of old) if (!now.includes(line)) console.log(paint('31', `- ${line}`))
  for (const line of now) if (!old.includes(line)) console.log(paint('32', `+ ${line}`))
  console.log()
}

function show(title, text) {
  console.log(paint('2', `  ${title}`))
  console.log(text.replace(/^/gm, '  '))
}

async function compareTables() {
  if (!options.check) return
  compared = await compareExample(warehouse)
  firstState = await fingerprints(warehouse)
  for (const problem of compared.flatMap(table => table.problems)) failures.push(problem)
  const ok = compared.every(table => table.problems.length === 0)
  console.log(`check: ${compared.length} tables ${ok ? 'equal' : 'DIFFER from'} the raw files\n`)
}

/** Checks that production shows, row for row, what it showed after the first run. */
async function expectFirstState(when) {
  if (!options.check) return
  const now = await fingerprints(warehouse)
  const different = now.filter(line => !firstState.includes(line)).map(line => line.split(' ')[0])
  const same = different.length === 0 && now.length === firstState.length
  expect(`${when} production is not what it was: ${different.join(', ') || 'a table is missing'}`, same)
  console.log(`check: ${now.length} tables ${same ? 'are' : 'are NOT'} as after the first run\n`)
}

/**
 * With `--check`, a failed expectation fails the demo at its end; otherwise users see the output themselves.
 */
function expect(what, holds) {
  if (!holds && options.check) failures.push(what)
}

function pageThreeWasRetried() {
  return server.requests.filter(request => request.includes('page=3')).length >= 2
}

function finish() {
  if (options.check) return summarise()
  if (failures.length > 0) {
    console.log(`\nThe demo stopped: ${failures[0]}. What happened is above.`)
    process.exitCode = 1
    return
  }
  const here = relative(process.cwd(), project)
  if (postgres) {
    say('Next', 'The PostgreSQL of the demo is gone; the project is yours, for a database of your own:')
    console.log(`  ${here}/svc.yaml: warehouse: postgres://<user>@<host>/<database>`)
    return
  }
  say('Next', 'The project is yours to play with:')
  console.log(`  export PATH="$PWD/node_modules/.bin:$PATH"
  node scripts/example-server.mjs &        # the web service of the earthquakes
  export QUAKES_URL=http://127.0.0.1:4400
  cd ${here}
  svc preview --env prod                   # build and test, but promote nothing
  svc inspect models/marts/daily_delays.svc
  svc plan                                 # dev: a schema of your git branch
  svc run +airport_traffic                 # one asset and all that it reads
  svc --help`)
}

function summarise() {
  say('What was compared', 'Every final table, row by row, with DuckDB over the raw files alone:')
  for (const { table, rows, columns, problems } of compared) {
    const verdict = problems.length === 0 ? 'equal' : 'DIFFERS'
    console.log(
      `  ${table.padEnd(18)} ${count(rows).padStart(9)} rows ${String(columns).padStart(3)} columns  ${verdict}`,
    )
  }
  const rows = compared.reduce((sum, table) => sum + table.rows, 0)
  console.log(`\n${compared.length} tables, ${count(rows)} rows.`)
  for (const failure of failures) console.log(`FAILED  ${failure}`)
  console.log(failures.length === 0 ? 'The demo does what it says.' : `${failures.length} deviations.`)
  process.exitCode = failures.length === 0 && compared.length > 0 ? 0 : 1
}

/** Ends the demo with one line if there is no PostgreSQL and none can be installed. */
function programsOrExit() {
  const found = postgresPrograms()
  if (found !== undefined) return found
  console.error(
    'PostgreSQL is missing: install it (Debian: apt install postgresql), or put its initdb and postgres on the PATH.',
  )
  process.exit(1)
}

function build() {
  const { status } = spawnSync(process.execPath, [join(root, 'esbuild.mjs')], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) process.exit(status ?? 1)
}

function paint(style, text) {
  return coloured ? `\u001b[${style}m${text}\u001b[0m` : text
}

function count(value) {
  return value.toLocaleString('en-US')
}
