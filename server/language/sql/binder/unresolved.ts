/** A name that means nothing: what is said of it, what takes its place, and what is known of it all the same. */
import { nearestNames } from '../../text/nearest-names.ts'
import type { Edit, Reference, Span } from '../tree.ts'
import type { Column, Scope } from './model.ts'
import type { Resolved } from './references.ts'
import { findTableAround, visibleTables } from './scope.ts'
import { derivedFrom, unknownValue } from './values.ts'
import { report, type Work } from './work.ts'

export function unresolved(
  work: Work,
  node: Reference,
  scope: Scope,
  mendAs: string,
  takesNearest: boolean,
): Resolved {
  const nothing: Resolved = { value: unknownValue, column: undefined }
  const [first, second] = node.path
  const mend = [{ start: node.start, end: node.end, text: mendAs }]
  // A name that is still to be typed is the reader's to tell.
  if (first === undefined || node.path.some(name => name.text === '')) return nothing
  const table = second && findTableAround(scope, first.text, work.dialect)
  if (table !== undefined) {
    const instead = meant(work, second?.text ?? '', table.columns)
    const isWhole = takesNearest && node.path.length === 2
    report(work, {
      kind: 'unknown-column',
      name: second?.text ?? '',
      table,
      span: spanOf(second ?? first),
      mend: (isWhole && nearestMend(work, node, instead)) || mend,
      scope,
    })
    return node.path.length > 2 ? nothing : isWhole ? instead : { ...instead, meant: undefined }
  }
  const span = spanOf(first)
  if (second === undefined && isDefinedLater(work, first.text, scope)) {
    report(work, { kind: 'alias-too-early', name: first.text, span, mend, scope })
    return nothing
  }
  if (second !== undefined && isMeantTable(work, first.text, scope)) {
    // The table is misspelt where it is brought in, and that is told there.
    if (work.quiet === 0) work.mends.push(...mend)
    return nothing
  }
  if (second !== undefined && !isLikeColumn(first.text, scope))
    report(work, { kind: 'unknown-qualifier', name: first.text, span, mend, scope })
  else {
    const instead = meant(work, first.text, columnsAround(scope))
    const isWhole = takesNearest && second === undefined
    const taken = (isWhole && nearestMend(work, node, instead)) || mend
    report(work, { kind: 'unknown-column', name: first.text, table: undefined, span, mend: taken, scope })
    return second !== undefined ? nothing : isWhole ? instead : { ...instead, meant: undefined }
  }
  return nothing
}

/** What is read of a misspelt column is looked at all the same: it is taken for the one that is nearest in name. */
function meant(work: Work, name: string, columns: readonly Column[]): Resolved {
  const [nearest] = nearestNames(
    name,
    columns.map(column => column.name).filter(each => each !== ''),
  )
  const column = columns.find(each => each.name === nearest)
  // What is nowhere to be found may be anything: in doubt nothing of it is lost.
  const known = column?.value ?? derivedFrom(columns.map(each => each.value))
  const isOnly = column && columns.filter(each => sameName(work, each.name, column.name)).length === 1
  return {
    value: { ...known, direct: false, unknown: true, few: false },
    column: undefined,
    meant: isOnly ? column : undefined,
  }
}

function sameName({ dialect }: Work, a: string, b: string): boolean {
  return dialect.fold(a) === dialect.fold(b)
}

/** What else rests on a misspelt column (a group, a type, its readers) is then as it was meant. */
function nearestMend(
  work: Work,
  { path, start, end }: Reference,
  { meant: column }: Resolved,
): Edit[] | undefined {
  if (column === undefined) return undefined
  const names = [...path.slice(0, -1).map(name => name.text), column.name]
  return [{ start, end, text: names.map(work.dialect.quote).join('.') }]
}

function columnsAround(scope: Scope): readonly Column[] {
  const columns: Column[] = []
  for (let level: Scope | undefined = scope; level; level = level.parent)
    for (const table of visibleTables(level)) columns.push(...table.columns)
  return columns
}

function isMeantTable(work: Work, name: string, scope: Scope): boolean {
  const key = work.dialect.fold(name)
  for (let level: Scope | undefined = scope; level; level = level.parent)
    if (
      level.tables.some(
        ({ problem, tag }) => problem !== undefined && work.dialect.fold(tag?.label ?? '') === key,
      )
    )
      return true
  return false
}

function isDefinedLater(work: Work, name: string, scope: Scope): boolean {
  const key = work.dialect.fold(name)
  for (let level: Scope | undefined = scope; level; level = level.parent)
    if (level.later.has(key)) return true
  return false
}

function spanOf({ start, end }: Span): Span {
  return { start, end }
}

/** Before a dot stands a table rather than a column with fields, unless a column has a name that is nearer. */
function isLikeColumn(name: string, scope: Scope): boolean {
  const tables: string[] = []
  const columns: string[] = []
  for (let level: Scope | undefined = scope; level; level = level.parent) {
    for (const table of visibleTables(level)) {
      tables.push(table.name)
      columns.push(...table.columns.map(column => column.name))
    }
  }
  if (nearestNames(name, tables).length > 0) return false
  return (
    nearestNames(
      name,
      columns.filter(column => column !== ''),
    ).length > 0
  )
}
