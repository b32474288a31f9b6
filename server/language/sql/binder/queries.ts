/** Binds queries: their CTEs, SELECTs and set operations, and the scope of their ORDER BY. */
import type { Body, Cte, Query, Select, SetOperation } from '../tree.ts'
import { bindQueryOrder, bindWindow } from './calls.ts'
import { describedColumns } from './describe.ts'
import { bindAll, bindExpression } from './expressions.ts'
import type { BoundCte, BoundWindow, Column, CteChain, Relation, Scope } from './model.ts'
import { bindPivot, bindUnpivot } from './pivots.ts'
import { byName, innerScope, newScope } from './scope.ts'
import { bindItems } from './select-list.ts'
import { combine } from './set-operations.ts'
import { passedOn } from './stars.ts'
import { bindTable, valuesColumns, withoutNamesakes } from './tables.ts'
import { either, sameSources } from './values.ts'
import { anyOf, mention, namedColumn, noteOutside, opaque, renamed, report, type Work } from './work.ts'

export interface QueryPlace {
  /** The position of the query in the structure of the text. */
  readonly id: string
  readonly outer: Scope | undefined
  readonly ctes: CteChain | undefined
}

export function bindQuery(work: Work, query: Query, place: QueryPlace): Relation {
  const ctes = bindCtes(work, query, place)
  const within = { ...place, ctes }
  const { relation, scope } = bindBody(work, query.body, { ...within, query })
  const tail = innerScope(scope, { first: byName(relation.columns, work.dialect) })
  work.scopes?.set(query, tail)
  bindQueryOrder(work, query.orderBy, tail)
  if (query.limit !== undefined) bindExpression(work, query.limit, tail)
  if (query.offset !== undefined) bindExpression(work, query.offset, tail)
  return relation
}

interface BodyPlace extends QueryPlace {
  readonly query: Query
}

interface BoundBody {
  readonly relation: Relation
  /** The scope of the ORDER BY after it, besides the output. */
  readonly scope: Scope
}

function bindBody(work: Work, body: Body, place: BodyPlace): BoundBody {
  const { id, outer, ctes, query } = place
  const apart = (relation: Relation): BoundBody => ({ relation, scope: newScope(outer, ctes) })
  switch (body.kind) {
    case 'select':
      return bindSelect(work, body, place)
    case 'set':
      return apart(bindSet(work, body, place))
    case 'nested':
      return apart(bindQuery(work, body.query, { id: `${id}.n`, outer, ctes }))
    case 'values':
      return apart({ columns: valuesColumns(work, body.rows, newScope(outer, ctes), id), open: undefined })
    case 'describe':
      return apart(bindDescribe(work, body, place))
    case 'pivot-query': {
      const scope = newScope(outer, ctes)
      const bind =
        body.table.kind === 'pivot'
          ? bindPivot(work, body.table, scope, id)
          : bindUnpivot(work, body.table, scope, id)
      return { relation: bind, scope }
    }
    default:
      work.scopes?.set(query, newScope(outer, ctes))
      return apart({ columns: [], open: opaque(work, id) })
  }
}

/** Binds a chain of set operations in a loop, because it is as deep on its left as it is long. */
function bindSet(work: Work, node: SetOperation, place: BodyPlace): Relation {
  const chain: SetOperation[] = []
  let first: Body = node
  while (first.kind === 'set') {
    chain.push(first)
    first = first.left
  }
  const scope = newScope(place.outer, place.ctes)
  let relation = bindBody(work, first, { ...place, id: `${place.id}.a` }).relation
  for (const [index, each] of chain.reverse().entries()) {
    const id = `${place.id}.b${index}`
    const right = bindBody(work, each.right, { ...place, id }).relation
    relation = combine(work, each, relation, right, { id, scope })
  }
  return relation
}

function bindDescribe(
  work: Work,
  body: Extract<Body, { kind: 'describe' }>,
  { id, outer, ctes }: QueryPlace,
): Relation {
  const scope = newScope(outer, ctes)
  if (body.from === undefined && body.query === undefined)
    noteOutside(work, { kind: 'listing', name: body.word.toUpperCase(), effect: 'relations' }, body)
  if (body.from !== undefined) bindTable(work, body.from, scope, `${id}.t0`)
  const inner = body.query && bindQuery(work, body.query, { id: `${id}.q`, outer, ctes })
  const columns = inner?.columns ?? scope.tables.flatMap(table => table.columns)
  return describedColumns(body.word, columns, id)
}

// ---------------------------------------------------------------- CTEs

function bindCtes(work: Work, query: Query, { id, outer, ctes }: QueryPlace): CteChain | undefined {
  let chain = ctes
  const names = new Set<string>()
  for (const [index, cte] of query.ctes.entries()) {
    const key = work.dialect.fold(cte.name.text)
    if (key !== '' && names.has(key)) reportNamesake(work, cte, index, newScope(outer, chain))
    names.add(key)
    const bound = bindCte(work, query, cte, {
      id: `${id}.w${cte.name.text === '' ? '' : index}`,
      outer,
      ctes: chain,
    })
    chain = { cte: bound, parent: chain }
  }
  return chain
}

function bindCte(work: Work, query: Query, cte: Cte, place: QueryPlace): BoundCte {
  const bound =
    cte.query === undefined
      ? cteOf(work, cte, { columns: [], open: opaque(work, place.id) }, place.id)
      : query.recursive && cte.query.body.kind === 'set'
        ? bindRecursive(work, cte, cte.query, place)
        : cteOf(work, cte, bindQuery(work, cte.query, { ...place, id: `${place.id}.q` }), place.id)
  mention(work, cte.name, bound, 'definition')
  if (work.quiet === 0) work.ctes.push(bound)
  return bound
}

function cteOf(work: Work, cte: Cte, relation: Relation, id: string): BoundCte {
  const named = renamed(work, withoutNamesakes(work, relation, id), cte.columns, id)
  const columns = [...named.columns, ...addedColumns(work, cte, relation, id)]
  return { kind: 'cte', id, cte, ...named, columns }
}

/** Returns the columns that SEARCH and CYCLE add, which come from all others. */
function addedColumns(work: Work, { added }: Cte, relation: Relation, id: string): readonly Column[] {
  if (added.length === 0) return []
  const value = anyOf(relation)
  return added.map((at, index) => namedColumn(work, `${id}.a${index}`, at, value))
}

function reportNamesake(work: Work, { name }: Cte, index: number, scope: Scope): void {
  const span = { start: name.start, end: name.end }
  const text = work.dialect.quote(`${name.text} ${index}`)
  report(work, { kind: 'duplicate-cte', name: name.text, span, repair: [{ ...span, text }], scope })
}

/** The maximum number of passes over a recursive part; each may carry a value one column further. */
const maxRounds = 100

/**
 * Binds a recursive CTE. The first side defines the columns; the second reads them, and its values flow back
 * into them until nothing changes.
 */
function bindRecursive(work: Work, cte: Cte, query: Query, place: QueryPlace): BoundCte {
  const { body } = query
  if (body.kind !== 'set') return cteOf(work, cte, bindQuery(work, query, place), place.id)
  const ctes = bindCtes(work, query, { ...place, id: `${place.id}.q` })
  const inside: BodyPlace = { id: `${place.id}.q.a`, outer: place.outer, ctes, query }
  const first = bindBody(work, body.left, inside).relation
  const made = cteOf(work, cte, first, place.id)
  // Mentions in the recursive part refer to these columns, whose values still grow.
  const columns = made.columns.map((column, index) => ({
    ...passedOn(column, `${place.id}.r${index}`, undefined),
  }))
  const self: BoundCte = { ...made, columns }
  const chain: CteChain = { cte: self, parent: ctes }
  for (let round = 0; round < maxRounds; round++) {
    if (round > 0) work.quiet++
    const { relation } = bindBody(work, body.right, { ...inside, id: `${place.id}.q.b`, ctes: chain })
    if (round > 0) work.quiet--
    if (!grow(columns, relation)) break
  }
  const scope = newScope(place.outer, chain)
  const tail = innerScope(scope, { first: byName(columns, work.dialect) })
  bindQueryOrder(work, query.orderBy, tail)
  if (query.limit !== undefined) bindExpression(work, query.limit, tail)
  if (query.offset !== undefined) bindExpression(work, query.offset, tail)
  work.scopes?.set(query, tail)
  return self
}

/** Adds the values of the recursive part to the columns; returns false if nothing is new. */
function grow(columns: { value: BoundCte['columns'][number]['value'] }[], relation: Relation): boolean {
  const isUnsure = relation.columns.some(column => column.spread)
  let hasGrown = false
  for (const [index, column] of columns.entries()) {
    const others = isUnsure ? relation.columns : relation.columns.slice(index, index + 1)
    for (const other of others) {
      const value = either(column.value, other.value)
      if (!sameSources(value, column.value)) hasGrown = true
      column.value = value
    }
  }
  return hasGrown
}

// ---------------------------------------------------------------- one SELECT

function bindSelect(work: Work, select: Select, { id, outer, ctes, query }: BodyPlace): BoundBody {
  const scope = newScope(outer, ctes)
  work.scopes?.set(select, scope)
  for (const [index, table] of select.from.entries()) bindTable(work, table, scope, `${id}.t${index}`)
  const { plain } = work
  work.plain = scope
  for (const { name, window } of select.windows) {
    const values = bindWindow(work, window, scope)
    const bound: BoundWindow = { kind: 'window', id: `${id}.x${scope.windows.size}`, name, values }
    scope.windows.set(work.dialect.fold(name.text), bound)
    mention(work, name, bound, 'definition')
  }
  const output = bindItems(work, select, scope, id)
  bindAll(work, select.distinctOn, innerScope(scope, { first: byName(output.columns, work.dialect) }))
  if (select.where !== undefined) bindExpression(work, select.where, scope)
  for (const group of select.groupBy) bindAll(work, group.expressions, scope)
  if (select.having !== undefined) bindExpression(work, select.having, scope)
  if (select.qualify !== undefined) bindExpression(work, select.qualify, scope)
  work.plain = plain
  if (work.quiet === 0)
    work.selects.push({ query, select, tables: scope.tables, items: output.items, output: output.columns })
  const { columns, open, also } = output
  return { relation: { columns, open, ...(also && { also }) }, scope }
}
