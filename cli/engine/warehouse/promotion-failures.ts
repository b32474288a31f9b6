/** Why a promotion changes nothing, in the same words for every engine. */
import { SvcError } from '../errors.ts'
import type { PointerChange } from './warehouse.ts'

/** `live`: the generation that is live instead; undefined while another promotion is at work. */
export function stalePromotion(
  { environment, runId, fromGeneration }: PointerChange,
  live: number | undefined,
  cause?: unknown,
): SvcError {
  const now = live === undefined ? 'another promotion is under way' : `it has deployment ${live} now`
  return new SvcError(
    'promotion-stale',
    `${environment} was changed while run ${runId} was at work: ${now}, and had ${fromGeneration}`,
    { hint: 'Nothing was changed. Run again.', cause },
  )
}

/** `relation`: what has the name of a production view; `kind`: what it is. */
export function foreignRelation(relation: string, kind: string, cause?: unknown): SvcError {
  return new SvcError('foreign-object', `${relation} is a ${kind} that svc did not make`, {
    hint: 'Rename it or drop it, or choose another schema; production is unchanged.',
    cause,
  })
}
