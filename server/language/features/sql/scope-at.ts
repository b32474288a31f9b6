/**
 * Answers where in the tree a place of SQL is, and which of the binder's scopes holds there. Works on text that is
 * broken at the place or anywhere else, for the reader and the binder do.
 */
import type { Engine } from '../../engines/engine.ts'
import type { BoundSql, Scope, ScopedNode } from '../../sql/binder/model.ts'
import type { Body, Clause, ClauseKind, Join, Query, Select, Span } from '../../sql/tree.ts'
import { childrenOf, type SqlNode } from '../../sql/walk.ts'
import type { SqlCursor } from './sql-cursor.ts'

export interface SqlScope {
  /** Of the project. */
  readonly engine: Engine
  readonly bound: BoundSql
  readonly offset: number
  /** Where the last token before the word at the place ends. */
  readonly before: number
  /** From the statement, or the condition, to the innermost node around the place. */
  readonly around: readonly SqlNode[]
  /** The innermost one; undefined: in a condition. */
  readonly query: Query | undefined
  /** Of the query. Undefined: behind a set operation, or there is no SELECT yet. */
  readonly select: Select | undefined
  readonly clause: Clause | undefined
  readonly clauseKind: ClauseKind | undefined
  /** The join whose condition or USING the place is in. */
  readonly join: Join | undefined
  /** What names mean at the place. */
  readonly names: Scope | undefined
  /** What names mean in the SELECT around it. */
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
 * `SELECT x, ( FROM t`: a bracket that is still being written has swallowed the FROM; its tables are the ones that are
 * meant.
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

/** The SELECT that gives a query its names. */
export function firstSelect(body: Body): Select | undefined {
  if (body.kind === 'set') return firstSelect(body.left)
  if (body.kind === 'nested') return firstSelect(body.query.body)
  return body.kind === 'select' ? body : undefined
}

/**
 * The nodes that a place is in. A node reaches over the white space behind it: what ends with the last token before
 * the word at the place is still being written.
 */
function nodesAround(root: SqlNode, offset: number, before: number): readonly SqlNode[] {
  const found: SqlNode[] = []
  let node: SqlNode | undefined = root
  while (node !== undefined) {
    found.push(node)
    const inside: readonly SqlNode[] = childrenOf(node).filter(child => isAround(child, offset, before))
    // A query that is not there yet stands behind the CTE that is being written.
    node = inside.findLast(({ kind }) => kind !== 'no-body') ?? inside.at(-1)
  }
  return found
}

function isAround(node: SqlNode, offset: number, before: number): boolean {
  if (node.kind === 'query') return isWithin(node.reach, offset)
  if (node.kind === 'cte' && node.query !== undefined && offset > node.end)
    return isWithin(node.query.reach, offset)
  return node.start <= offset && node.end >= before
}

export function isWithin({ start, end }: Span, offset: number): boolean {
  return start <= offset && offset <= end
}

function namesAt(bound: BoundSql, around: readonly SqlNode[], before: number): Scope | undefined {
  for (let index = around.length - 1; index >= 0; index--) {
    const node = around[index] as ScopedNode
    // What is pivoted does not see itself.
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

/** The queries that stand right inside of a node, however deep in expressions. */
function queriesIn(node: SqlNode): readonly Query[] {
  const found: Query[] = []
  const steps = [...childrenOf(node)].reverse()
  for (let next = steps.pop(); next !== undefined; next = steps.pop()) {
    if (next.kind === 'query') found.push(next)
    else steps.push(...[...childrenOf(next)].reverse())
  }
  return found
}
