import type { AssetAnalysis } from '../analysis.ts'
import { locate } from '../project/locate.ts'
import type { Asset } from '../project/project.ts'
import type { JsonScalar, TestDefinition } from '../schema/definition.ts'
import type { NodePath } from '../syntax/node.ts'
import type { Finding, ProjectCheck } from './check.ts'
import { columnType, isNumber, isPointInTime, isText, testColumns } from './columns.ts'
import { testColumnRange, textAt } from './places.ts'

export const testWrongType: ProjectCheck = {
  code: 'test-wrong-type',
  severity: 'error',
  scope: 'project',
  doc: "A test does not fit the type of its column: `fresh` needs a date or timestamp, `matches` a text, values and bounds are of the column's kind, `relationships` compares like with like.",
  *run(asset, { analysis, others }) {
    for (const test of asset.definition.tests) {
      yield* textConditions(asset, test, analysis)
      const column = testColumns(test)[0]
      const type = column === undefined ? undefined : columnType(analysis, column)
      if (column === undefined || type === undefined) continue
      const wanted = wantedType(test, type)
      if (wanted !== undefined)
        yield {
          range: testColumnRange(asset, test, column),
          message: `${test.kind} needs ${wanted}, "${column}" is ${type}`,
          hint: 'Name another column, or cast this one in transform.',
        }
      else yield* wrongValues(asset, test, type)
      if (test.kind === 'relationships') {
        const target = columnType(others?.of(test.toAsset), test.toColumn)
        if (target !== undefined && !areComparable(type, target))
          yield {
            range: locate(asset, ['tests', test.index, test.kind, column]),
            message: `"${column}" is ${type}, ${test.toAsset}.${test.toColumn} is ${target}: they cannot be compared`,
            hint: 'Name another column, or cast one of them in its transform.',
          }
      }
    }
  },
}

function wantedType(test: TestDefinition, type: string): string | undefined {
  if (test.kind === 'fresh' && !isPointInTime(type)) return 'a date or a timestamp'
  if (test.kind === 'range' && isText(type) && [test.min, test.max].some(bound => typeof bound === 'number'))
    return 'a number for such bounds'
  return test.kind === 'matches' && !isText(type) ? 'a text' : undefined
}

/** A condition that is nothing but a column of texts: a run would fail with the first that is not "true". */
function* textConditions(
  asset: Asset,
  test: TestDefinition,
  analysis: AssetAnalysis | undefined,
): Iterable<Finding> {
  const conditions = [
    ['expression', test.kind === 'expression' ? test.expression : undefined],
    ['where', test.where],
  ] as const
  for (const [key, sql] of conditions) {
    const column = /^\s*"?([A-Za-z_]\w*)"?\s*$/.exec(sql ?? '')?.[1]
    const type = column === undefined ? undefined : columnType(analysis, column)
    if (type === undefined || !isText(type)) continue
    yield {
      range: locate(asset, ['tests', test.index, key]),
      message: `${key} needs a condition, "${column}" is ${type}`,
      hint: `Compare it with something, as in ${column} <> ''.`,
    }
  }
}

// ---------------------------------------------------------------- values of another kind than the column

/** What a text says the warehouse judges; numbers are compared with numbers alone, true and false with what is that. */
function* wrongValues(asset: Asset, test: TestDefinition, type: string): Iterable<Finding> {
  for (const { path, value } of valuesIn(test)) {
    if (!isOfOtherKind(value, type)) continue
    const written = textAt(asset, path) ?? String(value)
    const hint = isText(type)
      ? `Write it in quotes: '${written}'.`
      : 'Write the values as the column has them, or name another column.'
    const what = typeof value === 'number' ? 'a number' : String(value)
    yield {
      range: locate(asset, path),
      message: `${test.kind} compares with ${type}, ${what === written ? what : `${written} is ${what}`}`,
      hint,
    }
  }
}

interface PlacedValue {
  readonly path: NodePath
  readonly value: JsonScalar | undefined
}

function valuesIn(test: TestDefinition): readonly PlacedValue[] {
  const at = ['tests', test.index, test.kind]
  if (test.kind === 'range') {
    const { column, min, max } = test
    return [
      { path: [...at, column, 'min'], value: min },
      { path: [...at, column, 'max'], value: max },
    ]
  }
  if (test.kind !== 'accepted_values') return []
  // Values of several kinds are compared as texts.
  const kinds = new Set(test.values.filter(value => value !== null).map(value => typeof value))
  if (kinds.size > 1) return []
  return test.values.map((value, index) => ({ path: [...at, test.column, index], value }))
}

function isOfOtherKind(value: JsonScalar | undefined, type: string): boolean {
  if (typeof value !== 'number' && typeof value !== 'boolean') return false
  return isText(type) || isPointInTime(type) || /^(time|interval|uuid|blob)\b/i.test(type)
}

/** A text may hold anything; numbers and points in time have nothing in common. */
function areComparable(a: string, b: string): boolean {
  return !((isNumber(a) && isPointInTime(b)) || (isPointInTime(a) && isNumber(b)))
}
