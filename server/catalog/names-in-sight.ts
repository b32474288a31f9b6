/** Which names could have been meant at a node: what "did you mean" offers, nearest first. */
import type { Relation, Scope } from '../language/lineage/scope.ts'
import type { Expression, TableNode } from '../language/lineage/sql-tree.ts'
import { nearestNames } from '../language/text/nearest-names.ts'
import type { Treatment } from './diagnose.ts'
import { isPlaceholder, relationKey } from './relations.ts'

export interface Offer {
  readonly suggestions: readonly string[]
  readonly hint: string | undefined
}

const maxListed = 8

/** A column without qualifier: of any relation in sight, or an alias of the select list. */
export function offerColumns(treatment: Treatment, name: string, node: Expression): Offer {
  const scope = treatment.resolution.trace?.scopes.get(node)
  const columns = relationsInSight(scope).flatMap(columnNames)
  const known = [...columns, ...aliasesInSight(treatment, node)].filter(
    each => each.toLowerCase() !== name.toLowerCase(),
  )
  const suggestions = nearestNames(name, known)
  return { suggestions, hint: joined(didYouMean(suggestions), inventory(treatment, scope)) }
}

/** What the nearest relations have; those around a subquery are not listed. */
function inventory(treatment: Treatment, scope: Scope | undefined): string | undefined {
  let level = scope
  while (level && tablesOf(level).length === 0) level = level.parent
  const tables = level ? tablesOf(level) : []
  const [only] = tables
  if (!only) return 'There is no FROM here.'
  if (tables.length === 1) return has(labelOf(treatment, only), columnNames(only))
  return `in sight: ${listed(tables.flatMap(columnNames))}`
}

function tablesOf(scope: Scope): Relation[] {
  return scope.relations.filter(relation => relation.node !== undefined && !relation.hidden)
}

export function offerColumnsOf(treatment: Treatment, name: string, relation: Relation): Offer {
  const columns = columnNames(relation)
  const suggestions = nearestNames(name, columns)
  return { suggestions, hint: joined(didYouMean(suggestions), has(labelOf(treatment, relation), columns)) }
}

/** A qualifier that names no relation. */
export function offerQualifiers(treatment: Treatment, name: string, node: Expression): Offer {
  const relations = relationsInSight(treatment.resolution.trace?.scopes.get(node))
  const aliases = [...new Set(relations.map(relation => relation.alias).filter(alias => alias !== ''))]
  const suggestions = nearestNames(name, aliases)
  const list = aliases.length > 0 ? `in sight: ${listed(aliases)}` : undefined
  return { suggestions, hint: joined(didYouMean(suggestions), list) }
}

export async function tableSuggestions(treatment: Treatment, node: TableNode): Promise<readonly string[]> {
  const name = node.table_name ?? ''
  if (name === '') return []
  const ctes = cteNames(treatment.resolution.trace?.tables.get(node))
  return nearestNames(name, [...ctes, ...treatment.names.nearestAssets(name)])
}

export function cteNames(scope: Scope | undefined): string[] {
  const names: string[] = []
  for (let cte = scope?.ctes; cte; cte = cte.parent) names.push(cte.name)
  return names
}

export function relationsInSight(scope: Scope | undefined): Relation[] {
  const relations: Relation[] = []
  for (let level = scope; level; level = level.parent) {
    relations.push(...level.relations.filter(relation => !relation.hidden && relation.columns.length > 0))
  }
  return relations
}

function aliasesInSight(treatment: Treatment, node: Expression): string[] {
  const names: string[] = []
  for (let level = treatment.resolution.trace?.scopes.get(node); level; level = level.parent) {
    names.push(
      ...[...(level.aliases?.values() ?? [])].flatMap(item => (item === node ? [] : (item.alias ?? []))),
    )
  }
  return names
}

/** What was misspelt at its source is offered as it was meant. */
function columnNames(relation: Relation): string[] {
  const columns = relation.columns.filter(column => !column.misspelt)
  return [...columns, ...(relation.also ?? [])].flatMap(({ name }) =>
    name === undefined || isPlaceholder(name) ? [] : name,
  )
}

/** The asset's name rather than its alias; "the source" for a raw table. */
export function labelOf(treatment: Treatment, relation: Relation): string {
  const node = relation.node
  const key = relationKey(node?.schema_name ?? '', node?.table_name ?? '')
  const input = treatment.patient.statement.inputs.get(key)
  return input?.label ?? (node?.table_name || relation.alias || 'the query')
}

export function didYouMean(suggestions: readonly string[]): string | undefined {
  return suggestions.length === 0 ? undefined : `did you mean "${suggestions[0]}"?`
}

export function has(label: string, names: readonly string[]): string | undefined {
  return names.length === 0 ? undefined : `${label} has: ${listed(names)}`
}

export function listed(names: readonly string[]): string {
  const distinct = [...new Set(names)]
  const shown = distinct.slice(0, maxListed).join(', ')
  return distinct.length > maxListed ? `${shown}, …` : shown
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** One hint: "did you mean" stands right behind the mark, everything else begins as a sentence does. */
export function joined(...parts: readonly (string | undefined)[]): string | undefined {
  const present = parts.filter(part => part !== undefined)
  return present.length === 0
    ? undefined
    : present.map(part => part.replace(/^(?:in|it|the)\b/, capital)).join(' ')
}
