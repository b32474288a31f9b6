/** Binds the names of an SQL text: which column, table, CTE or window each of them means. Never judges. */
import type { Range } from '../../text/range.ts'
import { tableCalled } from '../sql/output-columns.ts'
import type { Clause, Core, FromTable, Query } from '../sql/query-tree.ts'
import { readStatements } from '../sql/read-query.ts'
import { tokenTree } from '../sql/token-tree.ts'
import { tolerantTokens } from '../sql/tolerant-tokens.ts'
import { bindExpression, bindWindow, newScope, type Scope } from './bind-expression.ts'
import { bindItems } from './bind-items.ts'
import { bindTable } from './bind-tables.ts'
import { piecesIn } from './pieces-in.ts'
import type { BoundCte, BoundSql, Mention, Slot } from './slots.ts'
import {
  byName,
  inputsOf,
  type NamesWorld,
  named,
  opaque,
  type Relation,
  type TaggedColumns,
  textAt,
  type Work,
} from './work.ts'

/** A whole query. */
export function bindQueryText(text: string, world: NamesWorld): BoundSql {
  const work = begin(text, world)
  const [query] = readStatements(text)
  const output = query === undefined ? [] : bindQuery(work, 'q', query, undefined, [], undefined).slots
  return finish(work, output, query)
}

/** A condition on the rows of one table. */
export function bindConditionText(text: string, table: TaggedColumns, world: NamesWorld): BoundSql {
  const work = begin(text, world)
  const scope = newScope(undefined)
  const inputs = inputsOf(work, table)
  const range = { start: 0, end: 0 }
  scope.tables.push({
    kind: 'table',
    id: 'row',
    name: table.name,
    alias: undefined,
    table: { ...emptyTable, range, nameRange: range },
    cte: undefined,
    asset: table.asset,
    slots: inputs.slots,
    open: inputs.open,
    hidden: false,
  })
  // Queries in brackets are found by reading the text as the condition of a SELECT.
  for (const query of readStatements(`${conditionHead}${text}`))
    collectNested(work, query, -conditionHead.length)
  bindExpression(work.binder, work.pieces, scope)
  return finish(work, [], undefined)
}

/** Behind it a text reads as a condition; the places of queries in it are shifted back by its length. */
const conditionHead = 'SELECT 1 WHERE '

const emptyTable: FromTable = { ...tableCalled(''), kind: 'tag' }

// ---------------------------------------------------------------- the work on one text
function begin(text: string, world: NamesWorld): Work {
  const mentions: Mention[] = []
  const work: Work = {
    text,
    pieces: tokenTree(text, tolerantTokens(text)),
    world,
    mentions,
    ctes: [],
    selects: [],
    inputs: new Map(),
    environments: new Map(),
    bindQuery: (id, query, outer, ctes) => bindQuery(work, id, query, outer, ctes, undefined),
    count: 0,
    binder: {
      text,
      mentions,
      nested: new Map(),
      bindNested: (query, scope) => {
        bindQuery(work, `n${work.count++}`, query, scope, work.environments.get(query) ?? [], undefined)
      },
    },
  }
  return work
}

function finish(work: Work, output: readonly Slot[], query: Query | undefined): BoundSql {
  const rank = { definition: 0, read: 1 }
  const mentions = [...work.mentions].sort(
    (a, b) => a.range.start - b.range.start || rank[a.role] - rank[b.role],
  )
  return { text: work.text, mentions, output, ctes: work.ctes, selects: work.selects, query }
}
// ---------------------------------------------------------------- queries

/** `recursive`: the CTE whose query this is, where it may name itself. */
function bindQuery(
  work: Work,
  id: string,
  query: Query,
  outer: Scope | undefined,
  around: readonly BoundCte[],
  recursive: ((first: Relation) => BoundCte) | undefined,
): Relation {
  let ctes = around
  for (const [index, cte] of query.ctes.entries())
    ctes = [bindCte(work, query, index, outer, ctes, `${id}.w${cte.name === '' ? '' : index}`), ...ctes]
  const sides: Relation[] = []
  for (const [index, core] of query.cores.entries()) {
    sides.push(bindCore(work, query, core, outer, ctes, `${id}.c${index}`))
    if (index === 0 && recursive !== undefined && sides[0] !== undefined)
      ctes = [recursive(sides[0]), ...ctes]
  }
  const output = unionOf(query, sides, id)
  if (query.tail.length > 0) {
    const scope = { ...newScope(outer), first: byName(output.slots) }
    for (const clause of query.tail) bindClause(work, clause, scope, ctes)
  }
  return output
}

function bindCte(
  work: Work,
  query: Query,
  index: number,
  outer: Scope | undefined,
  ctes: readonly BoundCte[],
  id: string,
): BoundCte {
  const cte = query.ctes[index] as Query['ctes'][number]
  const made = (relation: Relation): BoundCte => ({
    kind: 'cte',
    id,
    cte,
    ...named(relation, cte.columnNames, work, id),
  })
  let self: BoundCte | undefined
  const selfOf = (first: Relation): BoundCte => {
    self = made(first)
    return self
  }
  const relation =
    cte.query === undefined
      ? { slots: [], open: undefined }
      : bindQuery(work, `${id}.q`, cte.query, outer, ctes, query.recursive ? selfOf : undefined)
  // The name that a recursive part reads and the one that the query around reads are the same.
  const bound = self ?? made(relation)
  work.mentions.push({ range: cte.nameRange, target: bound, role: 'definition', qualified: false })
  work.ctes.push(bound)
  return bound
}
function unionOf(query: Query, sides: readonly Relation[], id: string): Relation {
  const [first, ...rest] = sides
  if (first === undefined) return { slots: [], open: undefined }
  if (rest.length === 0) return first
  const open = sides.find(side => side.open !== undefined)?.open
  const byNameCores = query.cores.some(core => core.byName)
  const union = (index: number, members: readonly Slot[]): Slot => ({
    id: `${id}.u${index}`,
    name: members[0]?.name ?? '',
    maker: { kind: 'union', sides: members, byName: byNameCores },
  })
  if (!byNameCores)
    return {
      slots: first.slots.map((slot, index) =>
        union(index, [slot, ...rest.flatMap(side => side.slots[index] ?? [])]),
      ),
      open,
    }
  const groups = new Map<string, Slot[]>()
  for (const slot of sides.flatMap(side => side.slots)) {
    const key = slot.name.toLowerCase()
    groups.set(key, [...(groups.get(key) ?? []), slot])
  }
  return { slots: [...groups.values()].map((members, index) => union(index, members)), open }
}

// ---------------------------------------------------------------- one SELECT

function bindCore(
  work: Work,
  query: Query,
  core: Core,
  outer: Scope | undefined,
  ctes: readonly BoundCte[],
  id: string,
): Relation {
  for (const clause of core.clauses) noteNested(work, clause, ctes)
  const scope = newScope(outer)
  for (const [index, table] of core.tables.entries()) bindTable(work, table, scope, ctes, `${id}.t${index}`)
  for (const name of core.windows) {
    const window = { kind: 'window', id: `${id}.x${scope.windows.size}`, name } as const
    scope.windows.set(name.name.toLowerCase(), window)
    work.mentions.push({ range: name.range, target: window, role: 'definition', qualified: false })
  }
  if (core.valuesWidth !== undefined) return bindValues(work, core, scope, id)
  if (makesItsOwnColumns(work, core)) {
    bindExpression(work.binder, piecesIn(work.pieces, core.range), scope)
    work.selects.push({ query, core, tables: scope.tables, items: [], output: [] })
    return { slots: [], open: opaque(id) }
  }
  const hasSelect = core.clauses.some(clause => clause.kind === 'select')
  const { items, slots, open } = bindItems(work, core, scope, id, hasSelect)
  const bracket = core.tables.length === 1 && !hasSelect ? bracketOf(core, scope) : undefined
  const output = bracket?.slots ?? slots
  work.selects.push({ query, core, tables: scope.tables, items, output })
  for (const clause of core.clauses) {
    if (clause.kind === 'from' || clause.kind === 'values') continue
    const inner = clause.kind === 'order' ? { ...newScope(scope), first: byName(output) } : scope
    if (clause.kind === 'select') bindDistinct(work, clause, core, scope)
    else bindClause(work, clause, inner, ctes)
  }
  return { slots: output, open: bracket?.open ?? open }
}

/** `(SELECT …)` as one side of a set operation is that query itself. */
function bracketOf(core: Core, scope: Scope): Relation | undefined {
  const from = core.clauses.find(clause => clause.kind === 'from')
  const isBracket = from !== undefined && from.bodyStart === from.range.start
  return isBracket ? scope.tables[0] : undefined
}

const ownColumns = /^\s*(pivot|unpivot|describe|summarize|show)\b/i

/** PIVOT and its like as a statement. */
function makesItsOwnColumns(work: Work, core: Core): boolean {
  const [first] = core.clauses
  return first !== undefined && ownColumns.test(textAt(work, first.range))
}

function bindValues(work: Work, core: Core, scope: Scope, id: string): Relation {
  for (const clause of core.clauses) bindExpression(work.binder, piecesIn(work.pieces, bodyOf(clause)), scope)
  const slots = Array.from(
    { length: core.valuesWidth ?? 0 },
    (_, index): Slot => ({
      id: `${id}.v${index}`,
      name: `col${index}`,
      maker: { kind: 'opaque' },
    }),
  )
  return { slots, open: undefined }
}

/** DISTINCT ON (…). */
function bindDistinct(work: Work, clause: Clause, core: Core, scope: Scope): void {
  const end = core.items[0]?.range.start ?? clause.bodyStart
  const head = { start: clause.range.start, end: Math.min(end, clause.bodyStart) }
  bindExpression(work.binder, piecesIn(work.pieces, head), scope)
}

function bindClause(work: Work, clause: Clause, scope: Scope, ctes: readonly BoundCte[]): void {
  noteNested(work, clause, ctes)
  const pieces = piecesIn(work.pieces, bodyOf(clause))
  if (clause.kind !== 'window') {
    bindExpression(work.binder, pieces, scope)
    return
  }
  for (const piece of pieces) if (piece.kind === 'group') bindWindow(work.binder, piece.pieces, scope)
}

function bodyOf(clause: Clause): Range {
  return { start: clause.bodyStart, end: clause.range.end }
}

function noteNested(work: Work, clause: Clause, ctes: readonly BoundCte[]): void {
  for (const query of clause.queries) {
    work.binder.nested.set(query.range.start, query)
    work.environments.set(query, ctes)
  }
}

function collectNested(work: Work, query: Query, shift: number): void {
  for (const core of query.cores)
    for (const clause of core.clauses)
      for (const inner of clause.queries) work.binder.nested.set(inner.range.start + shift, inner)
}
