/** What somebody did to the relations of an asset beside svc, so that a run makes them again; and the words for it. */

import { damagedPart, type ReasonFacts } from '../plan/asset-change.ts'
import type { ProductionCheck } from './foreign-objects.ts'

export interface Repair {
  /** `table`, `view` or `load`. */
  readonly relation: string
  /** It was not dropped: it is a view of another query. */
  readonly replaced?: boolean
}

type Damage = Pick<ReasonFacts, 'state' | 'renewal'> & Pick<ProductionCheck, 'damaged'>

/** Returns the repairs by asset; most have none and are absent. */
export function repairsAmong(
  assets: readonly string[],
  damage: Damage,
): ReadonlyMap<string, readonly Repair[]> {
  const repairs = assets.map(asset => [asset, repairsOf(asset, damage)] as const)
  return new Map(repairs.filter(([, all]) => all.length > 0))
}

function repairsOf(asset: string, { damaged, ...facts }: Damage): readonly Repair[] {
  const build = damagedPart(asset, facts)
  const isReplaced = build?.damage === 'replaced'
  const shown = damaged.get(asset)
  return [
    ...(build === undefined ? [] : [{ relation: build.part, ...(isReplaced && { replaced: isReplaced }) }]),
    // What production shows is compared with the view behind it, which has another query now.
    ...(shown === undefined || (isReplaced && shown === 'replaced')
      ? []
      : [{ relation: 'view', replaced: shown === 'replaced' }]),
  ]
}

/** Returns the repairs of what production shows alone, for what moves views and builds nothing. */
export function viewRepairs(damaged: ProductionCheck['damaged']): ReadonlyMap<string, readonly Repair[]> {
  return new Map(
    [...damaged].map(([asset, shown]) => [asset, [{ relation: 'view', replaced: shown === 'replaced' }]]),
  )
}

export function repairWords({ relation, replaced }: Repair): string {
  return `its ${relation} was ${replaced ? 'replaced in' : 'dropped from'} the warehouse, not by svc`
}
