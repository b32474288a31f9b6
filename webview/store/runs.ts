/** Starts, watches and cancels runs of the dashboard, and puts their events into the store. */
import type { HostError, RunStream } from '../host/host.ts'
import type { AttemptedRun, RunMode, StreamEvent } from '../protocol.ts'
import { withTests } from './live-tests.ts'
import { newRunLog, type RunLog, summaryOf, titleOf, withEvents } from './run-log.ts'
import { asHostError, noteConnection, reload, type Store } from './store.ts'

const mostRuns = 5

export async function startRun(store: Store, asset: string, mode: RunMode): Promise<void> {
  await begin(store, () => store.host.run(asset, mode))
}

export async function startRollback(store: Store, names: readonly string[]): Promise<void> {
  await begin(store, () => store.host.rollback(names))
}

export async function watchRun(store: Store, runId: string): Promise<void> {
  if (store.runs.value.some(run => run.runId === runId)) return
  await begin(store, () => store.host.attach(runId))
}

/** `isPast`: the catalogue has the results of the run, so that its events change nothing on the page. */
async function begin(store: Store, open: () => Promise<RunStream>, isPast = false): Promise<void> {
  try {
    follow(store, await open(), isPast)
  } catch (error) {
    const problem = asHostError(error)
    if (problem.problem === 'busy' && problem.runId !== undefined) await showFirst(store, problem.runId)
    store.notice.value = sentence(problem)
    store.noticeRun.value = problem.runId ?? null
    noteConnection(store, problem)
  }
}

/** Shows the lines of a run that has ended, from its log. */
export async function showPastRun(
  store: Store,
  { run_id: id, kind, selector }: Pick<AttemptedRun, 'run_id' | 'kind' | 'selector'>,
): Promise<void> {
  if (!store.runs.value.some(run => run.runId === id))
    await begin(store, () => store.host.attach(id, { kind, selector }), true)
  if (store.runs.value.some(run => run.runId === id)) store.shownRun.value = id
}

/** A second run is refused, and the first one is shown instead. */
async function showFirst(store: Store, runId: string): Promise<void> {
  await watchRun(store, runId)
  if (!store.host.abilities.ownTerminal) store.shownRun.value = runId
}

export async function cancelRun(store: Store, runId: string): Promise<void> {
  try {
    await store.host.cancel(runId)
    store.notice.value = 'The run is being cancelled.'
  } catch (error) {
    store.notice.value = sentence(asHostError(error))
  }
}

export function sentence(problem: HostError): string {
  const { message, hint } = problem
  const first = `${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`
  return hint === undefined ? first : `${first} ${hint}`
}

function follow(store: Store, stream: RunStream, isPast: boolean): void {
  const { runId } = stream
  const log = { ...newRunLog(stream), taken: isPast }
  store.runs.value = [log, ...store.runs.value.filter(run => run.runId !== runId)].slice(0, mostRuns)
  if (!store.host.abilities.ownTerminal) store.shownRun.value = runId
  let waiting: StreamEvent[] = []
  const take = () => {
    const events = waiting
    waiting = []
    change(store, runId, run => withEvents(run, events))
    if (!isPast) takeTests(store, events)
    if (!events.some(event => event.type === 'end')) return
    if (isPast) stream.close()
    else finish(store, stream)
  }
  stream.onEvent(event => {
    waiting.push(event)
    // Events of one frame are processed together.
    if (waiting.length === 1) requestAnimationFrame(take)
  })
  stream.onConnection(connection => change(store, runId, run => ({ ...run, connection })))
}

/** The shown snapshot does not contain these results yet. */
function takeTests(store: Store, events: readonly StreamEvent[]): void {
  const tests = events.filter(event => event.type === 'test')
  const { value: data } = store.data
  if (tests.length === 0 || data === undefined) return
  store.data.value = withTests(data, tests, new Date(store.nowMs.peek()).toISOString())
}

function finish(store: Store, stream: RunStream): void {
  stream.close()
  const run = store.runs.value.find(each => each.runId === stream.runId)
  if (run !== undefined) store.notice.value = `${titleOf(run)}: ${summaryOf(run)}.`
  // The state from the run is shown until the catalogue includes it.
  void reload(store).finally(() => change(store, stream.runId, each => ({ ...each, taken: true })))
}

function change(store: Store, runId: string, next: (run: RunLog) => RunLog): void {
  store.runs.value = store.runs.value.map(run => (run.runId === runId ? next(run) : run))
}
