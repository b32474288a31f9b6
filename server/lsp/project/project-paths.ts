/** What paths of a project stand for. */
import { resolve } from 'node:path'
import type { MayOpen } from '../../catalog/index.ts'
import { engineOf, type Project, type Settings } from '../../language/index.ts'

/** Returns whether assets may be in it: a folder has no ending, and holds the models or is in them. */
export function mayBeFolder(path: string, { models }: Pick<Settings, 'models'>): boolean {
  return !/\.[A-Za-z0-9]+$/.test(path) && (models.startsWith(`${path}/`) || path.startsWith(models))
}

interface OfEnvironment {
  readonly root: string
  readonly project: Project
  readonly environment: string
  readonly mayOpen: MayOpen
}

/** Returns the file of the warehouse of an environment; undefined if it is not a file, or not known here. */
export function warehouseFile({ root, project, environment, mayOpen }: OfEnvironment): string | undefined {
  const { settings } = project
  const address = settings.environments[environment]?.warehouse ?? settings.warehouse
  const file = address.startsWith('env:') ? undefined : engineOf(address).address.file?.(address)
  return file === undefined || !mayOpen(resolve(root, file)) ? undefined : file
}
