/**
 * Finds the columns that decide which rows a query has, in what order, or how they are matched, without being a value
 * in its output: those of WHERE, JOIN, GROUP BY and so on. Whoever drops one of them breaks the query all the same. Pure.
 */
import type { ColumnOrigin, RowUse, UseClause } from '../../analysis.ts'
import { useClauses } from '../../analysis.ts'
import type { Expression, Query, Span } from '../tree.ts'
import { type SqlNode, walk } from '../walk.ts'
import type { BoundSql, BoundTable, Column, Mention } from './model.ts'
import { distinctOrigins } from './values.ts'

/** A part of the text whose names decide about rows. */
interface Region extends Span {
  readonly clause: UseClause
  /** Its names are values as well: only those that reach no column of the output are named by it. */
  readonly isSoft?: true
}

export function rowUses(bound: BoundSql): readonly RowUse[] {
  const { root } = bound
  if (root === undefined) return []
  const found = new Uses()
  /** What is selected and reaches no column of the output; where it decides elsewhere, that says why. */
  const loose = new Uses()
  const regions = regionsOf(root)
  const open: Region[] = []
  let next = 0
  const values = new Set(
    bound.output.columns.flatMap(({ value }) => [...value.origins, ...value.hints]).map(keyOf),
  )
  for (const mention of bound.mentions) {
    if (mention.role !== 'read') continue
    const { start } = mention.span
    for (let region = regions[next]; region !== undefined && region.start <= start; region = regions[++next])
      open.push(region)
    while (open.length > 0 && (open.at(-1)?.end ?? 0) <= start) open.pop()
    const region = open.at(-1)
    const hard = open.findLast(({ isSoft }) => isSoft !== true)
    for (const origin of originsOf(mention)) {
      if (hard !== undefined) found.add(origin, hard.clause)
      else if (!values.has(keyOf(origin))) loose.add(origin, region?.clause ?? 'SELECT')
    }
  }
  for (const origin of commonColumns(bound)) found.add(origin, 'JOIN')
  return [...found.all(), ...loose.all().filter(({ origin }) => !found.has(origin))]
}

class Uses {
  readonly #byKey = new Map<string, { readonly origin: ColumnOrigin; readonly clauses: Set<UseClause> }>()

  add(origin: ColumnOrigin, clause: UseClause): void {
    const key = keyOf(origin)
    const known = this.#byKey.get(key) ?? { origin, clauses: new Set() }
    known.clauses.add(clause)
    this.#byKey.set(key, known)
  }

  has(origin: ColumnOrigin): boolean {
    return this.#byKey.has(keyOf(origin))
  }

  all(): readonly RowUse[] {
    return [...this.#byKey.values()].map(({ origin, clauses }) => ({
      origin,
      clauses: useClauses.filter(clause => clauses.has(clause)),
    }))
  }
}

/** Returns the columns whose values a mentioned one has, or is decided by; of one that a join has merged those of both sides. */
function originsOf({ target }: Mention): readonly ColumnOrigin[] {
  if (target.kind === 'column') return originsOfColumn(target.column)
  if (target.kind === 'field' || target.kind === 'parameter')
    return [...target.value.origins, ...target.value.hints]
  return []
}

const origins = new WeakMap<Column, readonly ColumnOrigin[]>()

function originsOfColumn(column: Column): readonly ColumnOrigin[] {
  const known = origins.get(column)
  if (known !== undefined) return known
  const { maker, value } = column
  const members = maker.kind === 'merged' ? maker.members : []
  const found = distinctOrigins([
    ...value.origins,
    ...value.hints,
    ...members.flatMap(member => [...member.value.origins, ...member.value.hints]),
  ])
  origins.set(column, found)
  return found
}

/** Returns the regions by their places, outer ones before those inside of them. */
function regionsOf(root: Query | Expression): readonly Region[] {
  const regions: Region[] = []
  const add = (clause: UseClause, spans: readonly (Span | undefined)[], isSoft?: true) => {
    for (const span of spans)
      if (span !== undefined)
        regions.push({ start: span.start, end: span.end, clause, ...(isSoft && { isSoft }) })
  }
  walk(root, {
    enter(node) {
      addRegions(node, add)
      return undefined
    },
  })
  return regions.sort((a, b) => a.start - b.start || b.end - a.end)
}

type Add = (clause: UseClause, spans: readonly (Span | undefined)[], isSoft?: true) => void

function addRegions(node: SqlNode, add: Add): void {
  if (node.kind === 'query') {
    add('ORDER BY', node.orderBy)
    add('LIMIT', [node.limit, node.offset])
  } else if (node.kind === 'select') {
    if (node.distinct) add('DISTINCT', node.items, true)
    add('DISTINCT', node.distinctOn)
    add('WHERE', [node.where])
    add('GROUP BY', node.groupBy)
    add('HAVING', [node.having])
    add('QUALIFY', [node.qualify])
  } else if (node.kind === 'set') {
    if (!node.all || node.operator !== 'union') add(setWords[node.operator], [node.left, node.right], true)
  } else if (node.kind === 'join') add('JOIN', [node.on, node.usingSpan])
  else if (node.kind === 'window') add('WINDOW', [...node.partitionBy, ...node.orderBy, ...node.frame])
  else if (node.kind === 'pivot') add('PIVOT', [...node.columns, ...node.groupBy])
  else if (node.kind === 'star') add('EXCLUDE', node.exclude)
}

const setWords = { union: 'UNION', except: 'EXCEPT', intersect: 'INTERSECT' } as const

/** A NATURAL JOIN names none of its columns. */
function commonColumns({ root, tables }: BoundSql): readonly ColumnOrigin[] {
  const found: ColumnOrigin[] = []
  if (root === undefined) return found
  walk(root, {
    enter(node) {
      if (node.kind !== 'join' || !node.natural) return undefined
      const [left, right] = [columnsWithin(tables, node.left), columnsWithin(tables, node.right)]
      const names = new Set(left.map(({ name }) => name.toLowerCase()))
      const common = new Set(right.map(({ name }) => name.toLowerCase()).filter(name => names.has(name)))
      for (const column of [...left, ...right])
        if (common.has(column.name.toLowerCase())) found.push(...originsOfColumn(column))
      return undefined
    },
  })
  return found
}

function columnsWithin(tables: readonly BoundTable[], { start, end }: Span): readonly Column[] {
  return tables.filter(({ node }) => node.start >= start && node.end <= end).flatMap(({ columns }) => columns)
}

function keyOf({ asset, column, source }: ColumnOrigin): string {
  return `${asset}\n${column}\n${source ?? '-'}`
}
