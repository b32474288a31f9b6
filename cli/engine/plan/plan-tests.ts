/**
 * Which data tests a run executes, and which keep their last result (decisions 2, "A test has a hash of its own").
 * Never runs one. Unit tests are none of its business: they need no build.
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
  /** Build keys of everything that the test reads, joined; undefined: something is built anew. */
  readonly inputKey: string | undefined
  /** The result that stands; undefined: the test runs. */
  readonly standing: TestRecord | undefined
}

export interface TestPlanInput {
  readonly project: Project
  /** Selected assets: all their tests count. */
  readonly names: readonly string[]
  /** The whole new map: build key by asset; undefined: built anew. Assets of other maps are absent. */
  readonly keys: ReadonlyMap<string, string | undefined>
  readonly state: StateSnapshot
  readonly definitionHash: (name: string) => string
  readonly allTests: boolean
  readonly vars: Vars
  readonly hash: Hash
}

/**
 * All tests of the selected assets, and those tests of other live assets that read something which changes: a new
 * `customers` must not break the relationship that an unselected `orders` promises. A file that was changed since its
 * deployment promises nothing about the build that is live.
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
  // A failed test runs again: its rows are what the user needs to see.
  const stands =
    !input.allTests &&
    last !== undefined &&
    last.status === 'pass' &&
    last.test_hash === hash &&
    last.input_key === inputKey &&
    !asksForTime(asset, test, engine)
  return { asset, test, testHash: hash, inputKey, standing: stands ? last : undefined }
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

/** Other assets that a test reads, in the order of mention. */
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
