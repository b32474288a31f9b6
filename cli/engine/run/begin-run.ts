/**
 * Starts and ends every command that changes an environment: takes the lease, opens the state tables,
 * recovers what a dead process left, and always releases the lease.
 */
import type { RunKind } from '@svc/server/contract'
import { SvcError } from '../errors.ts'
import { endDeadLog } from '../log/dead-logs.ts'
import { finishHistory } from '../state/changes.ts'
import { killedError } from '../state/killed-runs.ts'
import type { StateSnapshot } from '../state/state.ts'
import type { LeaseHolder, OpenOptions, Warehouse, WarehouseSession } from '../warehouse/warehouse.ts'
import type { Workspace, World } from '../workspace/workspace.ts'
import type { EmitEvent, RunReport } from './events.ts'
import { initialiseState } from './initialise-state.ts'
import { type Journal, openJournal, type RunOptions, workFolder } from './journal.ts'
import { enterRefused } from './refused-runs.ts'
import { keptFetches, spoolsOf } from './spools.ts'
import { lastSignOfLife, stageOf, stoppedRuns } from './stopped-run.ts'

export interface Action {
  readonly runId: string
  readonly kind: RunKind | 'gc'
  readonly selector: string | null
  readonly options?: RunOptions
  readonly emit: EmitEvent
}

/** What is asked of the result of a command, whatever it is. */
type Ended = Pick<RunReport, 'status'> & Partial<Pick<RunReport, 'failure'>>

/** The resources of a command while it holds the lease of its environment. */
export interface HeldLease {
  readonly warehouse: Warehouse
  readonly journal: Journal
  /** Passes events on, and writes them to the journal too. */
  readonly emit: EmitEvent
  /** The folder with the environment's journal and spools. */
  readonly folder: string
  /** Throws SvcError `lease-lost`; asked before anything of production changes. */
  readonly assertHeld: () => Promise<void>
}

/**
 * Runs `work` while holding the environment's lease; an interrupt lets it shut down cleanly. Throws SvcError
 * `lease-held`. Read everything you need before calling this: other commands wait for the lease, and only
 * reading can be interrupted at once.
 */
export async function withLease<T extends Ended>(
  workspace: Workspace,
  action: Action,
  work: (held: HeldLease) => Promise<T>,
): Promise<T> {
  const { guard } = workspace.world
  const held = () => underLease(workspace, action, work)
  return guard === undefined ? held() : guard(held)
}

export function leaseHolder({ user, host, pid, now }: World, runId: string, command: string): LeaseHolder {
  return { runId, command, user, host, pid, since: now().toISOString() }
}

async function underLease<T extends Ended>(
  workspace: Workspace,
  { emit, options = { noIngest: false, allTests: false }, ...facts }: Action,
  work: (held: HeldLease) => Promise<T>,
): Promise<T> {
  const { world, environment } = workspace
  const warehouse = await workspace.warehouse()
  const holder = leaseHolder(world, facts.runId, facts.kind)
  const lease = await warehouse.acquireLease(environment.stateName, holder)
  try {
    const folder = await workFolder(workspace)
    const journal = openJournal(folder, { ...facts, options, pid: world.pid }, world.now)
    const { assertHeld } = lease
    let keep = true
    try {
      const report = await work({ warehouse, journal, emit: journal.listen(emit), folder, assertHeld })
      keep = report.status === 'Failed' || report.failure !== undefined
      return report
    } finally {
      if (await isHeld(assertHeld)) journal.end(keep)
    }
  } finally {
    await lease.release()
  }
}

/** Returns what is told of an error: what fails because another command has the lease, such as files that it deleted, is that. */
export async function lostLease(assertHeld: HeldLease['assertHeld'], error: unknown): Promise<unknown> {
  try {
    await assertHeld()
    return error
  } catch (lost) {
    return lost instanceof SvcError && lost.code === 'lease-lost' ? lost : error
  }
}

/** The journal and the spools of a command that lost its lease are those of another one by now. */
export async function isHeld(assertHeld: HeldLease['assertHeld']): Promise<boolean> {
  return assertHeld().then(
    () => true,
    () => false,
  )
}

export async function withSession<T>(
  workspace: Workspace,
  warehouse: Warehouse,
  emit: EmitEvent,
  work: (session: WarehouseSession) => Promise<T>,
): Promise<T> {
  const session = await warehouse.open('write', openOptions(workspace, emit))
  try {
    return await work(session)
  } finally {
    await session.close()
  }
}

/** Runs `work` while the warehouse is open for reading; where there is none yet, without a session. */
export async function withReadSession<T>(
  workspace: Workspace,
  options: OpenOptions,
  work: (session: WarehouseSession | undefined) => Promise<T>,
): Promise<T> {
  const warehouse = await workspace.warehouse()
  const session = await warehouse.open('read', options)
  try {
    return await work(session)
  } finally {
    await session?.close()
  }
}

export function openOptions(workspace: Workspace, emit: EmitEvent = () => {}): OpenOptions {
  return {
    signal: workspace.signal,
    onWait: holder => emit({ type: 'waiting', reason: `the warehouse is held by ${holder}` }),
  }
}

/**
 * Creates the state tables, recovers an unfinished promotion, and marks dead runs. Because the lease is held,
 * every `running` row of the environment belongs to a dead process.
 */
export async function openState(
  session: WarehouseSession,
  workspace: Workspace,
  { journal, emit, folder }: Pick<HeldLease, 'journal' | 'emit' | 'folder'>,
  next: 'now' | 'next-run' = 'next-run',
): Promise<StateSnapshot> {
  const { name, stateName } = workspace.environment
  await initialiseState(session, emit)
  const recovery = await session.promotion.recover(stateName, warning =>
    emit({ type: 'warning', asset: null, ...warning }),
  )
  const state = await session.state.read(stateName)
  const dead = state.history.filter(({ status }) => status === 'running')
  const now = workspace.world.now()
  const rolledForward = recovery === 'rolled-forward'
  const kept = await keptFetches(spoolsOf(folder), now)
  const facts = { state, journal: journal.last, kept, environment: name, now, next, rolledForward }
  const events = stoppedRuns(dead, facts)
  if (dead.length > 0) {
    const ends = dead.map(run => ({
      ...run,
      status: 'Failed' as const,
      finished_at: lastSignOfLife(run, workspace.root, facts),
      error: killedError(stageOf(run, facts)),
    }))
    await session.state.commit(ends.flatMap(finishHistory))
  }
  for (const event of events) endDeadLog(workspace.root, event)
  const isNews = await enterRefused(session, workspace, state.generation)
  journal.begin()
  for (const event of events) emit(event)
  return dead.length === 0 && !isNews ? state : session.state.read(stateName)
}
