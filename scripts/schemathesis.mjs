// Tests the hosted service against its own OpenAPI document with Schemathesis, on SQLite and on PostgreSQL:
//   node scripts/schemathesis.mjs [--engine sqlite|postgres] [--phases fuzzing,stateful] [--seconds 300] [--examples 50]
//     [--seed 1]
// Each phase (examples, coverage, fuzzing, stateful; all by default) has its seconds on each engine: fuzzing and stateful
// use them up, coverage needs five minutes and more. The same seed asks the same things in the same order; --examples is
// how many cases an operation has before the next one. Needs Python's Schemathesis 4 (`pip install schemathesis`;
// SCHEMATHESIS names the program where it is elsewhere). Exit code 1: something was found; 2: something is missing.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { bundle } from './bundle.mjs'

const knownPhases = ['examples', 'coverage', 'fuzzing', 'stateful']
const knownEngines = ['sqlite', 'postgres']
const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: knownEngines.join(',') },
    phases: { type: 'string', default: knownPhases.join(',') },
    seconds: { type: 'string', default: '300' },
    examples: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
  },
})
const phases = listOf('phases', knownPhases)
const engines = listOf('engine', knownEngines)
const seconds = numberOf('seconds', 1)
const examples = numberOf('examples', 1)
const seed = numberOf('seed', 0)
const program = process.env.SCHEMATHESIS ?? 'schemathesis'
const found = spawnSync(program, ['--version'], { encoding: 'utf8' })
if (!/version 4\./.test(found.stdout ?? ''))
  missing('Schemathesis 4 is not installed: pip install schemathesis, or name the program with SCHEMATHESIS')

const service = await bundle('test/hosted/support/schemathesis-service.ts', 'schemathesis', { format: 'cjs' })
const { canStart, startTarget } = (await import(pathToFileURL(service).href)).default
const failures = []
for (const engine of engines) {
  if (!canStart(engine))
    missing(`${engine} cannot be started: install ${engine === 'sqlite' ? 'sqlite3 (npm)' : 'PostgreSQL'}`)
  for (const phase of phases) if (!(await holds(engine, phase))) failures.push(`${phase} on ${engine}`)
}
console.log(failures.length === 0 ? '\nnothing was found' : `\nfound in: ${failures.join(', ')}`)
process.exit(failures.length === 0 ? 0 : 1)

/** One phase on a new service: what another phase left behind changes nothing. */
async function holds(engine, phase) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-schemathesis-'))
  const target = await startTarget(engine, folder)
  try {
    const code = await run(target, phase, folder)
    const problems = target.problems()
    for (const problem of problems.slice(0, 20)) console.log('\nin the log:', problem)
    console.log(
      `${engine}, ${phase}: Schemathesis ended with ${code}, the service had ${problems.length} failures`,
    )
    return code === 0 && problems.length === 0
  } finally {
    await target.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** All checks; the first project and the token of the test itself are not taken away. */
function run({ url, token }, phase, folder) {
  const config = join(folder, 'schemathesis.toml')
  writeFileSync(config, configText(token))
  writeFileSync(join(folder, 'hooks.py'), hooksText())
  const words = [
    ...['--config-file', config, 'run', `${url}/openapi.json`, '--phases', phase, '--checks', 'all'],
    ...['--seed', seed, '--max-examples', examples, '--max-time', seconds, '--request-timeout', 30],
    ...['revokeToken', 'rotateToken', 'deleteProject'].flatMap(id => ['--exclude-operation-id', id]),
    ...['--generation-database', 'none', '--no-color'],
  ]
  return new Promise(resolve => {
    const child = spawn(program, words.map(String), { stdio: 'inherit', cwd: folder })
    // It counts its seconds between cases only.
    const late = setTimeout(() => child.kill('SIGKILL'), (seconds + 120) * 1000)
    child.once('close', code => {
      clearTimeout(late)
      resolve(code)
    })
  })
}

/**
 * What a schema cannot say: an identifier needs its project, so every reference has one; If-Match may name another
 * version (412); a cursor comes from an answer (400); and these operations have rules between members (422).
 */
function configText(token) {
  const statuses = more => `["2xx", "3xx", "401", "403", "404", "409", "412", "429", "5xx"${more}]`
  const accepted = more => `checks.positive_data_acceptance.expected-statuses = ${statuses(more)}`
  const operation = (filter, ...lines) => ['[[operations]]', filter, ...lines, ''].join('\n')
  const id = pattern => `include-operation-id-regex = "${pattern}"`
  return [
    'hooks = "hooks.py"',
    `headers = { Authorization = "Bearer ${token}" }`,
    accepted(''),
    'checks.negative_data_rejection.expected-statuses = ["400", "401", "403", "404", "405", "406", "409", "412", "413", "415", "422"]',
    '',
    operation('include-path-regex = "[{]ref[}]"', 'parameters = { "query.project" = 1 }'),
    operation(id('^list(Terms|Metrics|Dimensions|Policies|Links|Projects|Assets)$'), accepted(', "400"')),
    operation(id('^(uploadContextPack|uploadTestResults|importGlossary)$'), accepted(', "400", "422"')),
    // Items that are wrong are reported one by one, with 200.
    operation(
      id('^bulk'),
      accepted(', "422"'),
      'checks.negative_data_rejection.expected-statuses = ["200", "400", "404", "413", "415", "422"]',
    ),
    operation(
      id('^(create(Term|Metric|Dimension|Link)|replace.*|update(Term|Metric|Dimension|Policy|Link))$'),
      'parameters = { "query.project" = 1 }',
      accepted(', "422"'),
    ),
    operation(id('^(getAssetImpact|getAssetLineage|checkPolicies)$'), accepted(', "422"')),
  ].join('\n')
}

/** A key of another request is refused on purpose: each request has its own. */
function hooksText() {
  return `
import re, uuid, schemathesis

@schemathesis.hook
def before_call(context, case, kwargs):
    # A request that lacks something on purpose goes as it is.
    mode = getattr(getattr(case.meta, "generation", None), "mode", None)
    key = (case.headers or {}).get("Idempotency-Key")
    if "positive" in str(mode).lower() and isinstance(key, str) and re.fullmatch('"[^"]{1,255}"|[!#-~]{1,255}', key):
        case.headers["Idempotency-Key"] = str(uuid.uuid4())
`
}

function listOf(option, known) {
  const words = values[option].split(',')
  const wrong = words.find(word => !known.includes(word))
  if (wrong !== undefined) missing(`--${option}: "${wrong}" is none of ${known.join(', ')}`)
  return words
}

function numberOf(option, least) {
  const number = Number(values[option])
  if (!Number.isSafeInteger(number) || number < least) missing(`--${option}: a whole number from ${least}`)
  return number
}

function missing(what) {
  console.error(what)
  process.exit(2)
}
