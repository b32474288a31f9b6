/** Records which assets have no problems, from one command to the next. */
import type { ShadowCatalog } from '../../catalog/index.ts'
import {
  cleanResult,
  type IsClean,
  isUnread,
  type Project,
  type SourceShapes,
  sharedInputs,
} from '../../language/index.ts'
import { sha256 } from '../sha256.ts'
import type { KeptClean } from './project-cache.ts'

export interface CleanAssets {
  known(project: Project, sources: SourceShapes, catalog: ShadowCatalog): IsClean | undefined
  /** Returns what `known` was last asked about, or what is still valid of the cache if it was not asked. */
  keep(project: Project, catalog: ShadowCatalog): KeptClean
}

export function cleanAssets(before: KeptClean): CleanAssets {
  let now: { readonly sharedHash: string; readonly isClean: IsClean | undefined } | undefined
  return {
    known(project, sources, catalog) {
      const text = sharedInputs(project, sources)
      const sharedHash = text === undefined ? '' : sha256(text)
      const isSame = sharedHash !== '' && sharedHash === before.sharedHash
      now = { sharedHash, isClean: isSame ? knownToBeClean(before, catalog) : undefined }
      return now.isClean
    },
    keep(project, catalog) {
      const { sharedHash, isClean } = now ?? {
        sharedHash: before.sharedHash,
        isClean: knownToBeClean(before, catalog),
      }
      return {
        sharedHash,
        dependenciesOf(path) {
          const asset = project.assets.get(path)
          if (asset === undefined || sharedHash === '') return undefined
          return isClean?.(asset) === true ? before.dependenciesOf(path) : cleanResult(project, asset)
        },
      }
    },
  }
}

function knownToBeClean(before: KeptClean, catalog: ShadowCatalog): IsClean {
  return asset => {
    const others = isUnread(asset) ? before.dependenciesOf(asset.path) : undefined
    return others !== undefined && [asset.name, ...others].every(name => catalog.isRemembered(name))
  }
}
