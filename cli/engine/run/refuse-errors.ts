/** Refuses SQL that has errors, at the first of them. */
import type { Asset, Diagnostic } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { placeIn } from '../quality/place-in.ts'

/** Throws SvcError `invalid-project`. `found`: the problems that the catalogue found in the asset. */
export function refuseErrors(asset: Asset, found: readonly Diagnostic[]): void {
  const errors = [...asset.diagnostics, ...found].filter(({ severity }) => severity === 'error')
  const [first] = errors.sort((a, b) => a.range.start - b.range.start)
  if (first === undefined) return
  const more = errors.length === 1 ? '' : ` (and ${errors.length - 1} more)`
  throw new SvcError('invalid-project', `${first.message}${more}`, {
    hint: first.hint,
    asset: asset.name,
    place: placeIn(asset, first.range.start),
  })
}
