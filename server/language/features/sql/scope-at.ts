/**
 * Answers what an SQL text has in sight at an offset: tables with their columns, CTEs, aliases, and in which clause it
 * stands. Works on text that is broken at the offset or anywhere else. Completion, hover, definition and the rest of
 * the features that look into SQL ask here.
 */
import type { Range } from '../../text/range.ts'
import { ctesInSight } from './ctes-in-sight.ts'
import {
  type Columns,
  mergedNames,
  namedOnly,
  type OutputReader,
  outputReader,
  renamedBy,
  type SqlRelation,
  type SqlWorld,
} from './output-columns.ts'
import type { Clause, ClauseKind, Core, Cte, Query } from './query-tree.ts'
import { readStatements } from './read-query.ts'

export interface SqlReading {
  readonly text: string
  readonly statements: readonly Query[]
  readonly outputs: OutputReader
}

export interface CteInSight extends Columns {
  readonly cte: Cte
}

export interface AliasInSight {
  readonly name: string
  readonly range: Range
  readonly type: string | undefined
}

export interface SqlScope {
  readonly query: Query
  /** Undefined: in the tail of a set operation, or there is no SELECT yet. */
  readonly core: Core | undefined
  readonly clause: Clause | undefined
  readonly clauseKind: ClauseKind | undefined
  /** Own tables first, then those around. In a FROM clause only tables that stand before the offset. */
  readonly relations: readonly SqlRelation[]
  /** All tables of the SELECT, also those behind the offset. */
  readonly ownRelations: readonly SqlRelation[]
  /** Lower-case names that USING or NATURAL made one. */
  readonly merged: ReadonlySet<string>
  /** Nearest first. */
  readonly ctes: readonly CteInSight[]
  /** Aliases of the select list that may be named here. */
  readonly aliases: readonly AliasInSight[]
}

const readings = new WeakMap<SqlWorld, Map<string, SqlReading>>()

/** Remembers what it read for a world: several questions are asked of the same text. */
export function readSql(text: string, world: SqlWorld): SqlReading {
  const known = readings.get(world) ?? new Map<string, SqlReading>()
  readings.set(world, known)
  const reading = known.get(text) ?? {
    text,
    statements: readStatements(text),
    outputs: outputReader(text, world),
  }
  known.set(text, reading)
  return reading
}

export function scopeAt(reading: SqlReading, offset: number): SqlScope {
  const statement =
    reading.statements.find(each => offset <= each.range.end) ?? reading.statements.at(-1) ?? emptyQuery
  const query = innermost(statement, offset)
  const core = coreAt(query, offset)
  const clause = (core?.clauses ?? query.tail).findLast(each => each.range.start <= offset)
  const isHead = clause !== undefined && offset < clause.bodyStart && offset <= clause.range.start
  const ownRelations = core === undefined ? [] : ownTables(reading, query, core)
  return {
    query,
    core,
    clause: isHead ? undefined : clause,
    clauseKind: isHead ? undefined : clause?.kind,
    relations: [
      ...(clause?.kind === 'from' ? ownRelations.filter(each => isBefore(each, offset)) : ownRelations),
      ...relationsAround(reading, query, offset, 1),
    ],
    ownRelations,
    merged: core === undefined ? new Set() : mergedNames(core, ownRelations),
    ctes: ctesIn(reading, query, offset),
    aliases: aliasesAt(reading, query, core, clause, offset),
  }
}

const emptyQuery: Query = {
  range: { start: 0, end: 0 },
  ctes: [],
  recursive: false,
  cores: [],
  tail: [],
  parent: undefined,
}

/** The query around the offset that has no other query of it inside. */
function innermost(query: Query, offset: number): Query {
  for (const inner of queriesIn(query)) {
    if (inner.range.start <= offset && offset <= inner.range.end) return innermost(inner, offset)
  }
  return query
}

/** The queries that stand right inside one. */
export function queriesIn(query: Query): readonly Query[] {
  return [
    ...query.ctes.flatMap(cte => cte.query ?? []),
    ...[...query.cores.flatMap(core => core.clauses), ...query.tail].flatMap(clause => clause.queries),
  ]
}

function coreAt(query: Query, offset: number): Core | undefined {
  const [tail] = query.tail
  if (tail !== undefined && tail.range.start <= offset) return undefined
  return query.cores.findLast(core => core.range.start <= offset)
}

function isBefore(relation: SqlRelation, offset: number): boolean {
  return relation.table.range.end <= offset
}

/**
 * `SELECT x, ( FROM t`: a bracket that is still being written has swallowed the FROM; its tables are the ones that are
 * meant.
 */
function ownTables(reading: SqlReading, query: Query, core: Core): readonly SqlRelation[] {
  if (core.clauses.some(clause => clause.kind === 'from')) return relationsOf(reading, query, core, 0)
  const inner = core.clauses.flatMap(clause => clause.queries)
  return inner.flatMap(each => {
    const [first] = each.cores
    const isBare = first?.clauses[0]?.kind === 'from' && !first.clauses.some(({ kind }) => kind === 'select')
    return isBare ? relationsOf(reading, each, first, 0) : []
  })
}

function relationsOf(reading: SqlReading, query: Query, core: Core, depth: number): readonly SqlRelation[] {
  return core.tables.map(table => reading.outputs.relation(query, core, table, depth))
}

/** A query in FROM sees the tables before it, any other all tables of the queries around it. */
function relationsAround(
  reading: SqlReading,
  query: Query,
  offset: number,
  depth: number,
): readonly SqlRelation[] {
  const { parent } = query
  if (parent === undefined) return []
  if (parent.kind === 'cte') return relationsAround(reading, parent.query, offset, depth)
  const { core } = parent
  const found = core === undefined ? [] : relationsOf(reading, parent.query, core, depth)
  const isInFrom = core?.clauses.some(clause => clause.kind === 'from' && clause.queries.includes(query))
  const seen = isInFrom === true ? found.filter(each => isBefore(each, query.range.start)) : found
  return [...seen, ...relationsAround(reading, parent.query, offset, depth + 1)]
}

function ctesIn(reading: SqlReading, query: Query, offset: number): readonly CteInSight[] {
  const found = new Map<string, CteInSight>()
  // Behind a CTE that is still being written the others are in sight already.
  const own = query.ctes.filter(cte => cte.range.end <= offset).length
  for (const { cte } of ctesInSight(query, own)) {
    if (found.has(cte.name)) continue
    const columns = cte.query === undefined ? noneYet : reading.outputs.output(cte.query)
    found.set(cte.name, { cte, ...namedOnly(renamedBy(columns, cte.columnNames)) })
  }
  return [...found.values()]
}

const noneYet: Columns = { columns: [], complete: false }

/** A select item may name the aliases before it; clauses behind the list all of them. */
function aliasesAt(
  reading: SqlReading,
  query: Query,
  core: Core | undefined,
  clause: Clause | undefined,
  offset: number,
): readonly AliasInSight[] {
  if (clause?.kind === 'from' || clause?.kind === 'limit') return []
  const [first] = query.cores
  const from = core ?? first
  if (from === undefined) return []
  if (core === undefined) {
    return reading.outputs
      .output(query)
      .columns.flatMap(({ name, type, definedAt }) => (definedAt ? [{ name, type, range: definedAt }] : []))
  }
  const before = clause?.kind === 'select' ? offset : Number.POSITIVE_INFINITY
  const types = new Map(reading.outputs.coreOutput(query, from).columns.map(each => [each.name, each.type]))
  return from.items.flatMap(item => {
    if (item.kind !== 'value' || item.alias === undefined || item.range.end >= before) return []
    return [{ name: item.alias.name, range: item.alias.range, type: types.get(item.alias.name) }]
  })
}
