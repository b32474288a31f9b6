/** Describes a run whose process died, from its journal if there is one, otherwise from the state tables. */
import type { EventOf } from '@svc/server/contract'
import { signsOfLife } from '../log/log-files.ts'
import type { HistoryRecord, StateSnapshot } from '../state/state.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type JournalOfRun, readJournal, workFolder } from './journal.ts'
import { type KeptFetches, keptFetches, spoolsOf } from './spools.ts'

type Recovered = EventOf<'recovered'>

/** Returns when the process of a run was last seen: what its journal or its log says last; its start where neither is here. */
export function lastSignOfLife(run: HistoryRecord, root: string, facts: StoppedFacts): string {
  const journal = facts.journal?.runId === run.run_id ? [Date.parse(facts.journal.at)] : []
  const seen = Math.max(Date.parse(run.started_at), ...journal, ...signsOfLife(root, run.run_id))
  return new Date(Math.min(seen, facts.now.getTime())).toISOString()
}

export interface StoppedFacts {
  readonly state: StateSnapshot
  /** The journal in this clone; it may belong to another run. */
  readonly journal: JournalOfRun | undefined
  readonly kept: KeptFetches
  readonly environment: string
  readonly now: Date
  readonly next: Recovered['next']
  /** Whether the warehouse had an unfinished promotion and completed it. */
  readonly rolledForward?: boolean
}

/**
 * Returns the runs whose processes died and that were not reported yet; newest first. `dead`: rows that still
 * have the status `running`.
 */
export function stoppedRuns(dead: readonly HistoryRecord[], facts: StoppedFacts): Recovered[] {
  const production = facts.rolledForward === true ? 'promoted' : 'as-before'
  const found = dead.map(run => {
    const journal = facts.journal?.runId === run.run_id ? facts.journal : undefined
    const stopped = { runId: run.run_id, kind: run.kind, at: journal?.at ?? run.started_at }
    return eventOf(facts, { ...stopped, stage: stageOf(run, facts), production, next: facts.next })
  })
  const { journal, state } = facts
  if (journal === undefined || journal.ended || dead.some(run => run.run_id === journal.runId)) return found
  // It died before it had a row, or after its promotion.
  const row = state.history.find(run => run.run_id === journal.runId)
  const isPromoted = row?.status === 'deployed'
  const goesOn = !isPromoted && (journal.kind === 'run' || journal.kind === 'preview')
  const said = {
    production: isPromoted ? 'promoted' : 'as-before',
    next: goesOn ? facts.next : 'nothing',
  } as const
  return [eventOf(facts, { ...journal, ...said }), ...found]
}

export function stageOf(run: HistoryRecord, { state, journal }: StoppedFacts): string {
  if (journal?.runId === run.run_id) return journal.stage
  return buildsOf(state, [run.run_id]).length === 0 ? 'fetch' : 'build'
}

interface Stopped extends Pick<Recovered, 'kind' | 'production' | 'next'> {
  readonly runId: string
  readonly stage: string
  readonly at: string
}

function eventOf(facts: StoppedFacts, { runId, kind, stage, at, production, next }: Stopped): Recovered {
  const journal = facts.journal?.runId === runId ? facts.journal : undefined
  const builds = buildsOf(facts.state, journal?.runIds ?? [runId])
  const models = builds.filter(({ part }) => part === 'model').length
  return {
    type: 'recovered',
    stopped_run_id: runId,
    kind,
    environment: facts.environment,
    stopped_at: stage,
    next,
    sources: { complete: facts.kept.complete, all: journal?.sources ?? null },
    begun: facts.kept.begun,
    builds: { complete: models, all: journal?.builds ?? null },
    production,
    seconds_ago: Math.max(0, (facts.now.getTime() - Date.parse(at)) / 1000),
  }
}

function buildsOf({ builds }: StateSnapshot, runIds: readonly string[]) {
  return [...builds.values()].filter(({ run_id }) => runIds.includes(run_id))
}

/**
 * Returns dead runs for commands that change nothing, unless another command is already continuing from them.
 */
export async function findStopped(workspace: Workspace, state: StateSnapshot): Promise<Recovered[]> {
  const dead = state.history.filter(({ status }) => status === 'running')
  const folder = await workFolder(workspace)
  const journal = readJournal(folder)
  if (dead.length === 0 && (journal === undefined || journal.ended)) return []
  const warehouse = await workspace.warehouse()
  const { name: environment, stateName } = workspace.environment
  if ((await warehouse.leaseHolder(stateName)) !== undefined) return []
  const now = workspace.world.now()
  const kept = await keptFetches(spoolsOf(folder), now)
  return stoppedRuns(dead, { state, journal, kept, environment, now, next: 'next-run' })
}
