/** Columns, their lineage and the mentions of columns in one statement, from its tree alone. */
import type { ColumnLineage, ColumnOrigin } from '../analysis.ts'
import { resolveQuery } from './queries.ts'
import type { QueryNode } from './sql-tree.ts'
import { constantValue, derivedFrom, type OutputColumn, type Value } from './values.ts'
import { type LookUp, type Mended, type NameUse, newWalk, type Trace } from './walk.ts'

export interface Resolution {
  readonly columns: readonly OutputColumn[]
  /** False: the statement passes on a relation whose columns are not all known. */
  readonly complete: boolean
  /** Names that its readers may use although no column has them: what a mended column was meant to be called. */
  readonly also: readonly OutputColumn[]
  readonly uses: readonly NameUse[]
  readonly volatile: boolean
  readonly trace: Trace | undefined
}

export function resolve(
  query: QueryNode,
  lookUp: LookUp,
  options?: { readonly trace?: boolean; readonly mended?: Mended },
): Resolution {
  const walk = newWalk(lookUp, options)
  const output = resolveQuery(walk, query, undefined, undefined)
  const { uses, volatile, trace } = walk
  const { columns, also = [] } = output
  return { columns, complete: output.ask === undefined, also, uses, volatile, trace }
}

/** The value of each of the binder's columns: by place where the counts agree, else by name. */
export function matchColumns(names: readonly string[], found: readonly OutputColumn[]): readonly Value[] {
  const spread = spreadOut(found, names.length)
  if (spread.length === names.length) return spread
  const all = derivedFrom(found)
  return names.map(
    name =>
      found.find(column => column.name?.toLowerCase() === name.toLowerCase()) ?? { ...all, direct: false },
  )
}

/** One column that may stand for several takes the places that are left over. */
function spreadOut(found: readonly OutputColumn[], count: number): readonly OutputColumn[] {
  const places = found.flatMap((column, index) => (column.spread ? [index] : []))
  const [place] = places
  if (found.length === count || place === undefined || places.length > 1 || found.length > count + 1)
    return found
  const copies = Array.from(
    { length: count - found.length + 1 },
    () => found[place] ?? { ...constantValue, name: '' },
  )
  return [...found.slice(0, place), ...copies, ...found.slice(place + 1)]
}

export function lineageOf(column: string, value: Value): ColumnLineage {
  const from = value.origins.length > 1 ? [...value.origins].sort(byAssetThenColumn) : value.origins
  const kind = value.direct && from.length > 0 ? 'direct' : 'derived'
  return value.hidden === undefined ? { column, from, kind } : { column, from, kind, hidden: value.hidden }
}

function byAssetThenColumn(a: ColumnOrigin, b: ColumnOrigin): number {
  return compare(a.asset, b.asset) || compare(a.column, b.column) || compare(a.source ?? '', b.source ?? '')
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
