/**
 * A finding about a key that the file of the asset does not have but inherits from `defaults` in `svc.yaml`: it stands
 * at the asset's name, says where the key comes from, and edits nothing here.
 */
import { locate, nodeAt } from '../project/locate.ts'
import type { Asset } from '../project/project.ts'
import type { NodePath } from '../syntax/node.ts'
import type { Finding } from './check.ts'

export const inheritedHint = 'It is inherited from "defaults" in svc.yaml.'

/** `about` is the key that the findings of a check are about. */
export function placedFinding(asset: Asset, about: NodePath | undefined, finding: Finding): Finding {
  if (about === undefined || asset.inherited === undefined || isWritten(asset, about, finding)) return finding
  const { fixes: _fixes, suggestions: _suggestions, hint, ...rest } = finding
  const hints = hint === undefined ? [] : [hint]
  return { ...rest, range: locate(asset, ['name']), hint: [...hints, inheritedHint].join(' ') }
}

/** Returns whether the file has the key, and of a list the item that is meant. */
function isWritten(asset: Asset, about: NodePath, { range }: Finding): boolean {
  const node = nodeAt(asset.tree, about)
  if (node?.kind !== 'sequence') return node !== undefined
  return node.items.some(item => item.range.start <= range.start && range.end <= item.range.end)
}
