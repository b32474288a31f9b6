import type { AssetAnalysis } from '../analysis.ts'
import type { Engine } from '../engines/engine.ts'
import { isNumeric, isPointInTime, type TypeFamily } from '../engines/sql-type.ts'
import { locate } from '../project/locate.ts'
import type { Asset } from '../project/project.ts'
import type { JsonScalar, TestDefinition } from '../schema/definition.ts'
import { testColumns, testConditions, testKindOf } from '../tests/index.ts'
import type { Finding, ProjectCheck } from './check.ts'
import { type ColumnType, columnType } from './columns.ts'
import { type Problem, type Remedy, remedy, replaceHere, testAt } from './fix.ts'
import { outputPlaces } from './output-places.ts'
import { testColumnRange, textAt } from './places.ts'

export const testWrongType: ProjectCheck = {
  code: 'test-wrong-type',
  doc: "A test does not fit the type of its column: `fresh` needs a date or timestamp, `matches` a text, values and bounds are of the column's kind, `relationships` compares like with like.",
  *run(asset, { analysis, others, project: { engine } }) {
    for (const test of asset.definition.tests) {
      yield* textConditions(asset, test, analysis, engine)
      const column = testColumns(test)[0]
      const type = column === undefined ? undefined : columnType(analysis, column, engine)
      if (column === undefined || type === undefined) continue
      const wanted = testKindOf(test).wantedType?.(test, type.family)
      if (wanted !== undefined)
        yield {
          range: testColumnRange(asset, test, column),
          message: `${test.kind} needs ${wanted}, "${column}" is ${type.text}`,
          hint: 'Name another column, or cast this one in transform.',
        }
      else yield* wrongValues(asset, test, type)
      const target = testKindOf(test).target?.(test)
      if (target !== undefined) {
        const other = columnType(others?.of(target.asset), target.column, engine)
        if (other !== undefined && !areComparable(type, other))
          yield {
            range: locate(asset, ['tests', test.index, test.kind, column]),
            message: `"${column}" is ${type.text}, ${target.asset}.${target.column} is ${other.text}: they cannot be compared`,
            hint: 'Name another column, or cast one of them in its transform.',
          }
      }
    }
  },
  fix: castColumn,
}

/**
 * Reports a condition that is a plain text column: a run would fail at the first value that is not "true".
 */
function* textConditions(
  asset: Asset,
  test: TestDefinition,
  analysis: AssetAnalysis | undefined,
  engine: Engine,
): Iterable<Finding> {
  for (const { key, sql } of testConditions(test)) {
    const column = /^\s*"?([A-Za-z_]\w*)"?\s*$/.exec(sql)?.[1]
    const type = column === undefined ? undefined : columnType(analysis, column, engine)
    if (type?.family !== 'text') continue
    yield {
      range: locate(asset, ['tests', test.index, key]),
      message: `${key} needs a condition, "${column}" is ${type.text}`,
      hint: `Compare it with something, as in ${column} <> ''.`,
    }
  }
}

// ---------------------------------------------------------------- values of another kind than the column

/**
 * Reports values of another kind. Whether a text fits is for the engine to decide; numbers compare only with
 * numbers, and booleans only with booleans.
 */
function* wrongValues(asset: Asset, test: TestDefinition, { text, family }: ColumnType): Iterable<Finding> {
  for (const { at, value } of testKindOf(test).comparedWith?.(test) ?? []) {
    const path = ['tests', test.index, test.kind, ...at]
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
      ...(family === 'text' && { facts: { quoted: written } }),
    }
  }
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

/**
 * Returns whether the types can be compared. A text may hold anything; numbers and timestamps have nothing in
 * common.
 */
function areComparable({ family: a }: ColumnType, { family: b }: ColumnType): boolean {
  return !((isNumeric(a) && isPointInTime(b)) || (isPointInTime(a) && isNumeric(b)))
}

/** Casts the column to the type that the test needs, at the item of the select list. */
function castColumn(problem: Problem, asset: Asset): readonly Remedy[] {
  const test = testAt(problem, asset)
  const quoted = problem.diagnostic.facts?.['quoted']
  if (typeof quoted === 'string') return replaceHere(problem, 'Put it in quotes', JSON.stringify(quoted))
  const type = test && testKindOf(test).castTo
  const column = test && testColumns(test)[0]
  if (type === undefined || column === undefined) return []
  const { project, analysis, sources } = problem.knowledge
  const place = outputPlaces(asset, { project, others: analysis, rawTables: sources.get(asset.name) })(column)
  const cast = place.within?.('CAST')
  // Only the user knows whether a text holds times; a cast to VARCHAR always works.
  if (cast === undefined || (type !== 'VARCHAR' && !place.isColumn)) return []
  const newText = cast.replace(/\)( AS \S+|)$/, ` AS ${type})$1`)
  return remedy(`Cast "${column}" to ${type}`, problem.path, { range: place.range, newText })
}
