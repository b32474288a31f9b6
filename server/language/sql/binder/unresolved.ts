/**
 * Handles unresolved names: the report, the edit that replaces them, and the value that is used nevertheless.
 */
import { nearestNames } from '../../text/nearest-names.ts'
import type { Edit, Name, Reference, Span } from '../tree.ts'
import { columnListOf, columnsAround } from './column-lists.ts'
import type { BoundTable, Column, Scope } from './model.ts'
import type { Replacement, Resolved } from './references.ts'
import { findColumn, findTableAround, nearest, tablesAround } from './scope.ts'
import { unknownValue } from './values.ts'
import { report, type Work } from './work.ts'

export function unresolved(work: Work, node: Reference, scope: Scope, replacement: Replacement): Resolved {
  const [first, second] = node.path
  // The reader reports names that are missing.
  if (first === undefined || node.path.some(name => name.text === '')) return nothing
  const takesNearest = replacement.takesNearest === true && node.path.length < 3
  const place: Place = { work, node, scope, replacement, takesNearest }
  return second === undefined ? unknownName(place, first) : unknownPath(place, first, second)
}

interface Place {
  readonly work: Work
  readonly node: Reference
  readonly scope: Scope
  readonly replacement: Replacement
  /** Whether the column with the nearest name may replace the reference. */
  readonly takesNearest: boolean
}

const nothing: Resolved = { value: unknownValue, column: undefined }

function unknownName(place: Place, first: Name): Resolved {
  const { work, scope } = place
  if (!isDefinedLater(work, first.text, scope)) return unknownColumn(place, first, undefined)
  const { text: name } = first
  report(work, { kind: 'alias-too-early', name, span: spanOf(first), repair: [wholeRepair(place)], scope })
  return nothing
}

function unknownPath(place: Place, first: Name, second: Name): Resolved {
  const { work, scope } = place
  const table = findTableAround(scope, first.text, work.dialect)
  if (table !== undefined) return unknownColumn(place, second, table)
  const misspelt = misspeltTable(work, first.text, scope)
  // The table is misspelt where it is introduced and reported there.
  if (misspelt !== undefined) return ofMeantTable(place, first, second, misspelt)
  if (isLikeColumn(work, first.text, scope)) return { ...unknownColumn(place, first, undefined), ...nothing }
  const meantTable = nearestTable(first.text, scope)
  const isTaken = meantTable !== undefined && place.takesNearest
  const repair = isTaken
    ? { ...spanOf(first), text: work.dialect.quote(meantTable.name) }
    : wholeRepair(place)
  report(work, { kind: 'unknown-qualifier', name: first.text, span: spanOf(first), repair: [repair], scope })
  return meantTable === undefined ? nothing : ofMeantTable(place, first, second, meantTable)
}

/** Reports an unknown column. `table` is the one that it was looked up in; undefined for all in scope. */
function unknownColumn(place: Place, name: Name, table: BoundTable | undefined): Resolved {
  const { work, node, scope, takesNearest } = place
  const instead = meant(work, name.text, table?.columns ?? columnsAround(scope))
  const isWhole = takesNearest && name === node.path.at(-1)
  const repair = (isWhole && nearestRepair(place, instead)) || wholeRepair(place)
  report(work, {
    kind: 'unknown-column',
    name: name.text,
    table,
    span: spanOf(name),
    repair: [repair],
    scope,
  })
  return isWhole ? instead : { ...instead, meant: undefined }
}

/** Resolves a column after a misspelt qualifier as one of the intended table. */
function ofMeantTable(place: Place, first: Name, second: Name, table: BoundTable): Resolved {
  const { work, scope, takesNearest } = place
  const column = findColumn(table, second.text, work.dialect) ?? table.open?.(second.text, false)
  const instead = meant(work, second.text, column === undefined ? table.columns : [column])
  const isAnything = column !== undefined || table.columns.some(each => each.spread)
  const taken = instead.meant
  // If the column is misspelt too, its own edit is separate from that of the qualifier.
  const repair =
    takesNearest && taken !== undefined
      ? { ...spanOf(second), text: work.dialect.quote(taken.name) }
      : undefined
  if (!isAnything) {
    const span = spanOf(second)
    report(work, {
      kind: 'unknown-column',
      name: second.text,
      table,
      span,
      repair: repair ? [repair] : [],
      scope,
    })
  }
  if (work.quiet === 0 && table.problem !== undefined)
    work.repairs.push(
      repair ? { ...spanOf(first), text: work.dialect.quote(table.name) } : wholeRepair(place),
    )
  return takesNearest ? instead : { ...instead, meant: undefined }
}

function wholeRepair({ node: { start, end }, replacement: { text } }: Place): Edit {
  return { start, end, text }
}

/** The unknown columns of one text are made of so many known ones. */
const mostOrigins = 100_000

/** Resolves a misspelt column as the one with the nearest name, so that its uses are checked too. */
function meant(work: Work, name: string, columns: readonly Column[]): Resolved {
  const list = columnListOf(columns, work.dialect.fold)
  const [nearest] = list.names.nearest(name, 1)
  const column = nearest === undefined ? undefined : list.firstByName.get(nearest)
  // An unknown column may be any, so it has the value of all; of thousands of unknown ones the last are not made of thousands each.
  const isAny = column === undefined && (work.problems.length + 1) * list.size <= mostOrigins
  const known = column?.value ?? (isAny ? list.any() : unknownValue)
  const isOnly = column && list.counts.get(work.dialect.fold(column.name)) === 1
  return {
    value: { ...known, direct: false, unknown: true, few: false },
    column: undefined,
    meant: isOnly ? column : undefined,
  }
}

/** Returns the names of columns in sight that are nearest to a misspelt one. */
export function nearestAround({ dialect }: Work, name: string, scope: Scope): string[] {
  return columnListOf(columnsAround(scope), dialect.fold).names.nearest(name)
}

/**
 * Returns the edit that inserts the intended name, so that whatever depends on the column (a group, a type,
 * its readers) is right.
 */
function nearestRepair({ work, node, replacement }: Place, { meant: column }: Resolved): Edit | undefined {
  if (column === undefined) return undefined
  const { path, start, end } = node
  const names = [...path.slice(0, -1).map(name => name.text), column.name]
  const after = replacement.after?.(column) ?? ''
  return { start, end, text: `${names.map(work.dialect.quote).join('.')}${after}` }
}

/** Returns the table of the FROM clause with that name, if it is misspelt there. */
export function misspeltTable(work: Work, name: string, scope: Scope): BoundTable | undefined {
  const key = work.dialect.fold(name)
  return nearest(scope, level =>
    level.tables.find(
      ({ problem, tag }) => problem !== undefined && work.dialect.fold(tag?.label ?? '') === key,
    ),
  )
}

function nearestTable(name: string, scope: Scope): BoundTable | undefined {
  const tables = tablesAround(scope)
  const [only] = nearestNames(
    name,
    tables.map(qualifierOf).filter(each => each !== ''),
  )
  return tables.find(table => qualifierOf(table) === only)
}

/**
 * Returns the qualifier for columns of a table; for a table that is misspelt where it is introduced, the
 * intended name.
 */
export function qualifierOf({ name, alias, problem, tag }: BoundTable): string {
  return problem !== undefined && alias === undefined && tag !== undefined ? tag.label : name
}

function isDefinedLater(work: Work, name: string, scope: Scope): boolean {
  const key = work.dialect.fold(name)
  return nearest(scope, level => level.later.has(key) || undefined) ?? false
}

function spanOf({ start, end }: Span): Span {
  return { start, end }
}

/**
 * Returns whether a name before a dot is more like a column with fields than like a table: normally it is a
 * table.
 */
function isLikeColumn(work: Work, name: string, scope: Scope): boolean {
  const tables = tablesAround(scope).map(table => table.name)
  return nearestNames(name, tables).length === 0 && nearestAround(work, name, scope).length > 0
}
