/**
 * Determines the part of the model that is shown: the neighbourhood of the selected asset, steps that were
 * opened by hand, and folders as one card each if there is too much. Pure and deterministic.
 */
import { closure, lineageOf } from './closure.ts'
import { grouped } from './grouped.ts'
import { type GraphEdge, type GraphModel, type GraphNode, knownEdges, neighbours } from './model.ts'

export type Scope = 'direct' | 'near' | 'connected' | 'all'

export interface ViewOptions {
  readonly scope: Scope
  /** The asset around which the scope is drawn; null shows everything. */
  readonly focus: string | null
  /**
   * `up:<id>` and `down:<id>` show one more step on that side; `group:<name>` is an open folder, `group:*`
   * opens all.
   */
  readonly expanded: readonly string[]
  /** If given, exactly these nodes are shown, whatever the scope, the filter and the folders. */
  readonly only?: ReadonlySet<number> | undefined
  /** The nodes that a filter keeps, if there is one. */
  readonly kept: ReadonlySet<number> | undefined
}

export interface ShownNode {
  readonly id: string
  /** Positions in the model: one, or all of a folder. */
  readonly members: readonly number[]
  /** Undefined for a folder. */
  readonly node: GraphNode | undefined
  readonly label: string
  /** The number of neighbours that are not shown. */
  readonly hiddenUp: number
  readonly hiddenDown: number
}

export interface View {
  readonly nodes: readonly ShownNode[]
  readonly edges: readonly GraphEdge[]
  readonly parents: readonly (readonly number[])[]
  readonly children: readonly (readonly number[])[]
  readonly indexOf: ReadonlyMap<string, number>
  /** Equal if and only if ids and edges are; a change of status keeps it. */
  readonly topology: string
}

/** With more assets around it than this, only one step is shown instead of two. */
const mostNear = 60
/** With more assets than this, folders are closed until the user opens them. */
export const mostUngrouped = 150

export function makeView(model: GraphModel, options: ViewOptions): View {
  if (options.only !== undefined) {
    return assembled(
      model,
      [...options.only].sort((a, b) => a - b),
      new Set(),
    )
  }
  const inScope = scoped(model, options)
  const { kept, expanded } = options
  const shown = kept === undefined ? inScope : new Set([...inScope].filter(node => kept.has(node)))
  const members = [...withSteps(model, shown, expanded)].sort((a, b) => a - b)
  const isNeighbourhood = options.focus !== null && options.scope !== 'all'
  const asGroups = !isNeighbourhood && members.length > mostUngrouped
  return assembled(model, members, closedGroups(model, members, asGroups, options.expanded))
}

function scoped(model: GraphModel, { scope, focus }: ViewOptions): Set<number> {
  const start = focus === null ? undefined : model.indexOf.get(focus)
  if (scope === 'all' || start === undefined) return new Set(model.nodes.keys())
  return aroundOf(model, start, scope)
}

/** Steps that were opened by hand are always shown, whatever the scope and the filter. */
function withSteps(
  model: GraphModel,
  shown: ReadonlySet<number>,
  expanded: readonly string[],
): ReadonlySet<number> {
  const opened = new Set(shown)
  for (const each of expanded) {
    const [, side, id = ''] = /^(up|down):(.*)$/s.exec(each) ?? []
    const node = model.indexOf.get(id)
    if (side === undefined || node === undefined || !opened.has(node)) continue
    for (const next of closure(model, [node], side === 'up' ? 'up' : 'down', 1)) opened.add(next)
  }
  return opened
}

function aroundOf(model: GraphModel, start: number, scope: Exclude<Scope, 'all'>): Set<number> {
  if (scope === 'connected') return lineageOf(model, start)
  const near = scope === 'direct' ? undefined : lineageOf(model, start, 2)
  return near !== undefined && near.size <= mostNear ? near : lineageOf(model, start, 1)
}

/** Returns the names of the folders that are shown as one card. */
function closedGroups(
  model: GraphModel,
  members: readonly number[],
  asGroups: boolean,
  expanded: readonly string[],
): Set<string> {
  if (!asGroups || expanded.includes('group:*')) return new Set()
  const groups = new Set(members.map(member => model.nodes[member]?.group ?? ''))
  for (const name of [...groups]) if (expanded.includes(`group:${name}`)) groups.delete(name)
  return groups
}

function assembled(model: GraphModel, members: readonly number[], closed: ReadonlySet<string>): View {
  const lists = [
    ...grouped(members, member => {
      const { id = '', group = '' } = model.nodes[member] ?? {}
      return closed.has(group) ? `group:${group}` : id
    }),
  ]
  const indexOf = new Map(lists.map(([id], card) => [id, card]))
  const cardOf = new Map<number, number>()
  lists.forEach(([, list], card) => {
    for (const member of list) cardOf.set(member, card)
  })
  const nodes = lists.map(([id, list]) => shownNode(model, id, list, cardOf))
  // A folder has no edge to itself.
  const edges = knownEdges(model.edges, cardOf).filter(({ from, to }) => from !== to)
  return { nodes, edges, indexOf, ...neighbours(nodes.length, edges), topology: topologyOf(nodes, edges) }
}

function shownNode(
  model: GraphModel,
  id: string,
  members: readonly number[],
  shown: ReadonlyMap<number, unknown>,
): ShownNode {
  const first = model.nodes[members[0] ?? 0]
  const isGroup = id.startsWith('group:')
  const outside = (lists: readonly (readonly number[])[], member: number) =>
    (lists[member] ?? []).filter(each => !shown.has(each))
  const hidden = (lists: readonly (readonly number[])[]) =>
    isGroup
      ? new Set(members.flatMap(member => outside(lists, member))).size
      : outside(lists, members[0] ?? 0).length
  return {
    id,
    members,
    node: isGroup ? undefined : first,
    label: isGroup ? (first?.group ?? '') : (first?.name ?? id),
    hiddenUp: hidden(model.parents),
    hiddenDown: hidden(model.children),
  }
}

/** Two hashes of 32 bits are enough to distinguish two graphs of a project. */
function topologyOf(nodes: readonly ShownNode[], edges: readonly GraphEdge[]): string {
  return [nodes.length, hashed(nodes, edges, 0x01000193), hashed(nodes, edges, 0x5bd1e995)].join()
}

/** Hashes names and edges as FNV-1a does. */
function hashed(nodes: readonly ShownNode[], edges: readonly GraphEdge[], factor: number): number {
  let value = 0x811c9dc5
  for (const { id } of nodes) {
    for (let at = 0; at < id.length; at++) value = Math.imul(value ^ id.charCodeAt(at), factor)
    value = Math.imul(value ^ 0x0a, factor)
  }
  for (const { from, to } of edges) value = Math.imul(Math.imul(value ^ from, factor) ^ to, factor)
  return value
}
