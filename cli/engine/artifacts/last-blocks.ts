/**
 * Takes the blocks of unchanged files over from the last manifest, as text. With 10,000 assets it takes seconds to parse the
 * last manifest and to serialize it again.
 */

import { readFileSync } from 'node:fs'
import type { Asset } from '@svc/server/language'

/** Returns the blocks of an unchanged file as they are written in a manifest. */
export type LastBlocks = (asset: Asset) => string | undefined

/** Returns the lookup for the manifest at `path`, which is read at the first call. */
export function lastBlocks(path: string): LastBlocks {
  let known: ReadonlyMap<string, Known> | undefined
  return ({ path: file, textHash }) => {
    known ??= blocksIn(textOf(path))
    const found = known.get(file)
    return found?.textHash === textHash ? found.blocks : undefined
  }
}

interface Known {
  readonly textHash: string
  readonly blocks: string
}

/** The keys of an asset's entry, in order. Each begins a line, and no JSON string can contain a line break. */
const [pathKey, hashKey, blocksKey, schemaKey] = ['path', 'text_hash', 'blocks', 'schema'].map(
  key => `\n      "${key}": `,
) as [string, string, string, string]

function blocksIn(manifest: string): ReadonlyMap<string, Known> {
  const known = new Map<string, Known>()
  for (let at = manifest.indexOf(pathKey); at >= 0; at = manifest.indexOf(pathKey, at)) {
    const path = lineAt(manifest, at + pathKey.length)
    const hashAt = manifest.indexOf(hashKey, at)
    const start = manifest.indexOf(blocksKey, hashAt)
    const end = manifest.indexOf(schemaKey, start)
    if (hashAt < 0 || start < 0 || end < 0) break
    known.set(JSON.parse(path), {
      textHash: JSON.parse(lineAt(manifest, hashAt + hashKey.length)),
      blocks: manifest.slice(start + blocksKey.length, end - 1),
    })
    at = end
  }
  return known
}

/** Returns what stands until the comma at the end of the line. */
function lineAt(text: string, start: number): string {
  return text.slice(start, text.indexOf('\n', start) - 1)
}

/** Stands in a manifest for blocks whose text is known. */
export const noBlocks = {}

/** Puts the known blocks, one for each asset of the manifest, into a text that has `noBlocks` there. */
export function withBlocks(manifest: string, blocks: readonly (string | undefined)[]): string {
  const parts: string[] = []
  let [at, written] = [0, 0]
  for (const known of blocks) {
    at = manifest.indexOf(blocksKey, at) + blocksKey.length
    if (known === undefined) continue
    parts.push(manifest.slice(written, at), known)
    written = at + JSON.stringify(noBlocks).length
  }
  return [...parts, manifest.slice(written)].join('')
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
