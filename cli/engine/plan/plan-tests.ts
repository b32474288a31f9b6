/**
 * Decides which data tests a run executes, and which keep their last result (decisions 2, "A test has a hash
 * of its own"). It runs none. Unit tests are not planned here, because they need no build.
 */
import {
  type Asset,
  type DataTest,
  type Hash,
  isDataTest,
  knownTestHash,
  type Project,
  type TestDefinition,
  testKindOf,
} from '@svc/server/language'
import type { StateSnapshot, TestRecord } from '../state/state.ts'
import type { Vars } from './identities.ts'
import { asksForTime } from './volatile-test.ts'

export interface PlannedTest {
  readonly asset: Asset
  readonly test: DataTest
  readonly testHash: string
  /**
   * The build keys of everything that the test reads, joined; undefined if some of it is built in this run.
   */
  readonly inputKey: string | undefined
  /** The last result, if it is still valid; undefined if the test has to run. */
  readonly standing: TestRecord | undefined
  /** Why it runs again although what it reads is as it was; undefined if that is not so. */
  readonly reason: string | undefined
}

export interface TestPlanInput {
  readonly project: Project
  /** The selected assets; all their tests count. */
  readonly names: readonly string[]
  /**
   * The complete new map: build key by asset; undefined if the asset is built in this run. Assets that will
   * not be live are absent.
   */
  readonly keys: ReadonlyMap<string, string | undefined>
  readonly state: StateSnapshot
  readonly definitionHash: (name: string) => string
  readonly allTests: boolean
  readonly vars: Vars
  readonly hash: Hash
}

/**
 * Returns all tests of the selected assets, and tests of other live assets that read something which changes:
 * a new `customers` must not break the relationship test of an unselected `orders`. A file that was changed
 * since its deployment is skipped, because its tests need not fit the live build.
 */
export function planTests(input: TestPlanInput): PlannedTest[] {
  const selected = new Set(input.names)
  const changed = (name: string) =>
    input.keys.has(name) &&
    (input.keys.get(name) === undefined || input.keys.get(name) !== input.state.live.get(name)?.build_key)
  return input.project.order.flatMap(name => {
    const asset = input.project.byName.get(name)
    if (asset === undefined || !input.keys.has(name)) return []
    const isSelected = selected.has(name)
    const wanted = asset.definition.tests
      .filter(isDataTest)
      .filter(test => isSelected || testRefs(asset, test).some(changed))
    const isDeployed = () => input.state.live.get(name)?.definition_hash === input.definitionHash(name)
    if (wanted.length === 0 || !(isSelected || isDeployed())) return []
    return wanted.map(test => planTest(asset, test, input))
  })
}

function planTest(asset: Asset, test: DataTest, input: TestPlanInput): PlannedTest {
  const { engine } = input.project
  const hash = knownTestHash(asset, test, engine, input.hash, input.vars)
  const inputKey = inputKeyOf(asset, test, input)
  const last = input.state.tests.get(`${asset.name}\n${test.name}`)
  // A failed test always runs again, because the user needs to see its rows.
  const isSame =
    !input.allTests && last !== undefined && last.status === 'pass' && last.input_key === inputKey
  // Beside another live build, as another environment had it, the same build may have changed too much.
  const isElsewhere =
    testKindOf(test).comparesWithLive?.(test) === true &&
    input.keys.get(asset.name) !== input.state.live.get(asset.name)?.build_key
  const stands = isSame && last.test_hash === hash && !isElsewhere && !asksForTime(asset, test, engine)
  const reason = isSame && last.test_hash !== hash ? changeIn(test, input.project) : undefined
  return { asset, test, testHash: hash, inputKey, standing: stands ? last : undefined, reason }
}

/** The last result knows one hash of all that the test says: its file and the values that the asset gives it. */
function changeIn(test: DataTest, { settings }: Project): string {
  const own = test.kind === 'own' ? settings.ownTests.byName.get(test.test) : undefined
  return own === undefined ? 'the test changed' : `${own.path}, or what it is given, changed`
}

function inputKeyOf(asset: Asset, test: TestDefinition, input: TestPlanInput): string | undefined {
  let joined = input.keys.get(asset.name)
  for (const name of testRefs(asset, test)) {
    const key = input.keys.get(name)
    joined = joined === undefined || key === undefined ? undefined : `${joined},${key}`
  }
  return joined
}

const nobody: string[] = []

/** Returns the other assets that a test reads, in the order of mention. */
export function testRefs(asset: Asset, test: TestDefinition): string[] {
  const target = testKindOf(test).target?.(test)
  if (target !== undefined) return [target.asset]
  const template = asset.testSql.get(test.index)
  if (template === undefined) return nobody
  const names = new Set<string>()
  for (const tag of template.tags) {
    if (tag.kind === 'ref') names.add(tag.name)
  }
  return [...names]
}
