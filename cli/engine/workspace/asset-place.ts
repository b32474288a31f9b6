/** Where a new asset is written: in the folder in which the project looks for assets. */
import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { isAssetPath } from '@svc/server/workspace'
import { pathOf } from '../discover/asset-name.ts'
import { SvcError } from '../errors.ts'
import type { Workspace } from './workspace.ts'

/**
 * Returns the path from the project's root that an option names.
 * Throws SvcError `wrong-usage` for a place where the project would not find the asset.
 */
export function assetPlace({ root, project, world }: Workspace, written: string): string {
  const path = relative(root, resolve(world.cwd, written)).replaceAll('\\', '/')
  const { models } = project.settings
  if (isAssetPath(models, path)) return path
  throw new SvcError('wrong-usage', `"${written}" is no place for an asset of this project`, {
    hint: `Write a path in ${models} that ends in .svc, such as ${pathOf(models, 'orders')}.`,
  })
}

/** Throws SvcError `asset-exists` where a file is in the way. */
export function refuseExistingFile({ root }: Pick<Workspace, 'root'>, path: string, hint: string): void {
  if (!existsSync(join(root, path))) return
  throw new SvcError('asset-exists', `the file ${path} exists already`, { hint })
}
