/** The error of a command that slept while another one took its lease. */
import { SvcError } from '../../errors.ts'
import type { LeaseHolder } from '../warehouse.ts'

/** `holder`: who has the lease now; undefined if nobody has it any more. */
export function leaseLost(environment: string, holder: LeaseHolder | undefined): SvcError {
  const who =
    holder === undefined
      ? 'another command may have changed it since'
      : `svc ${holder.command} has it now (run ${holder.runId} of ${holder.user} on ${holder.host}, since ${holder.since})`
  return new SvcError(
    'lease-lost',
    `this command gave no sign of life for too long and lost the lease of ${environment}: ${who}`,
    { hint: svc => `See what is live with ${svc('status')}, and run again.` },
  )
}
