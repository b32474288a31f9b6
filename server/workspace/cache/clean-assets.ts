/** Records which assets have no problems, from one command to the next. */
import type { ShadowCatalog } from '../../catalog/index.ts'
import {
  checkGround,
  cleanResult,
  type Hash,
  type IsClean,
  isUnread,
  type Project,
  type SourceShapes,
} from '../../language/index.ts'
import type { KeptClean } from './project-cache.ts'

export interface CleanAssets {
  known(project: Project, sources: SourceShapes, catalog: ShadowCatalog): IsClean | undefined
  /** Returns what `known` was last asked about, or what is still valid of the cache if it was not asked. */
  keep(project: Project, catalog: ShadowCatalog): KeptClean
}

export function cleanAssets(before: KeptClean, hash: Hash): CleanAssets {
  let now: { readonly ground: string; readonly isClean: IsClean | undefined } | undefined
  return {
    known(project, sources, catalog) {
      const text = checkGround(project, sources)
      const ground = text === undefined ? '' : hash(text)
      const isSame = ground !== '' && ground === before.ground
      now = { ground, isClean: isSame ? knownToBeClean(before, catalog) : undefined }
      return now.isClean
    },
    keep(project, catalog) {
      const { ground, isClean } = now ?? { ground: before.ground, isClean: knownToBeClean(before, catalog) }
      return {
        ground,
        restsOn(path) {
          const asset = project.assets.get(path)
          if (asset === undefined || ground === '') return undefined
          return isClean?.(asset) === true ? before.restsOn(path) : cleanResult(project, asset)
        },
      }
    },
  }
}

function knownToBeClean(before: KeptClean, catalog: ShadowCatalog): IsClean {
  return asset => {
    const others = isUnread(asset) ? before.restsOn(asset.path) : undefined
    return others !== undefined && [asset.name, ...others].every(name => catalog.isRemembered(name))
  }
}
