/** Ranges of a tree's nodes in the statement's SQL. */
import { type Expression, locationOf, type TableNode } from '../language/lineage/sql-tree.ts'
import type { Range } from '../language/text/range.ts'
import type { BindError } from './bind-error.ts'
import type { Treatment } from './diagnose.ts'

export function partRange(treatment: Treatment, node: Expression, part: number): Range {
  const location = locationOf(node) ?? 0
  const parts = treatment.places.nameParts(location, part + 1)
  return parts[part] ?? treatment.places.tokenAt(location)
}

export function tokenRange(treatment: Treatment, node: Expression & TableNode): Range {
  return treatment.places.tokenAt(firstLocation(node))
}

/** As `tokenRange`, or the keyword that the error is about where the tree has no place for it. */
export function errorRange(treatment: Treatment, error: BindError, node: Expression & TableNode): Range {
  const at = firstLocation(node)
  const keyword = /in COALESCE operator/.test(error.message)
    ? lastWordBefore(treatment, at, /^(coalesce|ifnull|nvl)$/i)
    : /QUALIFY clause/.test(error.message)
      ? treatment.places.findName('qualify', at)
      : undefined
  return keyword ?? treatment.places.tokenAt(at)
}

export function lastWordBefore(treatment: Treatment, byte: number, pattern: RegExp): Range | undefined {
  const { sql } = treatment.patient
  const before = treatment.places.offset(byte)
  return treatment.places
    .tokens()
    .findLast(({ start, end }) => end <= before && pattern.test(sql.slice(start, end)))
}

/** Where a node begins; for one without a place, the first place inside it. */
export function firstLocation(node: object): number {
  const own = locationOf(node as Expression)
  if (own !== undefined) return own
  const places: number[] = []
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const place = locationOf(value as Expression)
    if (place !== undefined) places.push(place)
    for (const child of Object.values(value)) visit(child)
  }
  visit(node)
  return places.length === 0 ? 0 : Math.min(...places)
}

export function wholeRange(treatment: Treatment): Range {
  const { sql } = treatment.patient
  const start = sql.length - sql.trimStart().length
  const end = sql.trimEnd().length
  return { start, end: Math.max(start, end) }
}
