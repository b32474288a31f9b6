/** Places in files, in the form that people and editors use. */
import { type Asset, type LineIndex, lineIndex } from '@svc/server/language'

const lines = new WeakMap<Asset, LineIndex>()

/** Returns `path:line:column` of an offset in the asset's file. */
export function placeIn(asset: Asset, offset: number): string {
  const known = lines.get(asset) ?? lineIndex(asset.text)
  lines.set(asset, known)
  return placeBy(known, asset.path, offset)
}

/** Returns `path:line:column` of an offset in the text of a file. */
export function placeAt(path: string, text: string, offset: number): string {
  return placeBy(lineIndex(text), path, offset)
}

function placeBy(index: LineIndex, path: string, offset: number): string {
  const { line, column } = index.position(offset)
  return `${path}:${line}:${column}`
}
