/**
 * `svc test`: runs the unit tests of selected assets in memory; the warehouse is opened only if the selector
 * needs it.
 */
import type { TestResult } from '@svc/server/contract'
import { nearestNames } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { identitiesOf } from '../plan/identities.ts'
import { inOrder } from '../plan/make-plan.ts'
import { unitResults, waitingResults } from '../quality/unit-results.ts'
import { emptyState } from '../state/state.ts'
import { sha256 } from '../workspace/open-workspace.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { EmitEvent } from './events.ts'
import { needsState, selectNames } from './select-names.ts'
import { readEnvironment } from './versions.ts'

export interface UnitRequest {
  /** Undefined means all assets. */
  readonly selector: string | undefined
  /** Whether tests run whose last result is still valid. */
  readonly all: boolean
  /** The name of the tests to run; undefined means all. */
  readonly test: string | undefined
}

export async function testUnits(
  workspace: Workspace,
  request: UnitRequest,
  emit: EmitEvent = () => {},
): Promise<readonly TestResult[]> {
  const { project, environment, sources, catalog, signal } = workspace
  const state = needsState(request.selector)
    ? await readEnvironment(workspace, 10, emit)
    : emptyState(environment.stateName)
  const selected = selectNames(
    project,
    request.selector,
    state,
    identitiesOf(project, environment.vars, sha256),
  )
  const names = inOrder(project, selected ?? project.order)
  const first = await workspace.analysis()
  const analysis = request.all
    ? await catalog.analyze(project, sources, { names, signal, unitTests: 'all' })
    : first
  signal.throwIfAborted()
  // Who asks for the tests hears how they fail as things are, also of those that wait for their source.
  const results = names
    .flatMap(name => [unitResults, waitingResults].flatMap(of => of(workspace, analysis, [name])))
    .filter(({ name }) => request.test === undefined || name === request.test)
  for (const result of results) emit({ type: 'test-finished', result })
  return results
}

/**
 * Returns whether unit tests, data tests or both have that name. Throws SvcError `wrong-usage` if none has.
 */
export function sidesOfTest({ project }: Workspace, name: string): ReadonlySet<'unit' | 'data'> {
  const tests = [...project.byName.values()].flatMap(({ definition }) => definition.tests)
  const sides = tests
    .filter(test => test.name === name)
    .map(({ kind }) => (kind === 'unit' ? 'unit' : 'data'))
  if (sides.length > 0) return new Set(sides)
  const near = nearestNames(
    name,
    tests.map(test => test.name),
  )
  const question = near.length === 0 ? '' : `; did you mean ${near.map(each => `"${each}"`).join(' or ')}?`
  throw new SvcError('wrong-usage', `no asset has a test called "${name}"${question}`, {
    hint: 'svc inspect <path> lists the tests of an asset.',
  })
}
