/**
 * Computes the columns of a text that are renamed along with others: those that take their name from them.
 * Where that would be wrong (duplicate names, USING with one renamed side), the old name is kept on the way
 * ("pinned").
 */
import type { BoundSql, Column } from '../../sql/binder/model.ts'

/**
 * Returns undefined if there is an obstacle that cannot be avoided.
 * `pinned`: columns that keep their name although the column that they pass on is renamed.
 */
export function closureOf(bound: BoundSql, seeds: ReadonlySet<Column>, newName: string, pinAll: boolean) {
  const columns = allColumns(bound)
  const pinned = new Set<Column>()
  if (pinAll) for (const column of columns) if (!seeds.has(column) && canPin(column)) pinned.add(column)
  for (let round = 0; round <= columns.length; round++) {
    const renamed = spread(columns, seeds, pinned)
    const obstacle = obstacleIn(bound, columns, renamed, newName)
    if (obstacle === undefined) return { renamed, pinned: used(pinned, renamed) }
    const pin = pinPoint(obstacle, seeds, pinned)
    if (pin === undefined) return undefined
    pinned.add(pin)
  }
  return undefined
}

function spread(
  columns: readonly Column[],
  seeds: ReadonlySet<Column>,
  pinned: ReadonlySet<Column>,
): Set<Column> {
  const renamed = new Set(seeds)
  for (let size = -1; size !== renamed.size; ) {
    size = renamed.size
    for (const column of columns)
      if (!pinned.has(column) && isNamedAfter(column, renamed)) renamed.add(column)
  }
  return renamed
}

function isNamedAfter({ maker }: Column, renamed: ReadonlySet<Column>): boolean {
  if (maker.kind === 'passed' || maker.kind === 'star' || maker.kind === 'replaced')
    return renamed.has(maker.of)
  if (maker.kind === 'merged') return maker.members.every(member => renamed.has(member))
  if (maker.kind !== 'union') return false
  const [first] = maker.sides
  return maker.byName
    ? maker.sides.every(side => renamed.has(side))
    : first !== undefined && renamed.has(first)
}

function used(pinned: ReadonlySet<Column>, renamed: ReadonlySet<Column>): Set<Column> {
  return new Set([...pinned].filter(column => isNamedAfter(column, renamed)))
}

// ---------------------------------------------------------------- obstacles

/** Returns a renamed column that must not be renamed. */
function obstacleIn(
  bound: BoundSql,
  columns: readonly Column[],
  renamed: ReadonlySet<Column>,
  newName: string,
): Column | undefined {
  for (const { maker } of columns) {
    const together =
      maker.kind === 'merged' ? maker.members : maker.kind === 'union' && maker.byName ? maker.sides : []
    if (together.every(column => renamed.has(column))) continue
    const obstacle = together.find(column => renamed.has(column))
    if (obstacle !== undefined) return obstacle
  }
  const key = newName.toLowerCase()
  for (const relation of relationsOf(bound)) {
    const own = relation.find(column => renamed.has(column))
    if (
      own !== undefined &&
      relation.some(column => !renamed.has(column) && column.name.toLowerCase() === key)
    )
      return own
  }
  return undefined
}

/** Returns the column lists in which names must be unique. */
function relationsOf(bound: BoundSql): readonly (readonly Column[])[] {
  return [
    ...bound.ctes.map(cte => cte.columns),
    ...bound.selects.map(select => select.output),
    ...bound.tables.map(table => table.columns),
    bound.output.columns,
  ]
}

/** Returns the nearest column before the obstacle at which the old name can be written. */
function pinPoint(
  column: Column,
  seeds: ReadonlySet<Column>,
  pinned: ReadonlySet<Column>,
): Column | undefined {
  if (seeds.has(column)) return undefined
  if (canPin(column)) return pinned.has(column) ? undefined : column
  for (const source of madeOf(column)) {
    const point = pinPoint(source, seeds, pinned)
    if (point !== undefined) return point
  }
  return undefined
}

/** Returns whether `AS old` can be written after a column, or `RENAME (new AS old)` after a star. */
export function canPin({ maker }: Column): boolean {
  if (maker.kind === 'passed') return true
  if (maker.kind !== 'star') return false
  const star = maker.item?.expression
  return star?.kind === 'star' && star.pattern === undefined
}

/** Returns the columns that a column is made of or passes on. */
export function madeOf({ maker }: Column): readonly Column[] {
  if (maker.kind === 'merged') return maker.members
  if (maker.kind === 'union') return maker.sides
  return 'of' in maker && maker.of !== undefined ? [maker.of] : []
}

/** Returns every column of the text, inputs before outputs. */
export function allColumns(bound: BoundSql): readonly Column[] {
  const columns = new Set<Column>()
  const add = (column: Column): void => {
    if (columns.has(column)) return
    for (const source of madeOf(column)) add(source)
    columns.add(column)
  }
  for (const relation of relationsOf(bound)) for (const column of relation) add(column)
  for (const { target } of bound.mentions) if (target.kind === 'column') add(target.column)
  return [...columns]
}
