/** A view of production that somebody has replaced by one of his own is his work: nothing overwrites or drops it unasked. */
import type { CommandLine } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import type { BuildDamage } from '../plan/renewal.ts'
import type { BuildRecord, StateSnapshot } from '../state/state.ts'
import type { ProductionCheck } from './foreign-objects.ts'

/** A view that somebody replaced, by its name in the warehouse. */
export interface ReplacedView {
  readonly asset: string
  readonly name: string
  /** Whether there is none of svc to put in its place, because the asset has gone or moved. */
  readonly isLeaving: boolean
}

/** Asks whether views that somebody replaced may be. */
export type MayReplace = (views: readonly ReplacedView[]) => Promise<boolean>

interface Asking {
  readonly mayReplace: MayReplace | undefined
  /** Asked only where a view is another one. */
  readonly damageOf: () => Promise<(build: BuildRecord) => BuildDamage | undefined>
  /** Returns the command line that says yes. */
  readonly again: (svc: CommandLine) => string
}

/** Throws SvcError `replaced-view`, before any work, if views would be overwritten or dropped and nobody has agreed. */
export async function askForReplaced(
  { live, builds, views }: StateSnapshot,
  { damaged, leaving }: Pick<ProductionCheck, 'damaged' | 'leaving'>,
  { mayReplace, damageOf, again }: Asking,
): Promise<void> {
  const shown = [...damaged].filter(([, damage]) => damage === 'replaced').map(([asset]) => asset)
  const others = [...shown, ...leaving]
  if (others.length === 0) return
  const find = await damageOf()
  const replaced = others.flatMap(asset => {
    const build = builds.get(live.get(asset)?.build_key ?? '')
    const view = views.get(asset)
    // What production shows is compared with the view behind it: where that is another one, this is still ours.
    if (view === undefined || (build !== undefined && find(build) === 'replaced')) return []
    return [{ asset, name: `${view.schema}.${view.name}`, isLeaving: leaving.includes(asset) }]
  })
  const [first] = replaced
  if (first === undefined || (await mayReplace?.(replaced)) === true) return
  const more = replaced.length === 1 ? '' : ` (and ${replaced.length - 1} more)`
  throw new SvcError('replaced-view', `somebody has replaced the view ${first.name}${more}, not svc`, {
    hint: svc =>
      `Keep its query elsewhere if it is needed: ${again(svc)} ${first.isLeaving ? 'drops it' : 'puts that of svc in its place'}.`,
    asset: first.asset,
  })
}
