import type { AssetAnalysis } from '../analysis.ts'
import type { Engine } from '../engines/engine.ts'
import { isNumeric, isPointInTime, type TypeFamily } from '../engines/sql-type.ts'
import { locate } from '../project/locate.ts'
import type { Asset } from '../project/project.ts'
import type { JsonScalar, TestDefinition } from '../schema/definition.ts'
import type { NodePath } from '../syntax/node.ts'
import type { Finding, ProjectCheck } from './check.ts'
import { columnType, testColumns } from './columns.ts'
import { testColumnRange, textAt } from './places.ts'

export const testWrongType: ProjectCheck = {
  code: 'test-wrong-type',
  severity: 'error',
  scope: 'project',
  doc: "A test does not fit the type of its column: `fresh` needs a date or timestamp, `matches` a text, values and bounds are of the column's kind, `relationships` compares like with like.",
  *run(asset, { analysis, others, project: { engine } }) {
    for (const test of asset.definition.tests) {
      yield* textConditions(asset, test, analysis, engine)
      const column = testColumns(test)[0]
      const type = column === undefined ? undefined : typeOf(analysis, column, engine)
      if (column === undefined || type === undefined) continue
      const wanted = wantedType(test, type)
      if (wanted !== undefined)
        yield {
          range: testColumnRange(asset, test, column),
          message: `${test.kind} needs ${wanted}, "${column}" is ${type.text}`,
          hint: 'Name another column, or cast this one in transform.',
        }
      else yield* wrongValues(asset, test, type)
      if (test.kind === 'relationships') {
        const target = typeOf(others?.of(test.toAsset), test.toColumn, engine)
        if (target !== undefined && !areComparable(type, target))
          yield {
            range: locate(asset, ['tests', test.index, test.kind, column]),
            message: `"${column}" is ${type.text}, ${test.toAsset}.${test.toColumn} is ${target.text}: they cannot be compared`,
            hint: 'Name another column, or cast one of them in its transform.',
          }
      }
    }
  },
}

interface Typed {
  /** For messages. */
  readonly text: string
  readonly family: TypeFamily
}

function typeOf(analysis: AssetAnalysis | undefined, column: string, engine: Engine): Typed | undefined {
  const found = columnType(analysis, column, engine)
  return found && { text: found.text, family: engine.types.family(found.type) }
}

function wantedType(test: TestDefinition, { family }: Typed): string | undefined {
  const isText = family === 'text'
  if (test.kind === 'fresh' && !isPointInTime(family)) return 'a date or a timestamp'
  if (test.kind === 'range' && isText && [test.min, test.max].some(bound => typeof bound === 'number'))
    return 'a number for such bounds'
  return test.kind === 'matches' && !isText ? 'a text' : undefined
}

/** A condition that is nothing but a column of texts: a run would fail with the first that is not "true". */
function* textConditions(
  asset: Asset,
  test: TestDefinition,
  analysis: AssetAnalysis | undefined,
  engine: Engine,
): Iterable<Finding> {
  const conditions = [
    ['expression', test.kind === 'expression' ? test.expression : undefined],
    ['where', test.where],
  ] as const
  for (const [key, sql] of conditions) {
    const column = /^\s*"?([A-Za-z_]\w*)"?\s*$/.exec(sql ?? '')?.[1]
    const type = column === undefined ? undefined : typeOf(analysis, column, engine)
    if (type?.family !== 'text') continue
    yield {
      range: locate(asset, ['tests', test.index, key]),
      message: `${key} needs a condition, "${column}" is ${type.text}`,
      hint: `Compare it with something, as in ${column} <> ''.`,
    }
  }
}

// ---------------------------------------------------------------- values of another kind than the column

/** What a text says the warehouse judges; numbers are compared with numbers alone, true and false with what is that. */
function* wrongValues(asset: Asset, test: TestDefinition, { text, family }: Typed): Iterable<Finding> {
  for (const { path, value } of valuesIn(test)) {
    if (!isOfOtherKind(value, family)) continue
    const written = textAt(asset, path) ?? String(value)
    const hint =
      family === 'text'
        ? `Write it in quotes: '${written}'.`
        : 'Write the values as the column has them, or name another column.'
    const what = typeof value === 'number' ? 'a number' : String(value)
    yield {
      range: locate(asset, path),
      message: `${test.kind} compares with ${text}, ${what === written ? what : `${written} is ${what}`}`,
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

function isOfOtherKind(value: JsonScalar | undefined, family: TypeFamily): boolean {
  if (typeof value !== 'number' && typeof value !== 'boolean') return false
  return isPointInTime(family) || unlikeNumbers.has(family)
}

const unlikeNumbers: ReadonlySet<TypeFamily> = new Set([
  'text',
  'time',
  'interval',
  'uuid',
  'binary',
  'nested',
])

/** A text may hold anything; numbers and points in time have nothing in common. */
function areComparable({ family: a }: Typed, { family: b }: Typed): boolean {
  return !((isNumeric(a) && isPointInTime(b)) || (isPointInTime(a) && isNumeric(b)))
}
