/** Starts, watches and cancels runs of the dashboard, and puts their events into the store. */
import type { HostError, RunStream } from '../host/host.ts'
import type { AttemptedRun, RunMode, StreamEvent } from '../protocol.ts'
import { withTests } from './live-tests.ts'
import { newRunLog, type RunLog, summaryOf, titleOf, withEvents } from './run-log.ts'
import { asHostError, reload, type Store } from './store.ts'

const mostRuns = 5

/** Events of one frame are processed together: `later` calls back once, soon. */
export type Later = (callback: () => void) => void

export async function startRun(store: Store, asset: string, mode: RunMode, later: Later): Promise<void> {
  await begin(store, () => store.host.run(asset, mode), later)
}

export async function startRollback(store: Store, names: readonly string[], later: Later): Promise<void> {
  await begin(store, () => store.host.rollback(names), later)
}

export async function watchRun(store: Store, runId: string, later: Later): Promise<void> {
  if (store.runs.value.some(run => run.runId === runId)) return
  await begin(store, () => store.host.attach(runId), later)
}

/** `isPast`: the catalogue has the results of the run, so that its events change nothing on the page. */
async function begin(
  store: Store,
  open: () => Promise<RunStream>,
  later: Later,
  isPast = false,
): Promise<void> {
  try {
    follow(store, await open(), later, isPast)
  } catch (error) {
    const problem = asHostError(error)
    if (problem.problem === 'busy' && problem.runId !== undefined)
      await showFirst(store, problem.runId, later)
    store.notice.value = sentence(problem)
    store.noticeRun.value = problem.runId ?? null
    if (problem.problem === 'expired' || problem.problem === 'stopped')
      store.connection.value = problem.problem
  }
}

/** Shows the lines of a run that has ended, from its log. */
export async function showPastRun(
  store: Store,
  { run_id: id, kind, selector }: Pick<AttemptedRun, 'run_id' | 'kind' | 'selector'>,
  later: Later,
): Promise<void> {
  if (!store.runs.value.some(run => run.runId === id))
    await begin(store, () => store.host.attach(id, { kind, selector }), later, true)
  if (store.runs.value.some(run => run.runId === id)) store.shownRun.value = id
}

/** A second run is refused, and the first one is shown instead. */
async function showFirst(store: Store, runId: string, later: Later): Promise<void> {
  await watchRun(store, runId, later)
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

function follow(store: Store, stream: RunStream, later: Later, isPast: boolean): void {
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
    if (waiting.length === 1) later(take)
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
