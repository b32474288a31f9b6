/** Resolves a selector to assets for commands that plan nothing. */
import { type OpenedWorkspace, sha256 } from '../engine/workspace/open-workspace.ts'

/** Returns undefined for all assets. Reads the state of the environment only for `state:` and `result:`. */
export async function selectedNames(
  workspace: OpenedWorkspace,
  selector: string | undefined,
): Promise<readonly string[] | undefined> {
  if (selector === undefined) return undefined
  const { selectNames, needsState } = await import('../engine/run/select-names.ts')
  const { identitiesOf } = await import('../engine/plan/identities.ts')
  const { emptyState } = await import('../engine/state/state.ts')
  const { environment, project } = workspace
  const state = needsState(selector)
    ? await (await import('../engine/run/versions.ts')).readEnvironment(workspace)
    : emptyState(environment.stateName)
  return selectNames(project, selector, state, identitiesOf(project, environment.vars, sha256))
}
