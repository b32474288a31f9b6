/** Goes on from a publish that stopped: settles what is in doubt, and keeps what was acknowledged. */
import { rmSync } from 'node:fs'
import { openOptions } from '../run/begin-run.ts'
import type { PublishRecord } from '../state/state.ts'
import { commitAcknowledged, readAcknowledged } from './acknowledge.ts'
import { earlierAttempts, endDead } from './attempt.ts'
import { leftBehind, openPublishJournal, type PublishJournal, type PublishPlan } from './journal.ts'
import { closing, type Publishing } from './publish-asset.ts'
import type { PublishReport } from './report.ts'
import { settleDoubts } from './send-batches.ts'
import { sendingOf } from './sending.ts'
import { placeNow } from './very-place.ts'

/** Returns what it found; undefined if nothing was left. Throws where the target does not answer: then all of it stays. */
export async function resumeLeft(publishing: Publishing): Promise<PublishReport['resumed']> {
  const { folder, emit, attempt } = publishing
  const plan = leftBehind(folder)
  if (plan === undefined) return undefined
  const journal = await openPublishJournal(folder)
  try {
    const { counts: taken, inDoubt } = journal.state()
    const acknowledged = taken.insert + taken.update + taken.delete
    const found = { runId: plan.runId, acknowledged, inDoubt: rowsOf(inDoubt.values()) }
    const { asset, target } = attempt.to
    const counts = { acknowledged: found.acknowledged, in_doubt: found.inDoubt }
    emit({ type: 'publish-resumed', asset, target, stopped_run_id: plan.runId, ...counts })
    await settle(publishing, plan, journal)
    await keep(publishing, plan, journal)
    rmSync(folder, { recursive: true, force: true })
    return found
  } finally {
    await journal.close()
  }
}

function rowsOf(ranges: Iterable<readonly [number, number]>): number {
  return [...ranges].reduce((sum, [from, to]) => sum + to - from, 0)
}

/** What was meant for another place, or another table, is not sent to this one. */
async function settle(publishing: Publishing, plan: PublishPlan, journal: PublishJournal): Promise<void> {
  const { destination } = publishing
  const { inDoubt } = journal.state()
  if (inDoubt.size === 0) return
  const { isSame } = await placeNow(destination, [plan.place])
  if (!isSame) return
  await destination.prepare(plan.fields, 'create')
  const sending = sendingOf(publishing, {
    journal,
    plan,
    personal: new Set(plan.personal),
    all: rowsOf(inDoubt.values()),
  })
  await settleDoubts(sending, inDoubt)
}

async function keep(publishing: Publishing, plan: PublishPlan, journal: PublishJournal): Promise<void> {
  const { workspace, attempt, emit } = publishing
  const at = workspace.world.now().toISOString()
  const acknowledged = await readAcknowledged(journal, plan, at, true)
  const warehouse = await workspace.warehouse()
  const session = await warehouse.open('write', openOptions(workspace, emit))
  await closing(session, async () => {
    await session.state.initialise()
    const stopped = ({ run_id }: PublishRecord) => run_id === plan.runId
    const earlier = (await earlierAttempts(session, attempt.to)).map(each =>
      stopped(each) ? { ...each, place: plan.place } : each,
    )
    const counts = { ...acknowledged.counts, unchanged: 0, invalid: 0 }
    const others = endDead(earlier, at, new Map([[plan.runId, counts]]))
    await commitAcknowledged(session, { to: attempt.to, runId: plan.runId, acknowledged, others })
  })
}
