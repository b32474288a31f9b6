/**
 * Goes on from a publish that stopped: brings its journal into the state, what was acknowledged and what is in doubt. Nothing
 * is sent: what is in doubt is planned with everything else.
 */
import type { Warning } from '@svc/server/contract'
import { openOptions } from '../run/begin-run.ts'
import { initialiseState } from '../run/initialise-state.ts'
import type { PublishRecord } from '../state/state.ts'
import { commitAcknowledged, readAcknowledged } from './acknowledge.ts'
import { earlierAttempts, endDead } from './attempt.ts'
import { type Doubts, noteDoubts, readDoubts } from './doubts.ts'
import {
  forgetJournal,
  leftBehind,
  openPublishJournal,
  type PublishJournal,
  type PublishPlan,
} from './journal.ts'
import { closing, type Publishing } from './publishing.ts'
import { isAt } from './very-place.ts'

/** Returns what it found; undefined if nothing was left. */
export async function resumeLeft(publishing: Publishing): Promise<Doubts | undefined> {
  const { folder, emit, attempt, workspace } = publishing
  const plan = leftBehind(folder)
  if (plan !== undefined) {
    const journal = await openPublishJournal(folder, plan.repeats)
    try {
      await keep(publishing, plan, journal)
      await noteDoubts(folder, plan, journal.state(), workspace.world.pid)
    } finally {
      await journal.close()
    }
    forgetJournal(folder)
  }
  const left = readDoubts(folder)
  if (left === undefined) return undefined
  const { asset, target } = attempt.to
  const counts = { acknowledged: left.acknowledged, in_doubt: left.inDoubt }
  emit({ type: 'publish-resumed', asset, target, stopped_run_id: left.runId, ...counts })
  const warning = leftElsewhere(publishing, left)
  if (warning !== undefined) emit({ type: 'warning', ...warning })
  return left
}

/** What was meant for another place is not sent to this one, nor to that one behind the back of the person who named this one. */
export function leftElsewhere(
  { attempt, destination }: Pick<Publishing, 'attempt' | 'destination'>,
  { place, inDoubt, runId }: Doubts,
): Warning | undefined {
  if (inDoubt === 0 || isAt(destination, place)) return undefined
  const { asset } = attempt.to
  return {
    ...({ code: 'left-at-target', asset, count: inDoubt } as const),
    message: `publish ${runId} did not learn whether ${place} took ${inDoubt} rows of "${asset}"; they are sent to the place that the target names now, and nothing more is sent there`,
    hint: 'To settle them there, let the target name that place again and publish.',
  }
}

async function keep(publishing: Publishing, plan: PublishPlan, journal: PublishJournal): Promise<void> {
  const { workspace, attempt, emit } = publishing
  const at = workspace.world.now().toISOString()
  const acknowledged = await readAcknowledged(journal, plan, at, true)
  const warehouse = await workspace.warehouse()
  const session = await warehouse.open('write', openOptions(workspace, emit))
  await closing(session, async () => {
    await initialiseState(session, emit)
    const stopped = ({ run_id }: PublishRecord) => run_id === plan.runId
    const earlier = (await earlierAttempts(session, attempt.to)).map(each =>
      stopped(each) ? { ...each, place: plan.place } : each,
    )
    const counts = { ...acknowledged.counts, unchanged: 0, invalid: 0 }
    const others = endDead(earlier, at, new Map([[plan.runId, counts]]))
    await commitAcknowledged(session, { to: attempt.to, runId: plan.runId, acknowledged, others })
  })
}
