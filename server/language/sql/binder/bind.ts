/**
 * Binds the names of an SQL text: which column, table, CTE, window or parameter each of them means, where the
 * values of its columns come from, and which names are unknown. Whether a statement is valid is for the
 * engine to decide: a problem counts only if the engine rejects the statement.
 */
import type { Expression, Query, SqlReading } from '../tree.ts'
import type { BinderDialect } from './dialect.ts'
import { bindExpression } from './expressions.ts'
import type { BoundSql, BoundTable, Relation, TaggedRelation } from './model.ts'
import { bindQuery } from './queries.ts'
import { newScope } from './scope.ts'
import { type BindOptions, newWork, type Work } from './work.ts'
import type { SqlWorld } from './world.ts'

export type { BindOptions } from './work.ts'

/** Binds a whole query; of several statements the first. */
export function bindQueryText(
  reading: SqlReading,
  world: SqlWorld,
  dialect: BinderDialect,
  options: BindOptions = {},
): BoundSql {
  const work = newWork(reading.text, world, dialect, options)
  work.volatile = reading.hasChance
  const [query] = reading.statements
  const output =
    query === undefined ? nothing : bindQuery(work, query, { id: 'q', outer: undefined, ctes: undefined })
  return finish(work, output, query)
}

const nothing: Relation = { columns: [], open: undefined }

/** Binds a condition on the rows of one table. */
export function bindConditionText(
  reading: { readonly text: string; readonly expression: Expression },
  table: TaggedRelation,
  world: SqlWorld,
  dialect: BinderDialect,
  options: BindOptions = {},
): BoundSql {
  const work = newWork(reading.text, world, dialect, options)
  const scope = newScope(undefined, undefined)
  const span = { start: 0, end: 0 }
  const row: BoundTable = {
    ...table,
    kind: 'table',
    id: 'row',
    schema: '',
    alias: undefined,
    node: { kind: 'tag-table', ...span, tag: span, alias: undefined },
    cte: undefined,
    tag: table,
    hidden: false,
  }
  scope.tables.push(row)
  work.tables.push(row)
  bindExpression(work, reading.expression, scope)
  return finish(work, nothing, reading.expression)
}

const rank = { definition: 0, read: 1 }

function finish(work: Work, output: Relation, root: Query | Expression | undefined): BoundSql {
  for (const step of work.atEnd) step()
  const mentions = [...work.mentions].sort(
    (a, b) => a.span.start - b.span.start || rank[a.role] - rank[b.role],
  )
  return {
    text: work.text,
    mentions,
    problems: work.problems,
    repairs: work.repairs,
    output,
    reads: [...new Set(work.reads)],
    names: [...new Set(work.names)],
    ctes: work.ctes,
    selects: work.selects,
    tables: work.tables,
    volatile: work.volatile,
    outside: [...work.outside.values()],
    root,
    query: root?.kind === 'query' ? root : undefined,
    scopes: work.scopes ?? new Map(),
    values: work.values ?? new Map(),
  }
}
