/** Refuses a publish that would change or delete more of what a target has than anybody expects. */
import type { PublishTarget } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import type { Difference } from './difference.ts'

/** Of a small table so many rows may change whatever their share, unless the target says otherwise. */
const usualRows = 100
const usualShare = 50

/** Returns the error; undefined if no more changes than may. */
export function massChange(
  { name, maxChange }: Pick<PublishTarget, 'name' | 'maxChange'>,
  { counts: { updates, deletes }, known }: Pick<Difference, 'counts' | 'known'>,
): SvcError | undefined {
  const most =
    maxChange === undefined
      ? Math.max(usualRows, (known * usualShare) / 100)
      : maxChange.unit === 'rows'
        ? maxChange.value
        : (known * maxChange.value) / 100
  const changes = updates + deletes
  if (known === 0 || changes <= most) return undefined
  const share = Math.round((changes / known) * 100)
  const limit =
    maxChange === undefined
      ? `the usual limit of ${usualShare}%`
      : `max_change: ${maxChange.value}${maxChange.unit === 'percent' ? '%' : ''}`
  return new SvcError(
    'mass-change',
    `${updates} rows would be updated and ${deletes} deleted of ${known} that ${name} has (${share}%): more than ${limit}`,
    { hint: 'Look with --dry-run whether that is meant; --allow-mass-change does it once.' },
  )
}
