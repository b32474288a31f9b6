/** Places in the files of assets, in the form that people and editors use. */
import { type Asset, type LineIndex, lineIndex } from '@svc/server/language'

const lines = new WeakMap<Asset, LineIndex>()

/** Returns `path:line:column` of an offset in the asset's file. */
export function placeIn(asset: Asset, offset: number): string {
  const known = lines.get(asset) ?? lineIndex(asset.text)
  lines.set(asset, known)
  const { line, column } = known.position(offset)
  return `${asset.path}:${line}:${column}`
}
