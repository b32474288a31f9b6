/**
 * Matches the columns that the engine describes with those of the name binder. Where they do not match, it is
 * unknown which value is where; each column may then have any value that the statement reads.
 */
import type { ColumnLineage, ColumnOrigin, Engine } from '../language/index.ts'
import { groupBy } from '../language/lists.ts'
import { once } from '../language/once.ts'
import { type BoundSql, type Column, rootOf } from '../language/sql/binder/model.ts'
import {
  constantValue,
  distinctOrigins,
  unitedAll,
  type Value,
  without,
} from '../language/sql/binder/values.ts'
import { compareTexts } from '../language/text/compare.ts'
import { isPlaceholder } from './relations.ts'

/** Returns one value for each of `names`, the engine's columns in order. */
export function linedUp(names: readonly string[], bound: BoundSql, engine: Engine): readonly Value[] {
  const { columns } = bound.output
  return (
    inPlace(names, columns, engine) ??
    aroundSpread(names, columns, engine) ??
    besideUnknown(names, bound, engine) ??
    names.map(() => anything(bound))
  )
}

/** Matches by name for a star over a table that may have more columns: its known columns keep their names. */
function besideUnknown(
  names: readonly string[],
  bound: BoundSql,
  engine: Engine,
): readonly Value[] | undefined {
  const known = names.filter(name => !isPlaceholder(name))
  const { columns } = bound.output
  if (known.length === names.length || inPlace(known, columns, engine) === undefined) return undefined
  const values = columns.map((column, index) =>
    isPassedOn(column, known[index] ?? '', engine) ? column.value : anything(bound),
  )
  let next = 0
  return names.map(name => (isPlaceholder(name) ? undefined : values[next++]) ?? anything(bound))
}

function isPassedOn(column: Column, name: string, { sameName }: Engine): boolean {
  const root = rootOf(column)
  return root.maker.kind === 'input' && sameName(root.name, name)
}

function inPlace(
  names: readonly string[],
  columns: readonly Column[],
  engine: Engine,
): readonly Value[] | undefined {
  if (names.length !== columns.length) return undefined
  const fits = columns.every((column, index) => !column.spread && isCalled(column, names[index], engine))
  return fits ? columns.map(column => column.value) : undefined
}

/** Returns whether the names match. Any name matches a column that has none: the engine makes one up. */
function isCalled({ name }: Column, given: string | undefined, { sameName }: Engine): boolean {
  return name === '' || (given !== undefined && sameName(name, given))
}

/**
 * Matches the columns before the first star of unknown width and after the last one by position, and those
 * between by name.
 */
function aroundSpread(
  names: readonly string[],
  columns: readonly Column[],
  engine: Engine,
): readonly Value[] | undefined {
  const first = columns.findIndex(column => column.spread)
  const last = columns.findLastIndex(column => column.spread)
  const behind = columns.length - 1 - last
  if (first < 0 || names.length < first + behind) return undefined
  const head = columns.slice(0, first)
  const tail = columns.slice(last + 1)
  const fits =
    head.every((column, index) => isCalled(column, names[index], engine)) &&
    tail.every((column, index) => isCalled(column, names[names.length - behind + index], engine))
  if (!fits) return undefined
  const among = amongSpreads(columns.slice(first, last + 1), engine)
  const between = names.slice(first, names.length - behind)
  return [...valuesOf(head), ...between.map(among), ...valuesOf(tail)]
}

function valuesOf(columns: readonly Column[]): readonly Value[] {
  return columns.map(column => column.value)
}

/** Returns what tells the value of a name among columns some of which may stand for several. */
function amongSpreads(columns: readonly Column[], { fold }: Engine): (name: string) => Value {
  const candidates = columns.flatMap(column => column.spread?.candidates ?? (column.spread ? [] : [column]))
  const isSure = columns.every(
    column => column.spread === undefined || column.spread.candidates !== undefined,
  )
  const named = candidates.filter(({ name }) => name !== '')
  const byName = groupBy(named, column => fold(column.name))
  const anyOfThem = once((): Value => {
    const all = valuesOf(columns)
    const origins = unitedAll(all.map(value => value.origins))
    return { ...constantValue, origins, hints: unitedAll(all.map(value => value.hints)) }
  })
  return name => {
    const [only, ...more] = byName.get(fold(name)) ?? []
    return only !== undefined && more.length === 0 && isSure ? only.value : anyOfThem()
  }
}

/** Returns a value that any column may have that is read. In doubt it keeps the mark `few` of a constant. */
function anything({ reads }: BoundSql): Value {
  return { ...constantValue, origins: reads }
}

export function lineageOf(column: string, { origins, hints, direct }: Value): ColumnLineage {
  const hidden = without(hints, origins)
  const all = hidden.length === 0 ? origins : [...origins, ...hidden]
  const from = all.length > 1 ? [...distinctOrigins(all)].sort(byAssetThenColumn) : all
  const kind = direct && from.length > 0 ? 'direct' : 'derived'
  return hidden.length === 0
    ? { column, from, kind }
    : { column, from, kind, hidden: distinctOrigins(hidden) }
}

function byAssetThenColumn(a: ColumnOrigin, b: ColumnOrigin): number {
  return (
    compareTexts(a.asset, b.asset) ||
    compareTexts(a.column, b.column) ||
    compareTexts(a.source ?? '', b.source ?? '')
  )
}
