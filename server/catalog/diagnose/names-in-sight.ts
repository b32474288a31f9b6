/** Lists the names that could be meant at a place, nearest first, for "did you mean". */
import { oncePer } from '../../language/once.ts'
import type { BoundTable, Column, Scope } from '../../language/sql/binder/model.ts'
import { tablesAround, visibleTables } from '../../language/sql/binder/scope.ts'
import { qualifierOf } from '../../language/sql/binder/unresolved.ts'
import { type NameIndex, newNameIndex } from '../../language/text/name-index.ts'
import { nearestNames } from '../../language/text/nearest-names.ts'
import { isPlaceholder } from '../relations.ts'

export interface Offer {
  readonly suggestions: readonly string[]
  readonly hint: string | undefined
}

const maxListed = 8

/** Names that many misspelt ones are compared with. */
interface Names {
  readonly index: NameIndex
  readonly hint: string | undefined
}

const namesInScope = oncePer((scope: Scope): Names => {
  const columns = tablesAround(scope).flatMap(table => columnNames(table.columns, table.also))
  return { index: newNameIndex([...columns, ...aliasesInSight(scope)]), hint: inventory(scope) }
})

const namesOfTable = oncePer((table: BoundTable): Names => {
  const columns = columnNames(table.columns, table.also)
  return { index: newNameIndex(columns), hint: has(labelOf(table), columns) }
})

const mostOffered = 3
/** A name may be written in a few ways that differ only in case. */
const mostAlike = 5

/** Offers names for a column without a qualifier: columns of any table in scope and aliases of the select list. */
export function offerColumns(name: string, scope: Scope): Offer {
  const { index, hint } = namesInScope(scope)
  const lower = name.toLowerCase()
  const others = index.nearest(name, mostOffered + mostAlike).filter(each => each.toLowerCase() !== lower)
  return offerNear(others.slice(0, mostOffered), hint)
}

function offerNear(suggestions: readonly string[], hint: string | undefined): Offer {
  return { suggestions, hint: joined(didYouMean(suggestions), hint) }
}

/** Lists the columns of the nearest tables; those of queries around a subquery are left out. */
function inventory(scope: Scope): string | undefined {
  let level: Scope | undefined = scope
  while (level && visibleTables(level).length === 0) level = level.parent
  const tables = level ? visibleTables(level) : []
  const [only] = tables
  if (only === undefined) return 'There is no FROM here.'
  if (tables.length === 1) return has(labelOf(only), columnNames(only.columns, only.also))
  return `in sight: ${listed(tables.flatMap(table => columnNames(table.columns, table.also)))}`
}

export function offerColumnsOf(name: string, table: BoundTable): Offer {
  const { index, hint } = namesOfTable(table)
  return offerNear(index.nearest(name, mostOffered), hint)
}

const namesAmong = oncePer((columns: readonly Column[]) => newNameIndex(columnNames(columns)))

export function offerAmong(name: string, columns: readonly Column[]): Offer {
  const suggestions = namesAmong(columns).nearest(name)
  return { suggestions, hint: didYouMean(suggestions) }
}

/** Offers names for a qualifier that matches no table. */
export function offerQualifiers(name: string, scope: Scope): Offer {
  const called = tablesAround(scope).map(qualifierOf)
  const aliases = [...new Set(called.filter(each => each !== ''))]
  const suggestions = nearestNames(name, aliases)
  const list = aliases.length > 0 ? `in sight: ${listed(aliases)}` : undefined
  return { suggestions, hint: joined(didYouMean(suggestions), list) }
}

function aliasesInSight(scope: Scope): string[] {
  const names: string[] = []
  for (let level: Scope | undefined = scope; level; level = level.parent)
    for (const column of level.aliases.values()) if (!column.misspelt) names.push(column.name)
  return names
}

/**
 * Returns the names of columns. A column that was misspelt at its source is offered with the name that was
 * meant.
 */
function columnNames(columns: readonly Column[], also: readonly Column[] = []): string[] {
  const known = columns.flatMap(column => (column.misspelt ? [] : (column.spread?.candidates ?? column)))
  return [...known, ...also.filter(column => !column.misspelt)].flatMap(({ name }) =>
    name === '' || isPlaceholder(name) ? [] : name,
  )
}

/** Returns the name of the asset rather than its alias, or "the source" for a raw table. */
function labelOf(table: BoundTable): string {
  const { node, tag, name } = table
  if (tag !== undefined) return tag.label
  const written = node.kind === 'named-table' ? node.path.at(-1)?.text : undefined
  return written || name || 'the query'
}

export function didYouMean(suggestions: readonly string[]): string | undefined {
  return suggestions.length === 0 ? undefined : `did you mean "${suggestions[0]}"?`
}

export function has(label: string, names: readonly string[]): string | undefined {
  return names.length === 0 ? undefined : `${label} has: ${listed(names)}`
}

function listed(names: readonly string[]): string {
  const distinct = [...new Set(names)]
  const shown = distinct.slice(0, maxListed).join(', ')
  return distinct.length > maxListed ? `${shown}, …` : shown
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/**
 * Joins parts into one hint: "did you mean" follows the previous text directly, the other parts are
 * sentences.
 */
export function joined(...parts: readonly (string | undefined)[]): string | undefined {
  const present = parts.filter(part => part !== undefined)
  return present.length === 0
    ? undefined
    : present.map(part => part.replace(/^(?:in|it|the)\b/, capital)).join(' ')
}
