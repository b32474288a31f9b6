/** `projectCatalog` for a long-lived process: made on request, and again when a file has changed. */

import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { CatalogFile } from '@svc/server/contract'
import { glossaryPath } from '@svc/server/language'
import { listAssets, schemaLockFile } from '@svc/server/workspace'
import { settingsFile } from '../config/find-project.ts'
import { locateProject, type ProjectPlace } from '../workspace/locate-project.ts'
import { openWorkspace } from '../workspace/open-workspace.ts'
import type { World } from '../workspace/workspace.ts'
import { projectCatalog } from './project-catalog.ts'

/** Rejects as `openWorkspace` and `locateProject` do. */
export function projectOutline(place: ProjectPlace, world: World): () => Promise<CatalogFile> {
  let known: { readonly stamp: string; readonly catalog: Promise<CatalogFile> } | undefined
  return async () => {
    const stamp = filesStamp(place)
    if (known?.stamp !== stamp) {
      const made = { stamp, catalog: outlineOf(place, world) }
      known = made
      // A failure is not cached, so that the next request tries again.
      made.catalog.catch(() => {
        if (known === made) known = undefined
      })
    }
    return known.catalog
  }
}

/** The settings are read again, because they may have changed and may be invalid now. */
async function outlineOf(place: ProjectPlace, world: World): Promise<CatalogFile> {
  const here = { ...world, cwd: place.root }
  const { environment } = locateProject(here, place.environment.name)
  const signal = new AbortController().signal
  const workspace = await openWorkspace({ world: here, environment: environment.name, signal })
  try {
    return await projectCatalog(workspace)
  } finally {
    await workspace.close()
  }
}

function filesStamp({ root, models }: ProjectPlace): string {
  const paths = [settingsFile, glossaryPath, schemaLockFile, ...listAssets(root, models)]
  return paths
    .map(path => {
      const { ino, size, mtimeMs } = statSync(join(root, path), { throwIfNoEntry: false }) ?? {}
      return `${path} ${ino} ${size} ${mtimeMs}`
    })
    .join('\n')
}
