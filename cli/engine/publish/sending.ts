/** What sending needs to know, from what a publish knows. */

import { rawOf } from './acknowledge.ts'
import type { PublishJournal, PublishPlan } from './journal.ts'
import type { UnderLease } from './publishing.ts'
import { withoutValues } from './samples.ts'
import type { Sending } from './send-batches.ts'

interface SendingFacts {
  readonly journal: PublishJournal
  readonly plan: PublishPlan
  /** The fields whose values are told to nobody. */
  readonly personal: ReadonlySet<string>
  /** How many rows there are to send. */
  readonly all: number
}

export function sendingOf(
  { workspace, target, destination, secrets, attempt, emit, assertHeld }: UnderLease,
  { journal, plan, personal, all }: SendingFacts,
): Sending {
  const { asset, target: name } = attempt.to
  return {
    ...{
      destination,
      journal,
      limits: target.limits,
      batchRows: target.batch,
      base: plan.base,
      isBare: plan.isBare,
      repeats: plan.repeats ?? [],
    },
    random: Math.random,
    signal: workspace.signal,
    assertHeld,
    clean: (reason, row) => withoutValues(secrets.hide(reason), rawOf(row, plan), personal),
    onSent: (taken, refused) =>
      emit({ type: 'publish-progress', asset, target: name, sent: taken, refused, all }),
    onNote: text => emit({ type: 'publish-noted', asset, target: name, message: secrets.hide(text) }),
  }
}
