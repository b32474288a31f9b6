/** The path of a column as cards show it: a total of a thousand columns would make a card a thousand lines high. Pure. */
import type { ColumnName, ColumnPath } from '../protocol.ts'

/** So many columns of a card are named; the others share a line. */
const mostNamed = 40

export interface DrawnColumn extends ColumnName {
  readonly pii: boolean
  /** Set for the line of all that are not named. */
  readonly isRest?: true
}

export interface DrawnPath {
  readonly columns: readonly DrawnColumn[]
  readonly edges: ColumnPath['edges']
}

const drawn = new WeakMap<ColumnPath, DrawnPath>()

export function drawnPath(path: ColumnPath): DrawnPath {
  const known = drawn.get(path) ?? draw(path)
  drawn.set(path, known)
  return known
}

function draw(path: ColumnPath): DrawnPath {
  const counts = new Map<string, number>()
  for (const { asset } of path.columns) counts.set(asset, (counts.get(asset) ?? 0) + 1)
  if ([...counts.values()].every(count => count <= mostNamed + 1)) return path
  const rests = new Map<string, DrawnColumn>()
  const restOf = new Map<string, DrawnColumn>()
  const named = new Map<string, number>()
  const columns: DrawnColumn[] = []
  for (const column of path.columns) {
    const { asset } = column
    const before = named.get(asset) ?? 0
    const count = counts.get(asset) ?? 0
    if (count <= mostNamed + 1 || before < mostNamed) {
      named.set(asset, before + 1)
      columns.push(column)
      continue
    }
    const rest = rests.get(asset) ?? newRest(path, asset)
    rests.set(asset, rest)
    restOf.set(keyOf(column), rest)
  }
  const edges = new Map<string, ColumnPath['edges'][number]>()
  for (const { from, to } of path.edges) {
    const edge = { from: restOf.get(keyOf(from)) ?? from, to: restOf.get(keyOf(to)) ?? to }
    edges.set(`${keyOf(edge.from)}\n${keyOf(edge.to)}`, edge)
  }
  return { columns: [...columns, ...rests.values()], edges: [...edges.values()] }
}

function newRest({ columns }: ColumnPath, asset: string): DrawnColumn {
  const others = columns.filter(column => column.asset === asset).slice(mostNamed)
  return {
    asset,
    column: `… and ${others.length.toLocaleString('en-US')} more`,
    pii: others.some(column => column.pii),
    isRest: true,
  }
}

function keyOf({ asset, column }: ColumnName): string {
  return `${asset}\n${column}`
}
