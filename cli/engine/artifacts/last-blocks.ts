/** What the last manifest says of the blocks of a file: a file that has not changed is not looked at for them again. */

import { readFileSync } from 'node:fs'
import type { AssetEntry, Manifest } from '@svc/server/contract'
import type { Asset } from '@svc/server/language'

/** Of an unchanged file; `path`: of the manifest, which is read when somebody asks. */
export function lastBlocks(path: string): (asset: Asset) => AssetEntry['blocks'] | undefined {
  let entries: ReadonlyMap<string, AssetEntry> | undefined
  return asset => {
    entries ??= entriesOf(path)
    const entry = entries.get(asset.path)
    return entry?.text_hash === asset.textHash ? entry.blocks : undefined
  }
}

function entriesOf(path: string): ReadonlyMap<string, AssetEntry> {
  try {
    const { assets } = JSON.parse(readFileSync(path, 'utf8')) as Manifest
    return new Map(assets.map(entry => [entry.path, entry]))
  } catch {
    return new Map()
  }
}
