/**
 * The path of a column as the graph draws it: rows on cards, lines between them, and cards that it ends at. A total of a
 * thousand columns would make a card a thousand lines high, so the others share a line. Pure.
 */
import type { ColumnName, ColumnPath } from '../protocol.ts'
import { exposureId, targetId } from './model.ts'

/** So many columns of a card are named; the others share a line. */
const mostNamed = 40

/** A row of the card `asset`, which may also be a publish target with what it gets. */
export interface DrawnColumn extends ColumnName {
  readonly pii: boolean
  /** The one that was asked for. */
  readonly isChosen?: true
  /** No value of it is on the path: it decides about rows. */
  readonly beside?: true | undefined
  /** How it comes (`as it is`, `renamed`, `sum()`), or what it decides (`WHERE`); absent if that is not known. */
  readonly how?: string
  /** Set for the line of all that are not named. */
  readonly isRest?: true
}

/** `same`: passed on, also under another name. `computed`: made of it. `hidden`: only decided by it. */
export type LineStyle = 'same' | 'computed' | 'hidden'

/** Leads from a row to a row, or to the head of a card. */
export interface DrawnLine {
  readonly from: ColumnName
  readonly to: { readonly asset: string; readonly column?: string }
  readonly style: LineStyle
}

export interface DrawnPath {
  readonly columns: readonly DrawnColumn[]
  readonly lines: readonly DrawnLine[]
  /** The lines between cards that belong to it: those to exposures. */
  readonly links: readonly { readonly from: string; readonly to: string }[]
  /** All cards that it touches. */
  readonly cards: ReadonlySet<string>
}

const drawn = new WeakMap<ColumnPath, DrawnPath>()

export function drawnPath(path: ColumnPath): DrawnPath {
  const known = drawn.get(path) ?? shortened(whole(path))
  drawn.set(path, known)
  return known
}

function whole(path: ColumnPath): DrawnPath {
  const notes = notesOf(path)
  const columns = path.columns.map((column, index): DrawnColumn => {
    const how = notes.get(keyOf(column))
    return { ...column, ...(index === 0 && { isChosen: true }), ...(how !== undefined && { how }) }
  })
  const sent = path.targets.flatMap(({ target, asset, sends }) =>
    sends.map(({ column, field }) => ({
      from: { asset, column },
      to: { asset: targetId(target), column: field },
    })),
  )
  const fields = new Map(
    sent.map(({ from, to }) => [keyOf(to), { ...to, pii: false, how: nameNote(from, to) }]),
  )
  const lines: DrawnLine[] = [
    ...path.edges.map(({ from, to, transform, hidden }) => ({
      from,
      to,
      style: hidden
        ? ('hidden' as const)
        : transform === undefined
          ? ('same' as const)
          : ('computed' as const),
    })),
    ...path.uses.map(({ from, asset }) => ({ from, to: { asset }, style: 'hidden' as const })),
    ...sent.map(line => ({ ...line, style: 'same' as const })),
  ]
  const links = path.exposures.map(({ exposure, asset }) => ({ from: asset, to: exposureId(exposure) }))
  return {
    columns: [...columns, ...fields.values()],
    lines,
    links,
    cards: new Set([
      ...[...columns, ...fields.values()].map(({ asset }) => asset),
      ...path.uses.map(({ asset }) => asset),
      ...links.map(({ to }) => to),
    ]),
  }
}

// ---------------------------------------------------------------- how columns come

/** Says of each column how its values come, or else what it decides. */
function notesOf({ edges, uses }: ColumnPath): ReadonlyMap<string, string> {
  const decides = new Map<string, Set<string>>()
  for (const { from, clauses } of uses) {
    const key = keyOf(from)
    decides.set(key, new Set([...(decides.get(key) ?? []), ...clauses]))
  }
  const notes = new Map([...decides].map(([key, clauses]) => [key, [...clauses].join(', ')]))
  const comes = new Map<string, Set<string>>()
  for (const { from, to, transform } of edges) {
    const key = keyOf(to)
    comes.set(key, new Set([...(comes.get(key) ?? []), transform ?? nameNote(from, to)]))
  }
  for (const [key, words] of comes) {
    const [only, ...more] = words
    notes.set(key, more.length > 0 || only === undefined ? 'computed' : only)
  }
  return notes
}

function nameNote(from: ColumnName, to: ColumnName): string {
  return from.column.toLowerCase() === to.column.toLowerCase() ? 'as it is' : 'renamed'
}

// ---------------------------------------------------------------- wide cards

function shortened(path: DrawnPath): DrawnPath {
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
  const lines = new Map<string, DrawnLine>()
  for (const { from, to, style } of path.lines) {
    const start = restOf.get(keyOf(from)) ?? from
    const end = to.column === undefined ? to : (restOf.get(keyOf({ ...to, column: to.column })) ?? to)
    lines.set(`${keyOf(start)}\n${end.asset}\n${end.column ?? ''}`, { from: start, to: end, style })
  }
  return { ...path, columns: [...columns, ...rests.values()], lines: [...lines.values()] }
}

function newRest({ columns }: DrawnPath, asset: string): DrawnColumn {
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
