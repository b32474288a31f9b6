// What happens now and then in the week of scripts/week.mjs, one of these after each run of its turn. `week` has the project, the
// servers and what the script knows.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { descendantsOf } from './week-measures.mjs'

/** What NODE_OPTIONS of each process is. */
export const clock = `--require "${join(dirname(fileURLToPath(import.meta.url)), 'soak-clock.cjs')}"`
export const dayMs = 86_400_000
/** A lease of another host counts as dead after five minutes without a sign of life. */
const silentMs = 6 * 60_000
const filesOutside = 40
/** Beside the worker of the project there is one for all files that belong to none. */
const mostWorkers = 3

/** One run whose clock is wrong; the next run has the right one. */
async function runWithClock(week, aheadMs) {
  week.world.publish(++week.current)
  await week.run({ aheadMs })
  await week.lookAtFreshness()
  week.world.publish(++week.current)
  await week.run()
  await week.lookAtFreshness()
}

async function killWorker({ root, servers: { editor }, problem }) {
  const workers = descendantsOf(editor.pid)
  if (workers.length === 0) return problem('the editor has no worker to kill')
  for (const pid of workers) process.kill(pid, 'SIGKILL')
  const path = join(root, 'models', 'overview.svc')
  const right = readFileSync(path, 'utf8')
  await editor.change(path, right.replace('max(version)', 'max(no_such_column)'))
  const wrong = await editor.problems(path)
  if (!wrong.join().includes('no_such_column'))
    problem(`after the end of a worker wrong SQL has ${JSON.stringify(wrong)}`)
  await editor.change(path, right)
  const none = await editor.problems(path)
  if (none.length > 0) problem(`after the end of a worker right SQL has ${JSON.stringify(none)}`)
}

async function sendNonsense({ servers: { agents }, expect }) {
  const codes = [await agents.sendsNonsense('this is no JSON'), await agents.sendsNonsense('[]')]
  expect(codes.join() === '-32700,-32600', `lines that are no message are answered with ${codes}`)
}

async function openOutside({ folder, servers: { editor }, expect }) {
  const outside = join(folder, 'outside')
  mkdirSync(outside, { recursive: true })
  const paths = Array.from({ length: filesOutside }, (_, n) => join(outside, `alone_${n}.svc`))
  for (const path of paths) {
    const text = `name: alone\ningest: none\ntransform: SELECT 1 AS n\n`
    writeFileSync(path, text)
    await editor.open(path, text)
    await editor.problems(path)
  }
  const workers = descendantsOf(editor.pid).length
  expect(workers <= mostWorkers, `${filesOutside} files outside of a project have ${workers} processes`)
  for (const path of paths) await editor.close(path)
}

async function rollBackAndForth(week) {
  if (week.previous === undefined || week.previous === 0) return
  for (let turn = 0; turn < 2; turn++) {
    const { code, errors } = await week.svc(['rollback', '--env', 'prod', '--log-format', 'json'])
    if (code !== 0) return week.problem(`a rollback ended with ${code}: ${errors}`)
    const { live, previous } = week
    week.live = previous
    week.previous = live
    await week.look('after a rollback')
    await week.lookAtFreshness()
  }
}

async function runOnBranch(week) {
  await week.checkOut('feature')
  await week.run({ environment: 'dev' })
  await week.checkOut('main')
  await week.look('after a run on a branch')
}

async function upload(week) {
  const { servers, svc, problem, expect } = week
  const { code, errors } = await svc(['upload', '--env', 'prod'], { env: servers.store.env })
  if (code !== 0) return problem(`an upload ended with ${code}: ${errors}`)
  const { body: assets } = await servers.store.get('metadata/projects/1/assets?name=regions')
  const { body } = await servers.store.get(`metadata/assets/${assets[0].id}/metadata`)
  const { out } = await svc(['versions', 'regions', '--env', 'prod', '--json'])
  const live = JSON.parse(out).versions.find(each => each.active)
  const told = body.active_version
  expect(told?.run_id === live?.run_id, `the store has ${told?.run_id} as live, and not ${live?.run_id}`)
}

/** A run is stopped as a machine that sleeps; the other one of the same machine must wait for it. */
async function sleepBesideOwn(week) {
  week.world.publish(++week.current)
  const { sleeper, asleep } = sleeping(week)
  const child = await asleep
  if (child === undefined) return
  const other = await week.svc(['run', '--env', 'prod', '--log-format', 'json'])
  week.expect(other.code === 3, `a run beside one that sleeps ended with ${other.code}: ${other.errors}`)
  child.kill('SIGCONT')
  await settle(week, await sleeper)
}

/** After more than five minutes another machine takes the lease: the run that wakes up promotes nothing. */
async function sleepBesideOther(week) {
  week.world.publish(++week.current)
  const { sleeper, asleep } = sleeping(week)
  const child = await asleep
  if (child === undefined) return
  week.world.publish(++week.current)
  await week.run({ aheadMs: silentMs, host: 'another-machine' })
  child.kill('SIGCONT')
  const { code, errors, out } = await sleeper
  const isTold = code === 3 && /lease-lost|lost the lease/.test(errors + out)
  week.expect(isTold, `a run that lost its lease ended with ${code}: ${errors}`)
  await week.look('after a run that lost its lease')
  week.world.publish(++week.current)
  await week.run()
}

/** `asleep`: the process, stopped while it fetches; undefined if it ended before. */
function sleeping(week) {
  week.counts.runs++
  let told
  const asleep = new Promise(resolve => {
    told = resolve
  })
  const onStage = (child, stage) => {
    if (stage !== 'fetch') return
    child.kill('SIGSTOP')
    told(child)
  }
  const beganMs = Date.now() + week.nowMs
  const sleeper = week
    .svc(['run', '--env', 'prod', '--log-format', 'json'], { onStage })
    .finally(() => told(undefined))
    .then(end => ({ ...end, beganMs }))
  return { sleeper, asleep }
}

async function settle(week, { code, errors, beganMs }) {
  week.expect(code === 0, `a run that slept ended with ${code}: ${errors}`)
  if (code !== 0) return
  week.loads.set(week.current, [beganMs, Date.now() + week.nowMs])
  week.previous = week.live
  week.live = week.current
  await week.look('after a run that slept')
}

/** A folder that is gone for a while under programs that are up. */
async function renameFolder({ root, servers, expect }) {
  const elsewhere = `${root}-elsewhere`
  renameSync(root, elsewhere)
  try {
    for (const path of ['/api/catalog.json', '/api/history.json']) {
      const { status, text } = await servers.dashboard.load(path)
      const isTold = status === 503 && text.includes('not in its folder')
      expect(isTold, `without its folder the dashboard answers ${path} with ${status}: ${text}`)
    }
    const { text } = await servers.agents.call('status')
    expect(!/^ {4}at /m.test(text), `without its folder the server of agents says ${text}`)
  } finally {
    renameSync(elsewhere, root)
  }
  await wait(300)
  const { status } = await servers.dashboard.load('/api/catalog.json')
  expect(status === 200, `with its folder again the dashboard answers with ${status}`)
}

async function prune({ servers: { store }, expect }) {
  const dry = await store.prune('--dry-run')
  const real = await store.prune()
  const isSame = dry.code === 0 && real.code === 0 && dry.counts === real.counts && dry.counts !== ''
  expect(isSame, `svc-hosted prune deletes ${real.counts}, and its dry run says ${dry.counts}`)
}

/** Data grow old while nobody runs. */
async function letDaysPass(week) {
  for (const days of [2, 4]) await week.lookAtFreshness({ laterMs: days * dayMs })
}

/** The first ones are those of a small week. */
export const specials = [
  { name: 'a clock 400 days ahead', act: week => runWithClock(week, 400 * dayMs) },
  { name: 'the worker of the editor is killed', act: killWorker },
  { name: 'lines that are no message', act: sendNonsense },
  { name: 'a rollback and back', act: rollBackAndForth },
  { name: 'an upload', act: upload },
  { name: 'a run that sleeps', act: sleepBesideOwn },
  { name: 'files outside of a project', act: openOutside },
  { name: 'a clock 5 days back', act: week => runWithClock(week, -5 * dayMs) },
  { name: 'a run on a branch', act: runOnBranch },
  { name: 'the folder is renamed', act: renameFolder },
  { name: 'a run that loses its lease', act: sleepBesideOther },
  { name: 'days go by', act: letDaysPass },
  { name: 'a prune', act: prune },
]
