/** Which assets' findings rest on an answer about a name or a path: those are looked at again when it changes. */
import type { Asset } from '../project/project.ts'
import type { Asked } from './witness.ts'

export interface Askers {
  add(asset: Asset, asked: Asked): void
  remove(asset: Asset, asked: Asked): void
  /** Those that asked about this name or path in any way. */
  of(key: string): Iterable<Asset>
  /** Those that asked which names are near to another one. */
  ofNames(): Iterable<Asset>
  /** Those that asked about all assets, or what an asset reads. */
  ofEverything(): Iterable<Asset>
}

export function newAskers(): Askers {
  const byKey = new Map<string, Set<Asset>>()
  const near = new Set<Asset>()
  const all = new Set<Asset>()
  const setsOf = (asked: Asked): Set<Asset>[] =>
    asked.map(answer => {
      if (answer[0] === 'all' || answer[0] === 'parents') return all
      return answer[0] === 'nearest' ? near : setOf(byKey, answer[1])
    })
  return {
    add(asset, asked) {
      for (const set of setsOf(asked)) set.add(asset)
    },
    remove(asset, asked) {
      for (const set of setsOf(asked)) set.delete(asset)
    },
    of: key => byKey.get(key) ?? [],
    ofNames: () => near,
    ofEverything: () => all,
  }
}

function setOf(byKey: Map<string, Set<Asset>>, key: string): Set<Asset> {
  const known = byKey.get(key)
  if (known !== undefined) return known
  const set = new Set<Asset>()
  byKey.set(key, set)
  return set
}
