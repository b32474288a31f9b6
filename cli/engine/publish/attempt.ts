/** One attempt to publish: its row in the state from the start, and its end, whatever it is. */

import type { Warning } from '@svc/server/contract'
import { svcIn } from '@svc/server/language'
import type { EmitEvent } from '../run/events.ts'
import { runOrigin } from '../run/run-origin.ts'
import { keepWarnings } from '../run/warnings.ts'
import { finishPublish, insertPublish, type PublishedTo, type StateChange } from '../state/changes.ts'
import type { PublishCounts, PublishRecord } from '../state/state.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** How many earlier attempts may matter: those that died, the last one that ended, and the last one that rows were acknowledged by. */
const mostEarlier = 100

export class Attempt {
  readonly to: PublishedTo
  readonly runId: string
  readonly startedAt: Date
  /** Keeps the warnings that pass through it. */
  readonly emit: EmitEvent
  readonly warnings: Warning[] = []
  readonly #workspace: Workspace
  record: PublishRecord
  #isStored = false

  constructor(
    workspace: Workspace,
    facts: Pick<PublishRecord, 'asset' | 'target' | 'mode'>,
    emit: EmitEvent,
  ) {
    const { world, environment } = workspace
    this.#workspace = workspace
    this.to = { environment: environment.stateName, asset: facts.asset, target: facts.target }
    this.runId = world.newRunId()
    this.startedAt = world.now()
    this.emit = keepWarnings(this.warnings, svcIn(environment.name), emit)
    this.record = {
      ...this.to,
      run_id: this.runId,
      place: '',
      mode: facts.mode,
      status: 'running',
      started_at: this.startedAt.toISOString(),
      finished_at: null,
      build_key: null,
      counts: null,
      error: null,
      ...runOrigin(workspace),
      warnings: [],
    }
  }

  get seconds(): number {
    return (this.#workspace.world.now().getTime() - this.startedAt.getTime()) / 1000
  }

  /** Stores that it runs. Attempts that still run by their rows are those of dead processes, since the lease is held. */
  async begin(session: WarehouseSession, facts: Pick<PublishRecord, 'place' | 'build_key'>): Promise<void> {
    this.record = { ...this.record, ...facts, warnings: [...this.warnings] }
    await session.state.commit(insertPublish(this.record))
    this.#isStored = true
  }

  /** Keeps with its end what acknowledged its rows. */
  at(place: string): void {
    this.record = { ...this.record, place }
  }

  /** Returns the changes that end it. */
  end(status: 'published' | 'Failed', counts: PublishCounts | null, error?: unknown): readonly StateChange[] {
    const said = error === undefined ? null : error instanceof Error ? error.message : String(error)
    this.record = {
      ...this.record,
      status,
      counts,
      warnings: [...this.warnings],
      finished_at: this.#workspace.world.now().toISOString(),
      error: said === null ? null : (this.#workspace.withoutSecrets?.(said) ?? said),
    }
    const changes = this.#isStored ? finishPublish(this.record) : insertPublish(this.record)
    this.#isStored = true
    return changes
  }
}

/** Returns earlier attempts at the same, newest first. */
export function earlierAttempts(
  session: WarehouseSession,
  to: PublishedTo,
): Promise<readonly PublishRecord[]> {
  return session.state.publishes(to, mostEarlier)
}

/** Returns the changes that end attempts whose processes died. */
export function endDead(
  earlier: readonly PublishRecord[],
  at: string,
  counts: ReadonlyMap<string, PublishCounts>,
): readonly StateChange[] {
  return earlier
    .filter(({ status }) => status === 'running')
    .flatMap(record =>
      finishPublish({
        ...record,
        status: 'Failed',
        finished_at: at,
        counts: counts.get(record.run_id) ?? null,
        error: 'its process stopped',
      }),
    )
}

/**
 * Returns what the keys of batches begin with. It changes when something was acknowledged since, so that a row which
 * comes back to a former state is not taken for the batch that brought it then; and it stays the same for an attempt
 * that repeats one of which nothing is known.
 */
export function baseOf(project: string, to: PublishedTo, earlier: readonly PublishRecord[]): string {
  const last = earlier.find(({ counts }) => counts !== null)
  return [project, to.environment, to.asset, to.target, last?.run_id ?? ''].join('\n')
}
