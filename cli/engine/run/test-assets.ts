/**
 * `svc test`: runs data tests on the live builds, or on the builds of one run. It changes and records
 * nothing.
 */
import type { TestResult } from '@svc/server/contract'
import { SvcError } from '../errors.ts'
import { type Identities, identitiesOf } from '../plan/identities.ts'
import { inOrder } from '../plan/make-plan.ts'
import { planTests } from '../plan/plan-tests.ts'
import type { BuildRecord, StateSnapshot } from '../state/state.ts'
import { sha256 } from '../workspace/open-workspace.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { openOptions, withReadSession } from './begin-run.ts'
import { checkFiles } from './check-files.ts'
import type { EmitEvent } from './events.ts'
import { executeTests } from './planned-tests.ts'
import { buildsOfRun } from './sample-asset.ts'
import { selectNames } from './select-names.ts'

export interface TestRequest {
  /** Undefined means all assets that have a build. */
  readonly selector: string | undefined
  /** The id of a preview or a failed run to test instead of the live builds. */
  readonly runId: string | undefined
  readonly allTests: boolean
  /** The name of the tests to run; undefined means all. */
  readonly test?: string | undefined
}

/** Throws SvcError `not-deployed` if a named asset has no build there, `unknown-run`, `invalid-project`. */
export async function testAssets(
  workspace: Workspace,
  request: TestRequest,
  emit: EmitEvent = () => {},
): Promise<readonly TestResult[]> {
  const { environment } = workspace
  return withReadSession(workspace, openOptions(workspace, emit), async session => {
    if (session === undefined) throw nothingDeployed(environment.name)
    const state = await session.state.read(environment.stateName)
    const builds = await buildsOfRun(session, state, request.runId)
    const identities = identitiesOf(workspace.project, environment.vars, sha256)
    const names = await namesUnderTest(workspace, request, state, builds, identities)
    const tested = new Set(names)
    const planned = planTests({
      project: workspace.project,
      names,
      keys: new Map([...builds].map(([name, { build_key }]) => [name, build_key])),
      state,
      definitionHash: identities.definitionHash,
      allTests: request.allTests,
      vars: environment.vars,
      hash: sha256,
    })
      .filter(({ asset }) => tested.has(asset.name))
      .filter(({ test }) => request.test === undefined || test.name === request.test)
    const work = { workspace, state, runId: request.runId ?? '', builds, emit }
    const { results } = await executeTests(session, planned, work)
    return results
  })
}

async function namesUnderTest(
  workspace: Workspace,
  request: TestRequest,
  state: StateSnapshot,
  builds: ReadonlyMap<string, BuildRecord>,
  identities: Identities,
): Promise<readonly string[]> {
  const { project, environment } = workspace
  const selected = selectNames(project, request.selector, state, identities)
  checkFiles(workspace, await workspace.analysis(), { names: selected, breaks: () => [], unitTests: false })
  const names = inOrder(project, selected ?? project.order)
  const missing = selected === undefined ? undefined : names.find(name => !builds.has(name))
  if (missing !== undefined) throw notDeployed(missing, environment.name)
  return names.filter(name => builds.has(name))
}

function nothingDeployed(environment: string): SvcError {
  return new SvcError('not-deployed', `nothing was ever deployed to ${environment}`, {
    hint: svc => `Run it first: ${svc('run')}.`,
  })
}

function notDeployed(asset: string, environment: string): SvcError {
  return new SvcError('not-deployed', `"${asset}" has no build to test in ${environment}`, {
    hint: svc => `Run it first: ${svc(`run +${asset}`)}.`,
  })
}
