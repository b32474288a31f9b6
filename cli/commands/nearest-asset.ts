/** Adds the nearest names of the project to the error about an unknown asset. */
import { SvcError } from '../engine/errors.ts'
import type { OpenedWorkspace } from '../engine/workspace/open-workspace.ts'

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
