/**
 * Matches the columns that the engine describes with those of the name binder. Where they do not match, it is
 * unknown which value is where; each column may then have any value that the statement reads.
 */
import type { ColumnLineage, ColumnOrigin, Engine } from '../language/index.ts'
import { type BoundSql, type Column, rootOf } from '../language/sql/binder/model.ts'
import { constantValue, united, type Value } from '../language/sql/binder/values.ts'
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
  const middle = columns.slice(first, last + 1)
  const between = names.slice(first, names.length - behind)
  return [...valuesOf(head), ...between.map(name => amongSpreads(name, middle, engine)), ...valuesOf(tail)]
}

function valuesOf(columns: readonly Column[]): readonly Value[] {
  return columns.map(column => column.value)
}

function amongSpreads(name: string, columns: readonly Column[], { sameName }: Engine): Value {
  const candidates = columns.flatMap(column => column.spread?.candidates ?? (column.spread ? [] : [column]))
  const found = candidates.filter(column => column.name !== '' && sameName(column.name, name))
  const isSure = columns.every(
    column => column.spread === undefined || column.spread.candidates !== undefined,
  )
  const [only] = found
  if (found.length === 1 && only !== undefined && isSure) return only.value
  const all = columns.map(column => column.value)
  return {
    ...constantValue,
    origins: all.reduce<readonly ColumnOrigin[]>((list, value) => united(list, value.origins), []),
    hints: all.reduce<readonly ColumnOrigin[]>((list, value) => united(list, value.hints), []),
  }
}

/** Returns a value that any column may have that is read. In doubt it keeps the mark `few` of a constant. */
function anything({ reads }: BoundSql): Value {
  return { ...constantValue, origins: reads }
}

export function lineageOf(column: string, { origins, hints, direct }: Value): ColumnLineage {
  const hidden = hints.length === 0 ? [] : hints.filter(hint => !isIn(origins, hint))
  const all = hidden.length === 0 ? origins : [...origins, ...hidden]
  const from = all.length > 1 ? distinct(all).sort(byAssetThenColumn) : all
  const kind = direct && from.length > 0 ? 'direct' : 'derived'
  return hidden.length === 0 ? { column, from, kind } : { column, from, kind, hidden: distinct(hidden) }
}

function isIn(list: readonly ColumnOrigin[], origin: ColumnOrigin): boolean {
  return list.some(other => byAssetThenColumn(other, origin) === 0)
}

function distinct(list: readonly ColumnOrigin[]): ColumnOrigin[] {
  return list.filter(
    (origin, index) => list.findIndex(other => byAssetThenColumn(other, origin) === 0) === index,
  )
}

function byAssetThenColumn(a: ColumnOrigin, b: ColumnOrigin): number {
  return (
    compareTexts(a.asset, b.asset) ||
    compareTexts(a.column, b.column) ||
    compareTexts(a.source ?? '', b.source ?? '')
  )
}
