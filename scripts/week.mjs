// A week of a project in minutes: `node scripts/week.mjs --runs 150`. An editor's language server, the dashboard, the server of
// agents and the hosted store are up all the time; beside the runs somebody edits, loads pages, checks branches out, calls tools
// and asks the store. Clocks go ahead and back, runs sleep while others run, a worker is killed, the folder is renamed. After each
// run production, freshness and logs must be what this script knows, and what programs and folders take must not grow.
// `--runs 3` looks at a small one, which says nothing of growth. Linux only.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { lookAtProduction, orphansIn } from './soak-look.mjs'
import { createWorld, truthOf } from './soak-world.mjs'
import { clock, dayMs, specials } from './week-acts.mjs'
import { filesNow, growths, processNow, switchesOf } from './week-measures.mjs'
import { lines, startServers, svc } from './week-servers.mjs'

const { values } = parseArgs({ options: { runs: { type: 'string', default: '150' } } })
const runs = Number(values.runs)
if (!Number.isInteger(runs) || runs < 1 || !existsSync('/proc/self/status')) {
  process.stderr.write('usage: node scripts/week.mjs [--runs N], on Linux\n')
  process.exit(2)
}
const measuresInAll = 30
/** So many logs are kept. In a week of fewer than three times as many runs they still grow in number, and nothing is said of growth. */
const mostLogs = 50
/** How often a program that nobody asks for anything may wake up in a second; the clock of this script takes five of them. */
const mostWakeups = 30
const withLimits = ['orders', 'regions']

const problems = []
const counts = { runs: 0, edits: 0, checkouts: 0, pages: 0, tools: 0, requests: 0, specials: 0 }
const week = await begin()
try {
  await live()
  await end()
} catch (error) {
  week.problem(error.stack ?? String(error))
} finally {
  await week.servers.stop()
  await week.world.close()
}
report()
process.exit(problems.length === 0 ? 0 : 1)

async function begin() {
  const world = await createWorld()
  const folder = dirname(world.root)
  const clockFile = join(folder, 'clock')
  writeFileSync(clockFile, '0')
  for (const name of withLimits) {
    const path = join(world.root, 'models', `${name}.svc`)
    const limits = 'freshness: {warn_after: 1d, error_after: 3d}\n'
    writeFileSync(path, `${readFileSync(path, 'utf8')}${limits}`)
  }
  mkdirSync(join(folder, '.git'))
  const env = { PATH: process.env.PATH, HOME: folder, PWD: world.root, OLDPWD: folder, NODE_OPTIONS: clock }
  const state = {
    ...{ world, root: world.root, folder, env, counts },
    /** What readers see: the number of the version, and the one that a rollback leads to. */
    ...{ live: 0, previous: undefined, current: 0, nowMs: 0 },
    /** The ids of runs that have a log, newest first, and when each version was loaded, by the clock of its run. */
    ...{ logged: [], loads: new Map(), steps: [] },
    problem(text) {
      problems.push(text)
      process.stdout.write(`${text}\n`)
    },
    expect(isRight, text) {
      if (!isRight) state.problem(text)
    },
    svc: (words, options) => command(state, words, options),
    run: options => deploy(state, options),
    look: when => look(state, when),
    lookAtFreshness: options => lookAtFreshness(state, options),
    checkOut: branch => checkOut(state, branch),
  }
  state.checkOut('main')
  world.publish(++state.current)
  await state.run()
  const serving = { ...env, SOAK_CLOCK_FILE: clockFile }
  const database = `sqlite://${join(folder, 'store.db')}`
  state.servers = await startServers({ root: world.root, env: serving, database })
  await openFiles(state)
  state.setClock = ms => {
    state.nowMs = ms
    writeFileSync(clockFile, String(ms))
  }
  return state
}

async function openFiles({ root, servers: { editor } }) {
  for (const name of readdirSync(join(root, 'models'))) {
    const path = join(root, 'models', name)
    await editor.open(path, readFileSync(path, 'utf8'))
  }
}

async function live() {
  const measureEvery = Math.max(1, Math.floor(runs / measuresInAll))
  let measured = 0
  for (let round = 0; counts.runs < runs && problems.length < 10; round++) {
    week.setClock(Math.round((7 * dayMs * counts.runs) / runs))
    week.world.publish(++week.current)
    const running = week.run({ expects: 'deployed' })
    await besideRun(round)
    await running
    await week.lookAtFreshness({ byAgents: round % 2 === 1 })
    await lookAtLogs(round % 2 === 0)
    const special = specials[round % specials.length]
    counts.specials++
    await special.act(week).catch(error => week.problem(`${special.name}: ${error.stack}`))
    if (counts.runs - measured >= measureEvery) {
      measured = counts.runs
      await measure()
    }
  }
}

/** What people and programs do while a run is at work. */
async function besideRun(round) {
  await Promise.all([edit(round), loadPages(), callTools(), askStore()])
}

async function edit(round) {
  const { root, servers } = week
  const path = join(root, 'models', 'region_totals.svc')
  const right = readFileSync(path, 'utf8')
  for (let n = 0; n < 6; n++) {
    counts.edits++
    const name = `amount_${round}_${n}`
    await servers.editor.change(path, right.replace('sum(value)', `sum(${name})`))
    const wrong = await servers.editor.problems(path)
    week.expect(wrong.join().includes(name), `the editor does not see that there is no ${name}: ${wrong}`)
    await servers.editor.change(path, right)
    const none = await servers.editor.problems(path)
    week.expect(none.length === 0, `the editor has problems with a right file: ${none}`)
  }
}

async function loadPages() {
  for (const path of ['/', '/api/catalog.json', '/api/history.json', '/api/quality.json']) {
    counts.pages++
    const { status, text } = await week.servers.dashboard.load(path)
    week.expect(status === 200, `the dashboard answers ${path} with ${status}: ${text.slice(0, 200)}`)
  }
}

async function callTools() {
  for (const name of ['list_assets', 'validate', 'run_history', 'get_lineage']) {
    counts.tools++
    const given = name === 'get_lineage' ? { asset: 'orders' } : {}
    const { isError, text } = await week.servers.agents.call(name, given)
    week.expect(!isError, `the tool ${name} failed: ${text.slice(0, 200)}`)
  }
}

async function askStore() {
  for (let n = 0; n < 100; n++) {
    counts.requests++
    const path = n % 2 === 0 ? 'metadata/projects/1/manifest' : 'metadata/projects/1/assets'
    const { status } = await week.servers.store.get(path)
    week.expect(status === 200, `the store answers ${path} with ${status}`)
  }
}

/** Branches have the same files; a checkout writes each of them anew. */
function checkOut({ root, folder, servers }, branch) {
  writeFileSync(join(folder, '.git', 'HEAD'), `ref: refs/heads/${branch}\n`)
  if (servers === undefined) return
  counts.checkouts++
  const paths = readdirSync(join(root, 'models')).map(name => join(root, 'models', name))
  for (const path of paths) writeFileSync(path, readFileSync(path))
  return servers.editor.changed(paths)
}

/**
 * Runs `svc <words>`. `aheadMs`: how far its clock is from the right one; `host`: the name of its machine; `onStage`: called with
 * the process and the name of each stage.
 */
function command(state, words, { aheadMs = 0, host, onStage, env = {}, cwd = state.root } = {}) {
  const shift = { SOAK_CLOCK_SHIFT_MS: String(state.nowMs + aheadMs), ...(host && { SOAK_HOST: host }) }
  const child = spawn(process.execPath, [svc, ...words], { cwd, env: { ...state.env, ...shift, ...env } })
  let [out, errors] = ['', '']
  let runId
  lines(child.stdout, line => {
    out += `${line}\n`
    if (!line.startsWith('{"at"')) return
    const event = JSON.parse(line)
    // The log of a rollback, and of a run that is refused, begins with its end.
    const beginsLog = event.type === 'run-started' || event.type === 'run-finished'
    if (beginsLog && runId === undefined) {
      runId = event.run_id
      state.logged.unshift(runId)
    }
    if (event.type === 'stage') onStage?.(child, event.stage)
  })
  child.stderr.setEncoding('utf8').on('data', text => {
    errors += text
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', code => {
      lookAtWords(state, `svc ${words[0]}`, out + errors)
      resolve({ code, out, errors })
    })
  })
}

/** Runs an environment; `prod` shows the current version afterwards. */
async function deploy(state, { environment = 'prod', aheadMs = 0, host, onStage } = {}) {
  counts.runs++
  const version = state.current
  const beganMs = Date.now() + state.nowMs + aheadMs
  const words = ['run', '--env', environment, '--log-format', 'json']
  const end = await state.svc(words, { aheadMs, host, onStage })
  if (end.code !== 0) state.problem(`a run ended with ${end.code}: ${end.out.slice(-300)}${end.errors}`)
  if (environment !== 'prod') return end
  state.loads.set(version, [beganMs, Date.now() + state.nowMs + aheadMs])
  if (end.code === 0 && version !== state.live) {
    state.previous = state.live
    state.live = version
  }
  await state.look(`after run ${counts.runs}`)
  return end
}

async function look({ root, live, problem }, when) {
  const shown = await lookAtProduction(root)
  const truth = truthOf(live)
  const wrong = Object.keys(truth).filter(name => String(shown?.[name]) !== String(truth[name]))
  if (wrong.length > 0) problem(`${when} production is not version ${live} in ${wrong}`)
}

/** `laterMs`: how far the clock of who asks is ahead of the right one. */
async function lookAtFreshness(state, { byAgents = false, laterMs = 0 } = {}) {
  const [fromMs, toMs] = state.loads.get(state.live)
  const askedMs = Date.now() + state.nowMs + laterMs
  const told = byAgents ? await freshnessOfAgents(state) : await freshnessOfCommand(state, laterMs)
  const ageMs = askedMs - fromMs
  const status = ageMs > 3 * dayMs ? 'ERROR' : ageMs > dayMs || ageMs < -dayMs ? 'WARN' : 'OK'
  for (const name of withLimits) {
    const asset = told.assets.find(each => each.name === name)
    const loadedMs = Date.parse(asset?.loaded_at)
    const isRight = asset?.status === status && loadedMs >= fromMs - 1000 && loadedMs <= toMs + 1000
    const due = `${status}, loaded at ${new Date(fromMs).toISOString()}`
    state.expect(isRight, `the freshness of ${name} is ${JSON.stringify(asset)}, not ${due}`)
  }
  const code = told.code ?? 0
  const isMeant = byAgents || code === (status === 'ERROR' ? 1 : 0)
  state.expect(isMeant, `svc freshness ends with ${code} where data are ${status}`)
}

async function freshnessOfCommand(state, aheadMs) {
  const { code, out, errors } = await state.svc(['freshness', '--env', 'prod', '--json'], { aheadMs })
  if (!out.startsWith('{')) throw new Error(`svc freshness says ${out}${errors}`)
  return { code, ...JSON.parse(out) }
}

async function freshnessOfAgents({ servers }) {
  counts.tools++
  const { text, value } = await servers.agents.call('freshness')
  if (value === undefined) throw new Error(`the tool freshness says ${text}`)
  return value
}

async function lookAtLogs(byAgents) {
  const value = byAgents
    ? (await week.servers.agents.call('run_history')).value
    : JSON.parse((await week.svc(['logs', '--list', '--json'])).out)
  const told = value?.logs.map(each => each.run_id) ?? []
  const due = week.logged.slice(0, mostLogs)
  const wrong = due.findIndex((id, place) => told[place] !== id)
  const isRight = byAgents ? wrong < 0 || wrong >= told.length : told.length === due.length && wrong < 0
  week.expect(isRight && told.length > 0, `the logs are ${told}, not ${due}`)
}

/** Counts that cannot be, folders taken for secrets, stacks. */
function lookAtWords({ expect }, whose, text) {
  for (const [said, part, all] of text.matchAll(/\b(\d+) of (\d+)\b/g))
    expect(Number(part) <= Number(all), `${whose} says "${said}"`)
  expect(!text.includes('***'), `${whose} hides what is no secret: ${text.slice(0, 300)}`)
  expect(!/^ {4}at /m.test(text), `${whose} shows a stack: ${text.slice(0, 500)}`)
}

/** When nobody asks for anything: what each program and each place takes. */
async function measure() {
  await new Promise(resolve => setTimeout(resolve, 500))
  const taken = week.servers.pids.map(([name, pid]) => [name, processNow(pid)])
  const places = {
    '.svc': filesNow(join(week.root, '.svc')),
    'the warehouse': filesNow(join(week.root, 'warehouse.duckdb')),
  }
  week.steps.push({ ...Object.fromEntries(taken), ...places })
}

async function end() {
  await week.checkOut('main')
  week.world.publish(++week.current)
  await week.run()
  await week.lookAtFreshness()
  await lookAtLogs(false)
  for (const orphan of await orphansIn(week.root)) week.problem(`left behind: ${orphan}`)
  for (const empty of emptyFoldersIn(join(week.root, '.svc'))) week.problem(`left behind, empty: ${empty}`)
  for (const text of week.servers.heard()) lookAtWords(week, 'a server', text)
  if (runs < 3 * mostLogs) return
  for (const growth of growths(week.steps)) week.problem(growth)
  for (const [name, count] of await wakeups()) {
    process.stdout.write(`  idle, ${name} wakes up ${count} times a second\n`)
    week.expect(count <= mostWakeups, `idle, ${name} wakes up ${count} times a second`)
  }
}

async function wakeups() {
  const seconds = 4
  await new Promise(resolve => setTimeout(resolve, 3000))
  const before = week.servers.pids.map(([, pid]) => switchesOf(pid))
  await new Promise(resolve => setTimeout(resolve, seconds * 1000))
  return week.servers.pids.map(([name, pid], place) => [
    name,
    Math.round((switchesOf(pid) - before[place]) / seconds),
  ])
}

/** That of all runs of an environment stays: another one may be making its own in it. */
function emptyFoldersIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isDirectory() && entry.name !== 'work')
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter(path => readdirSync(path).length === 0)
}

function report() {
  const { runs: ran, ...others } = counts
  const acts = Object.values(others).reduce((sum, count) => sum + count, ran)
  const details = Object.entries(others).map(([what, count]) => `${count} ${what}`)
  const [first] = week.steps
  for (const thing of Object.keys(first ?? {})) {
    const course = week.steps.map(step => Object.values(step[thing]).join('/'))
    process.stdout.write(`  ${thing} (${Object.keys(first[thing]).join('/')}): ${course.join(' ')}\n`)
  }
  process.stdout.write(
    `${acts} acts (${details.join(', ')}), ${ran} runs, ${week.steps.length} measurements, ${problems.length} problems\n`,
  )
}
