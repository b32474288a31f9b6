/**
 * Determines what is highlighted. Lineage is closed over the assets and folded into the shown cards afterwards:
 * closed over folders, one asset that reads another folder would light up everything that any asset in that
 * folder has to do with. Pure.
 */
import { closure } from './closure.ts'
import type { GraphModel } from './model.ts'
import type { View } from './view.ts'

export interface Lit {
  /** Positions of cards in the view. */
  readonly cards: ReadonlySet<number>
  /** Positions of edges in the view. */
  readonly edges: ReadonlySet<number>
}

/** Returns everything upstream and downstream of an asset, `asset` being its position in the model. */
export function litLineage(model: GraphModel, view: View, asset: number): Lit {
  const [up, down] = [closure(model, [asset], 'up'), closure(model, [asset], 'down')]
  const cardOf = cardsByMember(view)
  const cards = new Set([...up, ...down].flatMap(member => cardOf.get(member) ?? []))
  const own = cardOf.get(asset)
  if (own !== undefined) cards.add(own)
  const lit = new Set<string>()
  for (const { from, to } of model.edges) {
    const isWithin = (up.has(from) && up.has(to)) || (down.has(from) && down.has(to))
    if (isWithin) lit.add(`${cardOf.get(from)} ${cardOf.get(to)}`)
  }
  return { cards, edges: edgesWhere(view, ({ from, to }) => lit.has(`${from} ${to}`)) }
}

/** Returns a card with its direct neighbours. */
export function litNeighbours(view: View, card: number): Lit {
  return {
    cards: new Set([card, ...(view.parents[card] ?? []), ...(view.children[card] ?? [])]),
    edges: edgesWhere(view, ({ from, to }) => from === card || to === card),
  }
}

function cardsByMember({ nodes }: View): ReadonlyMap<number, number> {
  return new Map(nodes.flatMap(({ members }, card) => members.map(member => [member, card] as const)))
}

function edgesWhere({ edges }: View, matches: (edge: View['edges'][number]) => boolean): Set<number> {
  return new Set(edges.flatMap((edge, index) => (matches(edge) ? [index] : [])))
}
