/** An index of assets by keys, in path order, which is updated from snapshot to snapshot. */

import { getOrInsertComputed } from '../get-or-insert.ts'
import type { AssetChange } from '../project/asset-changes.ts'
import type { Asset } from '../project/project.ts'
import { compareTexts } from '../text/compare.ts'

export interface AssetIndex {
  of(key: string): readonly Entry[]
  move(changes: readonly AssetChange[]): void
}

export interface Entry {
  readonly asset: Asset
  /** The position of the key among the asset's keys. */
  readonly index: number
}

const none: readonly Entry[] = []

/** Makes the index. `keysOf` may return a key more than once. */
export function assetIndex(assets: Iterable<Asset>, keysOf: (asset: Asset) => readonly string[]): AssetIndex {
  const entries = new Map<string, Entry[]>()
  const add = (asset: Asset): void => {
    for (const [index, key] of keysOf(asset).entries())
      getOrInsertComputed(entries, key, () => []).push({ asset, index })
  }
  const remove = (asset: Asset): void => {
    for (const key of keysOf(asset)) {
      const rest = (entries.get(key) ?? []).filter(entry => entry.asset !== asset)
      if (rest.length === 0) entries.delete(key)
      else entries.set(key, rest)
    }
  }
  for (const asset of assets) add(asset)
  return {
    of: key => entries.get(key) ?? none,
    move(changes) {
      for (const { before } of changes) if (before !== undefined) remove(before)
      for (const { after } of changes) {
        if (after === undefined) continue
        add(after)
        for (const key of keysOf(after)) entries.get(key)?.sort(byPlace)
      }
    },
  }
}

function byPlace(a: Entry, b: Entry): number {
  return compareTexts(a.asset.path, b.asset.path) || a.index - b.index
}
