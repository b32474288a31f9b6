/** Finds an asset as people name it, or says which names are near. */
import { join, relative, resolve } from 'node:path'
import { SvcError } from '../engine/errors.ts'
import type { OpenedWorkspace } from '../engine/workspace/open-workspace.ts'

/** Adds the nearest names of the project to the error about an unknown asset. */
export async function withNearestName<T>(
  workspace: OpenedWorkspace,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SvcError && error.code === 'unknown-asset') workspace.asset(name)
    throw error
  }
}

export const assetArgument = {
  name: 'asset_path',
  summary: 'the file of an asset, or its name',
  required: true,
}

/** Finds an asset by its name, or by the path of its file relative to the working directory or the root. */
export function assetNamed(workspace: OpenedWorkspace, written: string): string {
  const { root, world, project } = workspace
  if (!written.endsWith('.svc')) return workspace.asset(written).name
  const paths = [relative(root, resolve(world.cwd, written)), relative(root, join(root, written))]
  const asset = paths.flatMap(path => project.assets.get(path.replaceAll('\\', '/')) ?? [])[0]
  return asset?.name ?? workspace.asset(written).name
}
