/**
 * Follows a column through a project: the columns that its values come from and go to, the assets whose rows it
 * decides (WHERE, JOIN and so on), the targets that it is sent to, the exposures that show it. The page, the plan, the
 * editor and the terminal all ask here, so that what one draws is what another says will break. Pure.
 */
import type {
  CatalogExposure,
  CatalogPublish,
  ColumnName,
  ColumnPath,
  LineageEdge,
} from '../../contract/index.ts'

/** What is known of a project's columns. A catalogue is one. */
export interface LineageBook {
  readonly assets: readonly {
    readonly name: string
    readonly columns: readonly { readonly name: string; readonly pii: boolean }[]
  }[]
  readonly lineage: readonly LineageEdge[]
  readonly publishes?: readonly Target[] | undefined
  readonly exposures?: readonly Exposure[] | undefined
}

type Target = Pick<CatalogPublish, 'name' | 'asset' | 'fields' | 'key'>
type Exposure = Pick<CatalogExposure, 'name' | 'asset'>

/** All that has something of a column: what breaks, or is another one, when it goes. */
export interface ColumnReach extends Pick<ColumnPath, 'uses' | 'targets' | 'exposures'> {
  /** Nearest first, without the column itself. */
  readonly columns: readonly ColumnName[]
}

/** Names are matched ignoring case, as in SQL. Returns undefined if there is no such column. */
export function columnReach(book: LineageBook, asset: string, column: string): ColumnReach | undefined {
  const index = indexOf(book)
  const start = keyOf({ asset, column })
  if (!index.places.has(start)) return undefined
  const after = walk([start], index.readers, ({ to }) => to)
  return {
    columns: after.map(key => placeOf(index, key)),
    ...endsOf(index, [start, ...after]),
  }
}

/**
 * Returns the column with all that it comes from and goes to. Values are followed to their ends. A use that only decides
 * rows is one end downstream; upstream the values of the column that is used are followed, and are beside the path.
 */
export function columnPath(book: LineageBook, asset: string, column: string): ColumnPath | undefined {
  const index = indexOf(book)
  const start = keyOf({ asset, column })
  if (!index.places.has(start)) return undefined
  const before = walk([start], index.sources, ({ from }) => from)
  const after = walk([start], index.readers, ({ to }) => to)
  const flow = new Set([start, ...before, ...after])
  const deciding = usesAt(index, [start, ...before])
  const used = deciding.map(({ from }) => from)
  const beside = [...new Set([...used, ...walk(used, index.sources, ({ from }) => from)])].filter(
    key => !flow.has(key),
  )
  const { uses, targets, exposures } = endsOf(index, [start, ...after])
  const flows = new Set([
    ...[start, ...before].flatMap(key => index.sources.get(key) ?? []),
    ...[start, ...after].flatMap(key => index.readers.get(key) ?? []),
    ...beside.flatMap(key => index.sources.get(key) ?? []),
  ])
  const known = new Set(uses.map(useKey))
  return {
    columns: [...flow, ...beside].map(key => ({
      ...placeOf(index, key),
      pii: index.pii.has(key),
      ...(!flow.has(key) && { beside: true as const }),
    })),
    edges: [...flows].map(({ from, to, transform, isHidden }) => ({
      from: placeOf(index, from),
      to: placeOf(index, to),
      ...(transform !== undefined && { transform }),
      ...((isHidden || !flow.has(to)) && { hidden: true as const }),
    })),
    uses: [...deciding.map(use => told(index, use)).filter(use => !known.has(useKey(use))), ...uses],
    targets,
    exposures,
  }
}

// ---------------------------------------------------------------- ends

/** Returns where columns end beside other columns: assets whose rows they decide, targets, exposures. */
function endsOf(index: Index, keys: readonly string[]): Pick<ColumnPath, 'uses' | 'targets' | 'exposures'> {
  const uses = keys.flatMap(key => index.uses.get(key) ?? [])
  const columns = new Map<string, string[]>()
  for (const key of keys) {
    const { asset, column } = placeOf(index, key)
    push(columns, asset, column)
  }
  const assets = new Set([...columns.keys(), ...uses.map(use => use.asset)])
  return {
    uses: uses.map(use => told(index, use)),
    targets: [...columns].flatMap(([asset, names]) =>
      (index.targets.get(asset) ?? []).flatMap(target => {
        const sends = names.flatMap(column => fieldsOf(target, column))
        return sends.length === 0 ? [] : [{ target: target.name, asset, sends }]
      }),
    ),
    exposures: [...assets].flatMap(asset =>
      (index.exposures.get(asset) ?? []).map(({ name }) => ({ exposure: name, asset })),
    ),
  }
}

/** Returns the names under which a target gets the column: those of its fields, or its own. */
function fieldsOf({ fields, key = [] }: Target, column: string) {
  if (fields === null) return [{ column, field: column }]
  const isColumn = (name: string) => name.toLowerCase() === column.toLowerCase()
  const named = Object.entries(fields).flatMap(([field, from]) => (isColumn(from) ? [{ column, field }] : []))
  return named.length === 0 && key.some(isColumn) ? [{ column, field: column }] : named
}

/** Returns what decides the rows of the assets that have these columns. */
function usesAt(index: Index, keys: readonly string[]): readonly Use[] {
  const assets = new Set(keys.map(key => placeOf(index, key).asset))
  return [...assets].flatMap(asset => index.usedBy.get(asset) ?? [])
}

function told(index: Index, { from, asset, clauses }: Use): ColumnPath['uses'][number] {
  return { from: placeOf(index, from), asset, clauses }
}

function useKey({ from, asset }: ColumnPath['uses'][number]): string {
  return `${keyOf(from)}\n${asset}`
}

// ---------------------------------------------------------------- index

interface Flow {
  readonly from: string
  readonly to: string
  readonly transform: string | undefined
  /** No value can be read in `to`. */
  readonly isHidden: boolean
}

interface Use {
  readonly from: string
  readonly asset: string
  readonly clauses: readonly string[]
}

interface Index {
  readonly places: ReadonlyMap<string, ColumnName>
  readonly pii: ReadonlySet<string>
  /** The flows into a column, and out of it. */
  readonly sources: ReadonlyMap<string, readonly Flow[]>
  readonly readers: ReadonlyMap<string, readonly Flow[]>
  /** The uses of a column, and those by an asset. */
  readonly uses: ReadonlyMap<string, readonly Use[]>
  readonly usedBy: ReadonlyMap<string, readonly Use[]>
  readonly targets: ReadonlyMap<string, readonly Target[]>
  readonly exposures: ReadonlyMap<string, readonly Exposure[]>
}

/** Books are never changed, so the index is kept for the next column. */
const indexes = new WeakMap<LineageBook, Index>()

function indexOf(book: LineageBook): Index {
  const known = indexes.get(book)
  if (known !== undefined) return known
  const places = new Map<string, ColumnName>()
  const pii = new Set<string>()
  for (const asset of book.assets) {
    for (const { name, pii: isPersonal } of asset.columns) {
      const place = { asset: asset.name, column: name }
      places.set(keyOf(place), place)
      if (isPersonal) pii.add(keyOf(place))
    }
  }
  const index = { places, pii, ...flowsOf(book, places), ...endsByAsset(book) }
  indexes.set(book, index)
  return index
}

/** A column that occurs only in an edge is added: the columns of its asset are not all known. */
function flowsOf({ lineage }: LineageBook, places: Map<string, ColumnName>) {
  const sources = new Map<string, Flow[]>()
  const readers = new Map<string, Flow[]>()
  const uses = new Map<string, Use[]>()
  const usedBy = new Map<string, Use[]>()
  const placed = (place: ColumnName): string => {
    const key = keyOf(place)
    if (!places.has(key)) places.set(key, place)
    return key
  }
  for (const edge of lineage) {
    for (const { from, to, transform, masking } of edge.columns) {
      const flow = {
        from: placed({ asset: edge.from, column: from }),
        to: placed({ asset: edge.to, column: to }),
        transform,
        isHidden: masking === true,
      }
      push(sources, flow.to, flow)
      push(readers, flow.from, flow)
    }
    for (const { column, clauses } of edge.uses ?? []) {
      const use = { from: placed({ asset: edge.from, column }), asset: edge.to, clauses }
      push(uses, use.from, use)
      push(usedBy, use.asset, use)
    }
  }
  return { sources, readers, uses, usedBy }
}

function endsByAsset({ publishes = [], exposures: shown = [] }: LineageBook) {
  const targets = new Map<string, Target[]>()
  const exposures = new Map<string, Exposure[]>()
  for (const target of publishes) push(targets, target.asset, target)
  for (const exposure of shown) push(exposures, exposure.asset, exposure)
  return { targets, exposures }
}

/** Walks breadth-first from the starts, which are not included; cycles end. */
function walk(
  starts: readonly string[],
  flows: ReadonlyMap<string, readonly Flow[]>,
  end: (flow: Flow) => string,
): string[] {
  const first = [...new Set(starts)]
  const seen = new Set(first)
  const queue = [...first]
  for (const key of queue) {
    for (const flow of flows.get(key) ?? []) {
      const other = end(flow)
      if (seen.has(other)) continue
      seen.add(other)
      queue.push(other)
    }
  }
  return queue.slice(first.length)
}

function placeOf({ places }: Index, key: string): ColumnName {
  const place = places.get(key)
  if (place === undefined) throw new Error(`no column ${key}`)
  return place
}

function keyOf({ asset, column }: ColumnName): string {
  return `${asset}\n${column.toLowerCase()}`
}

function push<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}
