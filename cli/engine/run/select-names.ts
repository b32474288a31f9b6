/**
 * Resolves a selector (decisions 3) to asset names; `state:` and `result:` are resolved with the state
 * tables.
 */
import { type Project, selectAssets } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import type { Identities } from '../plan/identities.ts'
import type { StateSnapshot } from '../state/state.ts'

/**
 * Returns names in the project's order; without a selector all assets. Throws SvcError `unknown-asset` or
 * `wrong-usage`.
 */
export function selectNames(
  project: Project,
  selector: string | undefined,
  state: StateSnapshot,
  identities: Identities,
): readonly string[] | undefined {
  if (selector === undefined) return undefined
  const selection = selectAssets(project, selector, {
    modified: modifiedAssets(project, state, identities),
    added: new Set(project.order.filter(name => !state.live.has(name))),
    failed: failedAssets(state),
  })
  if ('names' in selection) return selection.names
  throw new SvcError('unknown-asset', selection.problem, { hint: selection.hint })
}

/** Returns whether the state tables are needed to resolve the selector; otherwise the files are enough. */
export function needsState(selector: string | undefined): boolean {
  return selector !== undefined && /\b(state|result):/.test(selector)
}

function modifiedAssets(project: Project, state: StateSnapshot, identities: Identities): Set<string> {
  return new Set(
    project.order.filter(name => state.live.get(name)?.definition_hash !== identities.definitionHash(name)),
  )
}

/** Returns the assets that failed in the newest run, or were skipped because of a failure. */
function failedAssets(state: StateSnapshot): Set<string> {
  const last = state.history.find(
    ({ kind, status, refused }) => kind === 'run' && status !== 'running' && refused !== true,
  )
  return new Set(
    (last?.assets ?? [])
      .filter(
        ({ status, build_key, because }) =>
          because !== undefined ||
          status === 'failed' ||
          status === 'test_failed' ||
          (status === 'skipped' && build_key === null),
      )
      .map(({ name }) => name),
  )
}
