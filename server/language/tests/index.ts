/** Lists the kinds of test, one line per kind, in the order of the reference and of completion. */
import type { DataTest, TestDefinition, TestOptions } from '../schema/definition.ts'
import { acceptedValues } from './accepted-values.ts'
import { expression } from './expression.ts'
import { fresh } from './fresh.ts'
import { matches } from './matches.ts'
import type { Measure, MeasureContext } from './measure.ts'
import { notBlank } from './not-blank.ts'
import { notNull } from './not-null.ts'
import { type Own, own } from './own.ts'
import { range } from './range.ts'
import { relationships } from './relationships.ts'
import { rowCount } from './row-count.ts'
import { sql } from './sql.ts'
import type { Condition, DataTestKind, TestKind, TestParts } from './test-kind.ts'
import { unique } from './unique.ts'
import { unit } from './unit.ts'

const ofData = [
  unique,
  notNull,
  notBlank,
  acceptedValues,
  relationships,
  range,
  matches,
  rowCount,
  fresh,
  expression,
  sql,
] as const

type PartsOf<Kind> = Kind extends DataTestKind<infer Parts> ? Parts : never

/** The members of a data test besides its options, by kind. */
export type DataTestParts = PartsOf<(typeof ofData)[number] | typeof own>

type AnyTestKind = TestKind<TestParts>

export const dataTestKinds: readonly AnyTestKind[] = ofData
export const testKinds: readonly AnyTestKind[] = [...ofData, unit]

/** The tests that an editor offers to add for a column. */
export const testsToAdd: readonly AnyTestKind[] = [notNull, unique]

/** The tests of the project itself are of one kind, whose name is not written in files. */
const known = [...ofData, own] as const

const byName: ReadonlyMap<string, AnyTestKind> = new Map(
  [...known, unit].map(kind => [kind.key.name, kind as AnyTestKind]),
)
const dataByName = new Map<string, DataTestKind<TestParts>>(known.map(kind => [kind.key.name, kind]))

/** Returns undefined if there is no such kind of test. */
export function testKindNamed(name: string): AnyTestKind | undefined {
  return byName.get(name)
}

export function testKindOf({ kind }: TestDefinition): AnyTestKind {
  const testKind = byName.get(kind)
  if (testKind === undefined) throw new Error(`there is no kind of test "${kind}"`)
  return testKind
}

/** Returns the key of a test in its file: the name of its kind, or of a test of the project's own. */
export function testWord(test: TestDefinition): string {
  return testKindOf(test).wordOf?.(test) ?? test.kind
}

export function isDataTest(test: TestDefinition): test is DataTest {
  return dataByName.has(test.kind)
}

export function isOwnTest(test: TestDefinition): test is TestOptions & Own {
  return test.kind === 'own'
}

export function measureOf(test: DataTest, context: MeasureContext): Measure {
  const kind = dataByName.get(test.kind)
  if (kind === undefined) throw new Error(`there is no kind of data test "${test.kind}"`)
  return kind.measure(test, context)
}

/**
 * Returns the output columns of its own asset that a test names; columns inside SQL are found by the
 * catalogue.
 */
export function testColumns(test: TestDefinition): readonly string[] {
  return testKindOf(test).columns?.(test) ?? ('column' in test ? [test.column] : [])
}

/** Returns the one column that a test is about; undefined if it is about several, or about whole rows. */
export function testColumn(test: TestDefinition): string | undefined {
  const [column, ...others] = testColumns(test)
  return others.length === 0 ? column : undefined
}

/** Returns the user's conditions: those of the kind, and the one that limits the rows. */
export function testConditions(test: TestDefinition): readonly Condition[] {
  const own = testKindOf(test).conditions?.(test) ?? []
  return test.where === undefined ? own : [...own, { key: 'where', sql: test.where }]
}
