// Kills svc at random moments and looks: `node scripts/soak.mjs --kills 500 --seed 1 --jobs 2`. Every kill is a SIGKILL of
// a real process of the built command. Between a kill and the next command the world changes: rows come and go at the
// API, files are replaced, the clock jumps, the lock file conflicts. Two projects and two environments share the
// warehouse, and somebody reads beside. Production must always show one whole version of the data, with the numbers
// that were computed here; the next run must finish; a rollback must be possible; at the end nothing may lie about.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { lookAtOther, lookAtProduction, orphansIn } from './soak-look.mjs'
import { createWorld, truthOf } from './soak-world.mjs'

const svc = join(dirname(fileURLToPath(import.meta.url)), '..', 'cli', 'bin', 'svc.cjs')
const bundle = join(dirname(svc), '..', 'dist', 'svc.cjs')
const clock = join(dirname(fileURLToPath(import.meta.url)), 'soak-clock.cjs')
const longestMs = 60_000
const dayMs = 86_400_000
/** The points at which a process may be killed: before its first output, or within a stage. */
const phasesOf = {
  run: ['start', 'fetch', 'build', 'test', 'promote', 'collect'],
  retry: ['start', 'fetch', 'build', 'test', 'promote', 'collect'],
  preview: ['start', 'fetch', 'build', 'test'],
  promote: ['start', 'promote', 'collect'],
  rollback: ['start', 'promote'],
  gc: ['start', 'collect'],
}
const wordsOf = (verb, state, { environment = 'prod' } = {}) => [
  verb,
  ...(verb === 'promote' ? [state.preview] : []),
  ...['--env', environment, '--log-format', 'json'],
]

const options = readOptions()
const started = performance.now()
const counts = new Map()
const problems = []
let kills = 0
let looks = 0
let requests = 0
const events = { reads: 0, changes: 0, jumps: 0, conflicts: 0, others: 0 }
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
 * Runs one warehouse until all kills are done: new data, killed commands, a run to its end; sometimes a
 * rollback and back, a retry, the other project, the other environment.
 */
async function soak(job) {
  const random = randomOf(options.seed * 1000 + job)
  const world = await createWorld()
  const state = { world, random, job, live: 0, current: 0, previous: undefined, other: 0, shiftMs: 0 }
  Object.assign(state, { durations: new Map(), preview: '', previewed: 0, previews: 0 })
  try {
    publish(state)
    await finish(state, 'run')
    for (let round = 2; kills < options.kills && problems.length < 5; round++) await playRound(state, round)
    publish(state)
    state.shiftMs = 0
    letTimePass(world.root)
    await finish(state, 'run')
    for (const orphan of await orphansIn(world.root, state.previews)) problem(state, `left behind: ${orphan}`)
  } catch (error) {
    problem(state, error.stack ?? String(error))
  } finally {
    requests += world.requests
    await world.close()
  }
}

async function playRound(state, round) {
  publish(state)
  if (round % 2 === 0 && !isBehind('promote')) await inOneStep(state)
  else await inTwoSteps(state)
  if (round % 3 === 0 || isBehind('rollback')) await thereAndBack(state)
  if (round % 3 === 1 || isBehind('retry')) await retried(state)
  if (round % 4 === 0 || isBehind('gc')) {
    await killSome(state, 'gc', 2)
    await finish(state, 'gc')
  }
  if (round % 5 === 0) await otherProject(state)
  if (round % 5 === 2) await otherEnvironment(state)
}

function publish(state) {
  state.world.publish(++state.current)
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

async function inOneStep(state) {
  await killSome(state, 'run')
  await finish(state, 'run')
}

/** A preview changes nothing for readers; its promotion does, once. */
async function inTwoSteps(state) {
  await killSome(state, 'preview', isBehind('promote') ? 1 : 4)
  await finish(state, 'preview')
  await killSome(state, 'promote', 3)
  if (state.live !== state.previewed) await finish(state, 'promote')
  await finish(state, 'run')
}

/** A rollback shows the previous version; a second one undoes it. */
async function thereAndBack(state) {
  const { live, previous } = state
  if (previous === undefined) return
  await killSome(state, 'rollback', 1)
  if (state.live !== previous) await finish(state, 'rollback')
  if (state.live === previous) await finish(state, 'rollback')
  if (state.live !== live) problem(state, `two rollbacks lead from version ${live} to ${state.live}`)
}

/** A retry takes the complete fetches of the run that was killed, so the world stands still meanwhile. */
async function retried(state) {
  if (kills >= options.kills) return
  publish(state)
  const { live } = state
  await command(state, 'run', { phase: 'fetch', delayMs: state.random() * 300 })
  for (let turn = 0; turn < 5 && state.live === live && kills < options.kills; turn++)
    await command(state, 'retry', aimAt(state, 'retry'))
  if (state.live === live) await finish(state, 'retry')
}

/** Another project in the same warehouse: killed, then run to its end. The first one is as it was. */
async function otherProject(state) {
  events.others++
  const number = state.current * 10
  state.world.publishOther(number)
  for (const aim of [aimAt(state, 'run'), undefined]) {
    const end = await runCommand(state, 'run', aim, { cwd: state.world.other })
    if (!end.killed && end.code !== 0)
      problem(state, `the other project ended with ${end.code}: ${end.errors}`)
    const shown = await lookAtOther(state.world.root)
    const whole = [state.other, number].some(each =>
      each === 0 ? shown === undefined : isDeepStrictEqual(shown, [each, 2 * each]),
    )
    if (!whole) problem(state, `the other project shows ${JSON.stringify(shown)}`)
    await look(state, [state.live], 'after a run of the other project')
  }
  state.other = number
}

async function otherEnvironment(state) {
  events.others++
  for (const aim of [aimAt(state, 'run'), undefined]) {
    const end = await runCommand(state, 'run', aim, { environment: 'staging' })
    if (!end.killed && end.code !== 0)
      problem(state, `a run in staging ended with ${end.code}: ${end.errors}`)
    await look(state, [state.live], 'after a run in staging')
  }
  const shown = await lookAtProduction(state.world.root, 'analytics_staging')
  if (!isDeepStrictEqual(shown, truthOf(state.current)))
    problem(state, `staging is not version ${state.current}: ${JSON.stringify(shown)}`)
}

/** Returns what production may show after a command has begun, besides what it shows now. */
function targetOf(state, verb) {
  if (verb === 'run' || verb === 'retry') return state.current
  if (verb === 'promote') return state.previewed
  return verb === 'rollback' ? state.previous : state.live
}

async function killSome(state, verb, most = 4) {
  const times = 1 + Math.floor(state.random() * most)
  for (let turn = 0; turn < times && kills < options.kills; turn++) {
    const target = targetOf(state, verb)
    const end = await command(state, verb, aimAt(state, verb))
    const isDone = verb !== 'run' && state.live === target && !end.killed
    // A successful rollback or promotion must not be repeated.
    if (isDone || ((verb === 'rollback' || verb === 'promote') && state.live === target)) return
    if (end.killed) await meanwhile(state, verb)
  }
}

/** Runs a command that is to be killed, and looks at production. */
async function command(state, verb, aim) {
  const target = targetOf(state, verb)
  const end = await runCommand(state, verb, aim)
  if (end.killed) {
    kills++
    const phase = `${verb === 'run' ? '' : `${verb}, `}${end.stage}`
    counts.set(phase, (counts.get(phase) ?? 0) + 1)
    if (kills % 100 === 0) process.stdout.write(`${kills} kills, ${problems.length} problems\n`)
  } else if (end.code !== 0) problem(state, `${verb} ended with ${end.code}: ${end.errors}`)
  const when = end.killed ? `a kill at "${end.stage}"` : 'an end'
  await look(state, [state.live, target], `after ${when} of ${verb}`)
  return end
}

/** What happens in the world between a crash and the next command. */
async function meanwhile(state, verb) {
  if (verb === 'run' && state.random() < 0.5) {
    events.changes++
    publish(state)
  }
  if (state.random() < 0.3) {
    events.jumps++
    state.shiftMs = [0, -3 * dayMs, 3 * dayMs, 3_600_000, -60_000][Math.floor(state.random() * 5)]
  }
  if (verb === 'run' && state.random() < 0.1) await conflict(state)
}

/** Nothing is done while the lock file has conflict markers, and nothing is lost. */
async function conflict(state) {
  const path = join(state.world.root, 'schemas.lock.json')
  if (!existsSync(path)) return
  events.conflicts++
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, `<<<<<<< HEAD\n${text}=======\n${text}>>>>>>> theirs\n`)
  const end = await runCommand(state, 'run', undefined)
  if (end.code !== 1)
    problem(state, `a run with a conflict in the lock ended with ${end.code}: ${end.errors}`)
  await look(state, [state.live], 'after a run with a conflict in the lock')
  writeFileSync(path, text)
}

/** Whether a step of the verb has less than its share of the kills: at least 50 of 1,000. */
function isBehind(verb) {
  return fewestIn(verb) < Math.floor(kills / 18)
}

function fewestIn(verb) {
  return Math.min(...phasesOf[verb].map(phase => countOf(verb, phase)))
}

function countOf(verb, phase) {
  return counts.get(`${verb === 'run' ? '' : `${verb}, `}${phase}`) ?? 0
}

/** Chooses the phase with the fewest kills so far, and a random moment in it. */
function aimAt(state, verb) {
  const fewest = fewestIn(verb)
  const candidates = phasesOf[verb].filter(phase => countOf(verb, phase) === fewest)
  const phase = candidates[Math.floor(state.random() * candidates.length)]
  const usualMs = state.durations.get(`${verb} ${phase}`) ?? 100
  return { phase, delayMs: state.random() * usualMs }
}

async function finish(state, verb) {
  const target = verb === 'preview' ? state.live : targetOf(state, verb)
  const end = await runCommand(state, verb, undefined)
  if (end.code !== 0) problem(state, `${verb} to version ${target} ended with ${end.code}: ${end.errors}`)
  for (const [stage, ms] of end.durations) state.durations.set(`${verb} ${stage}`, ms)
  await look(state, [target], `after ${verb}`)
}

/** Checks that production shows exactly one of the versions (0: nothing yet). */
async function look(state, versions, when) {
  looks++
  const shown = await lookAtProduction(state.world.root)
  const version = versions.find(each =>
    each === 0 ? shown === undefined : isDeepStrictEqual(shown, truthOf(each)),
  )
  if (version === undefined)
    problem(state, `${when} production is none of the versions ${versions}: ${JSON.stringify(shown)}`)
  else if (version !== state.live) {
    state.previous = state.live === 0 ? undefined : state.live
    state.live = version
  }
}

function runCommand(state, verb, aim, place = {}) {
  const { world } = state
  const child = spawn(process.execPath, ['--require', clock, svc, ...wordsOf(verb, state, place)], {
    cwd: place.cwd ?? world.root,
    env: { PATH: process.env.PATH, HOME: world.root, SOAK_CLOCK_SHIFT_MS: String(state.shiftMs) },
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
  const reader = state.random() < 0.3 ? readBeside(state, verb, place) : undefined
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
    child.on('close', async (code, signal) => {
      await reader?.stop()
      clearTimeout(watchdog)
      clearTimeout(timer)
      durations.set(stage, performance.now() - since)
      const hung = performance.now() - begun > longestMs
      const killed = signal === 'SIGKILL' && !hung
      resolve({ code: hung ? 'a hang' : code, killed, stage, durations, errors: errors.trim() })
    })
  })
}

/** Reads production again and again while a command runs; what cannot be read because svc writes is asked for later. */
function readBeside(state, verb, place) {
  const allowed = [state.live, (place.cwd ?? place.environment) ? state.live : targetOf(state, verb)]
  let isOver = false
  const done = (async () => {
    while (!isOver) {
      const shown = await lookAtProduction(state.world.root).catch(() => 'busy')
      if (shown !== 'busy') {
        events.reads++
        const isWhole = allowed.some(each =>
          each === 0 ? shown === undefined : isDeepStrictEqual(shown, truthOf(each)),
        )
        if (!isWhole)
          problem(state, `a reader beside ${verb} saw none of ${allowed}: ${JSON.stringify(shown)}`)
      }
      await new Promise(resolve => setTimeout(resolve, 100))
    }
  })()
  return {
    stop() {
      isOver = true
      return done
    },
  }
}

/** Counts a successful preview, whose schema is kept for days. */
function notePreview(state, { run_id, status }) {
  if (status !== 'deployed') return
  state.preview = run_id
  state.previewed = state.current
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
      `${requests} pages served, ${seconds.toFixed(0)} s\n` +
      `  meanwhile: ${events.changes} changes at the sources, ${events.jumps} jumps of the clock, ` +
      `${events.conflicts} conflicts, ${events.others} runs of another project or environment, ${events.reads} reads beside\n`,
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
