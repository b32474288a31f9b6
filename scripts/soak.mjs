// Kills svc at random moments and looks: `node scripts/soak.mjs --kills 500 --seed 1 --jobs 2`. Every kill is a SIGKILL of
// a real process of the built command. After each one production must show one whole version of the data, with the
// numbers that were computed here; the next run must finish; at the end nothing may lie about.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { lookAtProduction, orphansIn } from './soak-look.mjs'
import { createWorld, truthOf } from './soak-world.mjs'

const command = join(dirname(fileURLToPath(import.meta.url)), '..', 'cli', 'bin', 'svc.cjs')
const bundle = join(dirname(command), '..', 'dist', 'svc.cjs')
const longestMs = 60_000
/** The points at which a process may be killed: before its first output, or within a stage. */
const phasesOf = {
  run: ['start', 'fetch', 'build', 'test', 'promote', 'collect'],
  preview: ['start', 'fetch', 'build', 'test'],
  promote: ['start', 'promote', 'collect'],
  rollback: ['start', 'promote'],
  gc: ['start', 'collect'],
}
const wordsOf = (verb, state) => [
  verb,
  ...(verb === 'promote' ? [state.preview] : []),
  ...['--env', 'prod', '--log-format', 'json'],
]

const options = readOptions()
const started = performance.now()
const counts = new Map()
const problems = []
let kills = 0
let looks = 0
let requests = 0
await Promise.all(Array.from({ length: options.jobs }, (_, job) => soak(job)))
report()
process.exit(problems.length === 0 && kills >= options.kills ? 0 : 1)

function readOptions() {
  const { values } = parseArgs({
    options: {
      kills: { type: 'string', default: '500' },
      seed: { type: 'string', default: '1' },
      jobs: { type: 'string', default: '2' },
    },
  })
  const numbers = Object.fromEntries(Object.entries(values).map(([name, text]) => [name, Number(text)]))
  if (Object.values(numbers).some(number => !Number.isInteger(number) || number < 1)) {
    process.stderr.write('usage: node scripts/soak.mjs [--kills N] [--seed S] [--jobs J]\n')
    process.exit(2)
  }
  if (!existsSync(bundle)) {
    process.stderr.write('there is no bundle to kill: npm run build\n')
    process.exit(2)
  }
  return numbers
}

/**
 * Runs one project until all kills are done: new data, killed runs, a run to its end; sometimes a rollback
 * and back.
 */
async function soak(job) {
  const random = randomOf(options.seed * 1000 + job)
  const world = await createWorld()
  const state = { world, random, job, live: 0, durations: new Map(), preview: '', previews: 0 }
  try {
    world.publish(1)
    await finish(state, 'run', 1)
    for (let version = 2; kills < options.kills && problems.length < 5; version++) {
      world.publish(version)
      if (version % 2 === 0) await inOneStep(state, version)
      else await inTwoSteps(state, version)
      if (version % 3 === 0) await thereAndBack(state, version)
      if (version % 4 === 0) {
        await killSome(state, 'gc', version, 2)
        await finish(state, 'gc', version)
      }
    }
    world.publish(100_000)
    letTimePass(world.root)
    await finish(state, 'run', 100_000)
    for (const orphan of await orphansIn(world.root, state.previews)) problem(state, `left behind: ${orphan}`)
  } catch (error) {
    problem(state, error.stack ?? String(error))
  } finally {
    requests += world.requests
    await world.close()
  }
}

/**
 * The first run that finds temporary files of a lease older than a minute deletes them, so their time is
 * moved back.
 */
function letTimePass(root) {
  const then = new Date(Date.now() - 120_000)
  for (const name of readdirSync(root).filter(each => each.includes('.lease.')))
    utimesSync(join(root, name), then, then)
}

async function inOneStep(state, version) {
  await killSome(state, 'run', version)
  await finish(state, 'run', version)
}

/** A preview changes nothing for readers; its promotion does, once. The next run then finds nothing to do. */
async function inTwoSteps(state, version) {
  await killSome(state, 'preview', state.live)
  await finish(state, 'preview', state.live)
  await killSome(state, 'promote', version, 3)
  if (state.live !== version) await finish(state, 'promote', version)
  await finish(state, 'run', version)
}

/** A rollback shows the previous version; a second one undoes it. */
async function thereAndBack(state, version) {
  const before = version - 1
  await killSome(state, 'rollback', before, 1)
  if (state.live !== before) await finish(state, 'rollback', before)
  await finish(state, 'rollback', version)
}

async function killSome(state, verb, next, most = 4) {
  const times = 1 + Math.floor(state.random() * most)
  for (let turn = 0; turn < times && kills < options.kills; turn++) {
    const aim = aimAt(state, verb)
    const end = await runCommand(state, verb, aim)
    if (end.killed) {
      kills++
      const phase = `${verb === 'run' ? '' : `${verb}, `}${end.stage}`
      counts.set(phase, (counts.get(phase) ?? 0) + 1)
      if (kills % 100 === 0) process.stdout.write(`${kills} kills, ${problems.length} problems\n`)
    } else if (end.code !== 0) {
      problem(state, `${verb} ended with ${end.code}: ${end.errors}`)
    }
    await look(
      state,
      [state.live, next],
      `after ${end.killed ? `a kill at "${end.stage}"` : 'an end'} of ${verb}`,
    )
    // A successful rollback or promotion must not be repeated.
    if (verb !== 'run' && state.live === next && !end.killed) return
    if ((verb === 'rollback' || verb === 'promote') && state.live === next) return
  }
}

/** Chooses the phase with the fewest kills so far, and a random moment in it. */
function aimAt(state, verb) {
  const phases = phasesOf[verb]
  const prefix = verb === 'run' ? '' : `${verb}, `
  const fewest = Math.min(...phases.map(phase => counts.get(prefix + phase) ?? 0))
  const candidates = phases.filter(phase => (counts.get(prefix + phase) ?? 0) === fewest)
  const phase = candidates[Math.floor(state.random() * candidates.length)]
  const usualMs = state.durations.get(`${verb} ${phase}`) ?? 100
  return { phase, delayMs: state.random() * usualMs }
}

async function finish(state, verb, version) {
  const end = await runCommand(state, verb, undefined)
  if (end.code !== 0) problem(state, `${verb} to version ${version} ended with ${end.code}: ${end.errors}`)
  for (const [stage, ms] of end.durations) state.durations.set(`${verb} ${stage}`, ms)
  await look(state, [verb === 'gc' ? state.live : version], `after ${verb}`)
}

/** Checks that production shows exactly one of the versions (0: nothing yet). */
async function look(state, versions, when) {
  looks++
  const shown = await lookAtProduction(state.world.root)
  const version = versions.find(each =>
    each === 0 ? shown === undefined : isDeepStrictEqual(shown, truthOf(each)),
  )
  if (version !== undefined) state.live = version
  else problem(state, `${when} production is none of the versions ${versions}: ${JSON.stringify(shown)}`)
}

function runCommand(state, verb, aim) {
  const { world } = state
  const child = spawn(process.execPath, [command, ...wordsOf(verb, state)], {
    cwd: world.root,
    env: { PATH: process.env.PATH, HOME: world.root },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const begun = performance.now()
  const durations = new Map()
  let stage = 'start'
  let since = begun
  let errors = ''
  let timer
  const arm = () => {
    if (aim?.phase === stage) timer ??= killAfter(child, aim.delayMs)
  }
  const watchdog = setTimeout(() => child.kill('SIGKILL'), longestMs)
  arm()
  lines(child.stdout, line => {
    if (line.includes('"type":"run-finished"') && verb === 'preview') notePreview(state, JSON.parse(line))
    if (!line.includes('"type":"stage"')) return
    durations.set(stage, performance.now() - since)
    stage = JSON.parse(line).stage
    since = performance.now()
    arm()
  })
  child.stderr.setEncoding('utf8').on('data', text => {
    errors += text
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearTimeout(watchdog)
      clearTimeout(timer)
      durations.set(stage, performance.now() - since)
      const hung = performance.now() - begun > longestMs
      const killed = signal === 'SIGKILL' && !hung
      resolve({ code: hung ? 'a hang' : code, killed, stage, durations, errors: errors.trim() })
    })
  })
}

/** Counts a successful preview, whose schema is kept for days. */
function notePreview(state, { run_id, status }) {
  if (status !== 'deployed') return
  state.preview = run_id
  state.previews++
}

function killAfter(child, delayMs) {
  return setTimeout(() => child.kill('SIGKILL'), delayMs)
}

function lines(stream, each) {
  let rest = ''
  stream.setEncoding('utf8').on('data', text => {
    const parts = (rest + text).split('\n')
    rest = parts.pop() ?? ''
    for (const part of parts) each(part)
  })
}

function problem({ job }, text) {
  problems.push(text)
  process.stdout.write(`job ${job}: ${text}\n`)
}

function report() {
  const seconds = (performance.now() - started) / 1000
  const width = Math.max(...[...counts.keys()].map(phase => phase.length), 5)
  for (const [phase, count] of [...counts].sort(([a], [b]) => a.localeCompare(b))) {
    process.stdout.write(`  ${phase.padEnd(width)}  ${String(count).padStart(5)}\n`)
  }
  process.stdout.write(
    `${kills} kills (seed ${options.seed}), ${looks} looks at production, ${problems.length} problems, ` +
      `${requests} pages served, ${seconds.toFixed(0)} s\n`,
  )
}

/** mulberry32 */
function randomOf(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
