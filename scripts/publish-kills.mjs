// Kills svc while it fetches and publishes: `node scripts/publish-kills.mjs --kills 300 --seed 1`. Every kill is a SIGKILL of
// a real process of the built command, at a random moment or while something is on its way between it and a server or a
// database file. The sources go on changing, and the service that takes rows loses answers and refuses now and then. After
// each kill production must have no cursor ahead of its rows, and the file that was being published must be whole; no
// version of a row may be taken under two idempotency keys; and whenever the commands are left alone, production and all
// targets must have what the source has, and nothing of an upload may be left beside them.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { startWorld } from './publish-kills-world.mjs'

const svc = join(dirname(fileURLToPath(import.meta.url)), '..', 'cli', 'bin', 'svc.cjs')
const bundle = join(dirname(svc), '..', 'dist', 'svc.cjs')
const longestMs = 120_000
const wholeFetch = 'fetch to its end'
/** How often each target and the fetch have their turn in a round, and how often a fetch is left alone in it. */
const turns = { target: 4, fetch: 6, wholeFetch: 2 }

const options = readOptions()
const random = randomOf(options.seed)
const problems = []
/** How often each command was killed; of those, how often while something was on its way. */
const killed = new Map()
const aimed = new Map()
/** How long each command took when it was left alone, and how often something was on its way, by where. */
const lasted = new Map()
const passed = new Map()
/** The targets that have ended well since something new was fetched for all. */
const done = new Set()
let onPassed = () => undefined
const started = performance.now()
const world = await startWorld({ random, problem, onPassed: where => onPassed(where) })
const commands = {
  fetch: ['run', '--all', '--env', 'prod'],
  ...Object.fromEntries(
    world.targets.map(({ name, asset }) => [name, ['publish', asset, '--to', name, '--env', 'prod']]),
  ),
}
const targets = world.targets.map(({ name }) => name)
process.once('SIGTERM', async () => {
  report()
  await world.stop()
  process.exit(1)
})
try {
  await world.change(200)
  await finishAll()
  while (kills() < options.kills && problems.length < 5) await round()
} finally {
  await world.stop()
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

/**
 * New data for every target, then kills of all commands in any order: a fetch between them moves production while publishes
 * are half done. In the end each command is left alone. A target that has everything already would only be looked at, so
 * that it is not killed any more.
 */
async function round() {
  await fetchMore()
  const all = [...repeated(targets, turns.target), ...repeated(['fetch'], turns.fetch)]
  for (const turn of shuffled([...all, ...repeated([wholeFetch], turns.wholeFetch)])) {
    if (kills() >= options.kills) break
    if (turn === wholeFetch) await fetchMore()
    else if (turn === 'fetch') await killFetch()
    else if (!done.has(turn)) await kill(turn)
  }
  await finishAll()
  await lookAtAll()
  process.stderr.write(`${kills()} of ${options.kills} kills, ${problems.length} problems\n`)
}

async function killFetch() {
  if (random() < 0.7) await world.change(1 + Math.floor(random() * 60))
  await kill('fetch')
}

/** Every target has something to be sent again. */
async function fetchMore() {
  await world.change(50 + Math.floor(random() * 100))
  await finish('fetch')
  done.clear()
}

async function finishAll() {
  await finish('fetch')
  for (const name of targets) await finish(name)
}

function repeated(list, times) {
  return Array.from({ length: times }, () => list).flat()
}

function shuffled(list) {
  return list
    .map(each => ({ each, by: random() }))
    .sort((a, b) => a.by - b.by)
    .map(({ each }) => each)
}

// ---------------------------------------------------------------- commands

function start(name) {
  const child = spawn(process.execPath, [svc, ...commands[name]], {
    cwd: world.root,
    env: { ...process.env, ...world.env, NO_COLOR: '1', SVC_TRIGGER: 'kills' },
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

/** Kills at a random moment, or when something is on its way for the n-th time. One that is over before is no kill. */
async function kill(name) {
  const { child, ended } = start(name)
  const aim = random() < 0.8 ? aimOf(name) : undefined
  let left = aim?.left
  onPassed = where => {
    if (where === aim?.where && --left === 0) child.kill('SIGKILL')
  }
  const timer = setTimeout(
    () => child.kill('SIGKILL'),
    aim ? longestMs : random() * (lasted.get(name) ?? 2000),
  )
  const { code } = await ended
  clearTimeout(timer)
  onPassed = () => undefined
  if (code === 0) done.add(name)
  if (code !== null) return
  killed.set(name, (killed.get(name) ?? 0) + 1)
  if (aim) aimed.set(name, (aimed.get(name) ?? 0) + 1)
  await lookAfterKill(name)
}

/** Returns undefined where nothing has passed yet. A command that goes on where another one was killed has less to send. */
function aimOf(name) {
  const seen = Object.entries(passed.get(name) ?? {}).filter(([, count]) => count > 0)
  if (seen.length === 0) return undefined
  const [where, count] = seen[Math.floor(random() * seen.length)]
  return { where, left: 1 + Math.floor(random() * count * 0.8) }
}

/** What is left alone ends well; a service that failed too often is asked once more. */
async function finish(name) {
  for (let tries = 1; ; tries++) {
    const began = performance.now()
    const seen = { wire: 0, disk: 0 }
    onPassed = where => {
      seen[where]++
    }
    const { child, ended } = start(name)
    const timer = setTimeout(() => child.kill('SIGKILL'), longestMs)
    const { code, output } = await ended
    clearTimeout(timer)
    onPassed = () => undefined
    if (!done.has(name)) {
      lasted.set(name, performance.now() - began)
      passed.set(name, seen)
    }
    if (code === 0) return
    if (tries === 3) return problem(`${name} ended with ${code}: ${output.slice(-1500)}`)
  }
}

// ---------------------------------------------------------------- looks

/** Whatever the newest version is, no row that changed before it may be missing or old. */
async function lookAfterKill(name) {
  for (const [asset, rows] of await world.production()) lookWhole(`production of ${asset}`, rows)
  const target = world.targets.find(each => each.name === name)
  if (target?.isWhole) lookWhole(`the file of ${name}`, await target.rows())
}

function lookWhole(what, rows) {
  if (rows === undefined) return problem(`${what} is gone`)
  const newest = Math.max(0, ...rows.map(({ version }) => version))
  // A row whose next version came with the rest has that one.
  if (!isDeepStrictEqual(rows, world.history.at(newest)))
    problem(`${what} is not the source up to version ${newest}`)
}

async function lookAtAll() {
  const truth = world.history.at()
  for (const [asset, rows] of await world.production())
    if (!isDeepStrictEqual(rows, truth)) problem(`production of ${asset} is not what the source has`)
  for (const { name, rows } of world.targets)
    if (!isDeepStrictEqual(await rows(), truth)) problem(`${name} has something else than production`)
  for (const left of world.litter()) problem(`a killed upload has left: ${left}`)
}

function problem(text) {
  problems.push(text)
  process.stderr.write(`problem: ${text}\n`)
}

function report() {
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  const { history, service } = world
  const lines = [
    `${kills()} kills (seed ${options.seed}) in ${seconds} s: ${problems.length} problems`,
    ...[...killed].map(
      ([name, count]) =>
        `  ${name.padEnd(10)} ${count}, ${aimed.get(name) ?? 0} while something was on its way`,
    ),
    `  ${history.length} versions of ${history.at().length} rows, ${service.requests} batches, ${service.repeated} of them came again under their key`,
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
