/**
 * An index from names and paths to the assets whose findings depend on them, so that those are checked again
 * when a name or path changes.
 */
import { getOrInsertComputed } from '../get-or-insert.ts'
import type { Asset } from '../project/project.ts'
import type { Dependencies } from './dependency-recorder.ts'

export interface DependencyIndex {
  add(asset: Asset, asked: Dependencies): void
  remove(asset: Asset, asked: Dependencies): void
  /** Returns the assets whose checks asked about this name or path. */
  of(key: string): Iterable<Asset>
  /** Returns the assets whose checks asked for similar names. */
  ofNames(): Iterable<Asset>
  /** Returns the assets whose checks asked about all assets, or about an asset's inputs. */
  ofEverything(): Iterable<Asset>
}

export function newDependencyIndex(): DependencyIndex {
  const byKey = new Map<string, Set<Asset>>()
  const near = new Set<Asset>()
  const all = new Set<Asset>()
  const setsOf = (asked: Dependencies): Set<Asset>[] =>
    asked.map(answer => {
      if (answer[0] === 'all' || answer[0] === 'parents') return all
      return answer[0] === 'nearest' ? near : getOrInsertComputed(byKey, answer[1], () => new Set())
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
