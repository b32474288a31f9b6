/** Columns that may be named at a place of SQL, nearest first. A name that two tables have comes with its table. */
import { sameName } from '../../../checks/columns.ts'
import { type SqlColumn, type SqlRelation, tableCalled } from '../../sql/output-columns.ts'
import { writtenName } from '../../sql/quote-name.ts'
import { structFields } from '../../sql/struct-fields.ts'
import type { CompletionSubject } from '../completion.ts'
import { sortKey } from '../completion.ts'
import type { SqlAsk, SqlItem } from './sql-offer.ts'
import { sourceNames } from './sql-tables.ts'

/** Columns, aliases and the names of tables, for where an operand may stand. */
export function columnsInSight(ask: SqlAsk): readonly SqlItem[] {
  const { scope } = ask
  const isWithoutFrom = scope.ownRelations.length === 0 && ask.place.block.kind === 'query'
  const relations = isWithoutFrom ? [...scope.relations, ...likelyRelations(ask)] : scope.relations
  return [...columnItems(ask, relations), ...aliasItems(ask), ...qualifierItems(relations)]
}

function columnItems(ask: SqlAsk, relations: readonly SqlRelation[]): readonly SqlItem[] {
  const { merged } = ask.scope
  const owners = countOwners(relations)
  const seen = new Set<string>()
  const items: SqlItem[] = []
  for (const relation of relations) {
    for (const column of relation.columns) {
      const key = column.name.toLowerCase()
      const isMerged = relation.depth === 0 && merged.has(key)
      const isQualified = !isMerged && needsQualifier(relation, owners.get(key) ?? [])
      if (isQualified && relation.name === '') continue
      const written = writtenName(column.name)
      const name = isQualified ? `${writtenName(relation.name)}.${written}` : written
      if (seen.has(name)) continue
      seen.add(name)
      items.push(columnItem(relation, column, name, sortKey(relation.depth === 0 ? 'b' : 'd', items.length)))
    }
  }
  return items
}

function countOwners(relations: readonly SqlRelation[]): ReadonlyMap<string, readonly SqlRelation[]> {
  const owners = new Map<string, SqlRelation[]>()
  for (const relation of relations) {
    for (const { name } of relation.columns) {
      const known = owners.get(name.toLowerCase())
      if (known === undefined) owners.set(name.toLowerCase(), [relation])
      else if (!known.includes(relation)) known.push(relation)
    }
  }
  return owners
}

/** Ambiguous at its own level, or hidden by a table further inside. */
function needsQualifier(relation: SqlRelation, owners: readonly SqlRelation[]): boolean {
  return owners.some(other => other !== relation && other.depth <= relation.depth)
}

function columnItem(relation: SqlRelation, column: SqlColumn, name: string, sort: string): SqlItem {
  const from = relation.name === '' ? '' : relation.name
  const detail = [column.type, from].filter(Boolean).join(' · ')
  const about = subjectOf(column)
  return {
    label: name,
    kind: 'column',
    ...(detail !== '' && { detail }),
    ...(about !== undefined && { about }),
    insert: name,
    // Who types the bare name means this one too.
    filter: name.startsWith('"') ? name : column.name,
    sort,
  }
}

function subjectOf(column: SqlColumn): CompletionSubject | undefined {
  const { origin } = column
  return origin === undefined ? undefined : { kind: 'column', ...origin }
}

function aliasItems({ scope }: SqlAsk): readonly SqlItem[] {
  return scope.aliases.flatMap(({ name, type }, index): SqlItem[] => {
    const isColumn = scope.relations.some(
      relation => relation.depth === 0 && relation.columns.some(column => sameName(column.name, name)),
    )
    if (isColumn) return []
    const detail = type === undefined ? 'alias' : `${type} · alias`
    return [{ label: name, kind: 'alias', detail, insert: writtenName(name), sort: sortKey('c', index) }]
  })
}

function qualifierItems(relations: readonly SqlRelation[]): readonly SqlItem[] {
  const names = new Map(relations.filter(relation => relation.name !== '').map(each => [each.name, each]))
  return Array.from(names.values(), (relation, index): SqlItem => {
    const detail = `${relation.columns.length} column${relation.columns.length === 1 ? '' : 's'}`
    return {
      label: relation.name,
      kind: relation.kind === 'cte' ? 'cte' : 'alias',
      detail,
      insert: `${writtenName(relation.name)}.`,
      sort: sortKey('e', index),
      next: 'completion',
    }
  })
}

/** Names alone, for where no expression may stand: `EXCLUDE (|)`. */
export function bareColumns({ scope }: SqlAsk): readonly SqlItem[] {
  const seen = new Set<string>()
  return scope.ownRelations
    .flatMap(relation => relation.columns.map(column => ({ relation, column })))
    .filter(({ column }) => (seen.has(column.name) ? false : seen.add(column.name) !== undefined))
    .map(({ relation, column }, index) =>
      columnItem(relation, column, writtenName(column.name), sortKey('b', index)),
    )
}

// ---------------------------------------------------------------- behind a dot

/** `a.|`: exactly the columns of a; `a.s.|`: the fields of its column s. */
export function membersOf(ask: SqlAsk, qualifiers: readonly string[]): readonly SqlItem[] {
  const [name = '', outer] = qualifiers
  const { relations, ownRelations } = ask.scope
  const known = [...relations, ...ownRelations]
  if (outer === undefined) {
    const relation = known.find(each => sameName(each.name, name))
    if (relation !== undefined) return relationMembers(relation)
    const column = known.flatMap(each => each.columns).find(each => sameName(each.name, name))
    if (column !== undefined) return fieldItems(column.type)
    return ask.scope.ownRelations.length > 0 ? [] : likelyMembers(ask, name)
  }
  const owner = known.find(each => sameName(each.name, outer))
  const column = owner?.columns.find(each => sameName(each.name, name))
  return column === undefined ? [] : fieldItems(column.type)
}

function relationMembers(relation: SqlRelation): readonly SqlItem[] {
  const unnamed = { ...relation, name: '' }
  return relation.columns.map((column, index) =>
    columnItem(unnamed, column, writtenName(column.name), sortKey('b', index)),
  )
}

function fieldItems(type: string | undefined): readonly SqlItem[] {
  return structFields(type).map((field, index) => ({
    label: writtenName(field.name),
    kind: 'column',
    detail: field.type,
    insert: writtenName(field.name),
    filter: field.name,
    sort: sortKey('b', index),
  }))
}

// ---------------------------------------------------------------- before there is a FROM

/**
 * A select list is often written before its FROM. Then the CTEs above, the source, and the assets that this one was
 * last known to read are the likely ones.
 */
function likelyRelations({ knowledge, place, scope }: SqlAsk): readonly SqlRelation[] {
  if (scope.query.parent !== undefined && scope.core === undefined) return []
  const table = (name: string) => ({ table: tableCalled(name), depth: 0 })
  const ctes = scope.ctes.map(({ cte, columns, complete }): SqlRelation => {
    return { kind: 'cte', name: cte.name, target: undefined, columns, complete, ...table(cte.name) }
  })
  const isTest = place.block.path[0] === 'tests'
  const tags = [
    ...(isTest ? ['{{ this }}'] : []),
    ...sourceNames(knowledge, place.asset).map(({ child }) =>
      child === undefined ? '{{ source }}' : `{{ source('${child}') }}`,
    ),
    ...lastRead(knowledge.analysis.of(place.asset.name)?.uses ?? [], place.asset.name).map(
      name => `{{ ref('${name}') }}`,
    ),
  ]
  const tagged = tags.map((tag): SqlRelation => {
    const found = place.world.table(tag)
    return { ...found, ...table(found.name) }
  })
  return [...ctes, ...tagged]
}

function lastRead(
  uses: readonly { readonly origin: { readonly asset: string } }[],
  self: string,
): readonly string[] {
  return [...new Set(uses.map(use => use.origin.asset))].filter(name => name !== self)
}

/** An alias that is not declared yet: the likely tables, those first whose name it could shorten. */
function likelyMembers(ask: SqlAsk, alias: string): readonly SqlItem[] {
  const relations = likelyRelations(ask)
  const meant = relations.filter(relation => sameName(relation.name, alias))
  const [first = []] = [meant, relations].filter(list => list.length > 0)
  const sorted = [...first].sort((a, b) => Number(shortens(alias, b.name)) - Number(shortens(alias, a.name)))
  const seen = new Set<string>()
  return sorted.flatMap(relation =>
    relation.columns.flatMap((column): SqlItem[] => {
      if (seen.has(column.name.toLowerCase())) return []
      seen.add(column.name.toLowerCase())
      return [columnItem(relation, column, writtenName(column.name), sortKey('b', seen.size))]
    }),
  )
}

/** `o` for orders, `ol` for order_lines. */
function shortens(alias: string, name: string): boolean {
  const lower = alias.toLowerCase()
  const initials = name
    .toLowerCase()
    .split('_')
    .map(part => part[0] ?? '')
    .join('')
  return name.toLowerCase().startsWith(lower) || initials === lower
}
