/**
 * Finds the tree nodes around a place of SQL and the binder's scope there. It works on broken text, as the
 * reader and the binder do.
 */
import type { Engine } from '../../engines/engine.ts'
import type { BoundSql, Scope, ScopedNode } from '../../sql/binder/model.ts'
import type { Body, Clause, ClauseKind, Join, Query, Select } from '../../sql/tree.ts'
import { childrenOf, type SqlNode } from '../../sql/walk.ts'
import { isWithin } from '../../text/range.ts'
import type { SqlCursor } from './sql-cursor.ts'

export interface SqlScope {
  /** The engine of the project. */
  readonly engine: Engine
  readonly bound: BoundSql
  readonly offset: number
  /** The end of the last token before the word at the place. */
  readonly before: number
  /** The nodes around the place, from the statement or condition to the innermost one. */
  readonly around: readonly SqlNode[]
  /** The innermost query; undefined in a condition. */
  readonly query: Query | undefined
  /** The SELECT of the query; undefined after a set operation, or if there is none yet. */
  readonly select: Select | undefined
  readonly clause: Clause | undefined
  readonly clauseKind: ClauseKind | undefined
  /** The join whose condition or USING contains the place. */
  readonly join: Join | undefined
  /** The scope for names at the place. */
  readonly names: Scope | undefined
  /** The scope of the SELECT around the place. */
  readonly own: Scope | undefined
}

export function scopeAt(bound: BoundSql, cursor: SqlCursor): SqlScope {
  const offset = Math.min(cursor.offset, bound.text.length)
  const before = cursor.tokens[cursor.count - 1]?.end ?? 0
  const around = bound.root === undefined ? [] : nodesAround(bound.root, offset, before)
  const query = around.findLast((node): node is Query => node.kind === 'query')
  const select = selectOf(around, query)
  const clause = (select?.clauses ?? query?.clauses ?? []).findLast(({ start }) => start < before)
  const names = namesAt(bound, around, before)
  const own = select && bound.scopes.get(select)
  const swallowed = select && swallowedScope(bound, select)
  return {
    engine: cursor.engine,
    bound,
    offset,
    before,
    around,
    query,
    select,
    clause,
    clauseKind: clause?.kind,
    join: joinAround(around, offset),
    names: names === own ? (swallowed ?? names) : names,
    own: query === undefined ? names : (swallowed ?? own),
  }
}

function selectOf(around: readonly SqlNode[], query: Query | undefined): Select | undefined {
  if (query?.body.kind === 'select') return query.body
  const last = around.findLast(node => node.kind === 'select' || node === query)
  return last?.kind === 'select' ? last : undefined
}

/**
 * Returns the scope for `SELECT x, ( FROM t`: an unclosed bracket has taken the FROM into it, but its tables
 * are meant for the outer SELECT.
 */
function swallowedScope(bound: BoundSql, select: Select): Scope | undefined {
  if (select.from.length > 0) return undefined
  for (const { body } of queriesIn(select)) {
    const first = firstSelect(body)
    if (first?.selectWord === undefined && first !== undefined && first.from.length > 0)
      return bound.scopes.get(first)
  }
  return undefined
}

/** Returns the SELECT that gives a query its column names. */
export function firstSelect(body: Body): Select | undefined {
  if (body.kind === 'set') return firstSelect(body.left)
  if (body.kind === 'nested') return firstSelect(body.query.body)
  return body.kind === 'select' ? body : undefined
}

/**
 * Returns the nodes around a place. A node extends over the white space after it: one that ends with the last
 * token before the word may still be being written.
 */
function nodesAround(root: SqlNode, offset: number, before: number): readonly SqlNode[] {
  const nodes: SqlNode[] = []
  let node: SqlNode | undefined = root
  while (node !== undefined) {
    nodes.push(node)
    const inside: readonly SqlNode[] = childrenOf(node).filter(child => isAround(child, offset, before))
    // A query that is missing yet is placed after the CTE that is being written.
    node = inside.findLast(({ kind }) => kind !== 'no-body') ?? inside.at(-1)
  }
  return nodes
}

function isAround(node: SqlNode, offset: number, before: number): boolean {
  if (node.kind === 'query') return isWithin(node.reach, offset)
  if (node.kind === 'cte' && node.query !== undefined && offset > node.end)
    return isWithin(node.query.reach, offset)
  return node.start <= offset && node.end >= before
}

function namesAt(bound: BoundSql, around: readonly SqlNode[], before: number): Scope | undefined {
  for (let index = around.length - 1; index >= 0; index--) {
    const node = around[index] as ScopedNode
    // The source of a PIVOT or UNPIVOT does not see its columns.
    if ((node.kind === 'pivot' || node.kind === 'unpivot') && isBeside(node, before)) continue
    const scope = bound.scopes.get(node)
    if (scope !== undefined) return scope
  }
  return undefined
}

function isBeside(node: Extract<ScopedNode, { kind: 'pivot' | 'unpivot' }>, before: number): boolean {
  const alias = node.alias?.name
  return before <= node.source.end || (alias !== undefined && before >= alias.start)
}

function joinAround(around: readonly SqlNode[], offset: number): Join | undefined {
  return around.findLast(
    (node): node is Join =>
      node.kind === 'join' &&
      [node.onSpan, node.usingSpan].some(span => span !== undefined && isWithin(span, offset)),
  )
}

/** Returns the nearest queries inside a node, however deep in expressions. */
function queriesIn(node: SqlNode): readonly Query[] {
  const queries: Query[] = []
  const steps = [...childrenOf(node)].reverse()
  for (let next = steps.pop(); next !== undefined; next = steps.pop()) {
    if (next.kind === 'query') queries.push(next)
    else steps.push(...[...childrenOf(next)].reverse())
  }
  return queries
}
