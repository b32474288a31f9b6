/** What somebody did to the relations of an asset beside svc, so that a run makes them again; and the words for it. */
import { damagedPart } from '../plan/asset-change.ts'
import type { PreparedRun } from './prepare-run.ts'

export interface Repair {
  /** `table`, `view` or `load`. */
  readonly relation: string
  /** It was not dropped: it is a view of another query. */
  readonly replaced?: boolean
}

export function repairsOf(
  asset: string,
  prepared: Pick<PreparedRun, 'state' | 'renewal' | 'damaged'>,
): readonly Repair[] {
  const build = damagedPart(asset, prepared)
  const isReplaced = build?.damage === 'replaced'
  const shown = prepared.damaged.get(asset)
  return [
    ...(build === undefined ? [] : [{ relation: build.part, ...(isReplaced && { replaced: isReplaced }) }]),
    // What production shows is compared with the view behind it, which has another query now.
    ...(shown === undefined || (isReplaced && shown === 'replaced')
      ? []
      : [{ relation: 'view', replaced: shown === 'replaced' }]),
  ]
}

export function repairWords({ relation, replaced }: Repair): string {
  return `its ${relation} was ${replaced ? 'replaced in' : 'dropped from'} the warehouse, not by svc`
}
