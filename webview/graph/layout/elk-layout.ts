/**
 * The better layout for graphs of moderate size: elkjs in a worker that is ended after a timeout. It gets
 * sizes and edges only; its columns are moved closer together, because the curves are drawn by the graph
 * itself.
 */
import { cardWidth, columnGap, type Point, rowGap } from '../geometry.ts'
import type { Layout, LayoutGraph, Ways } from './layout-graph.ts'

/** The part of a `Worker` that is used here. */
export interface LayoutWorker {
  postMessage(message: unknown): void
  terminate(): void
  onmessage: ((event: { data: unknown }) => void) | null
  onerror: ((event: unknown) => void) | null
}

export type ElkLayout = ReturnType<typeof makeElkLayout>

export type Effort = 'best' | 'fast'

/** Long enough for a busy machine: which arrangement a project gets should not depend on its load. */
const deadlineMs = 15_000

/** Density costs more than size: a few hundred nodes with thousands of edges take minutes. */
export function effortFor(nodes: number, edges: number): Effort | undefined {
  if (nodes <= 200 && edges <= 400) return 'best'
  return nodes <= 1_000 && edges <= 1_500 ? 'fast' : undefined
}

const shared = {
  'elk.algorithm': 'layered',
  'elk.direction': 'RIGHT',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.spacing.nodeNode': String(rowGap),
  'elk.layered.spacing.nodeNodeBetweenLayers': String(columnGap),
  'elk.randomSeed': '1',
}

const options: Readonly<Record<Effort, Readonly<Record<string, string>>>> = {
  best: { ...shared, 'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX' },
  fast: {
    ...shared,
    'elk.layered.layering.strategy': 'LONGEST_PATH',
    'elk.layered.nodePlacement.strategy': 'SIMPLE',
    'elk.layered.thoroughness': '1',
    'elk.layered.crossingMinimization.greedySwitch.type': 'OFF',
  },
}

/** `start` creates a worker that runs elkjs; it is called again after one was ended. */
export function makeElkLayout(start: () => Promise<LayoutWorker>, waitMs = deadlineMs) {
  let worker: Promise<LayoutWorker> | undefined
  let end: (() => void) | undefined
  let asked = 0

  async function layout(graph: LayoutGraph): Promise<Layout | undefined> {
    const effort = effortFor(graph.heights.length, graph.edges.length)
    end?.()
    const mine = ++asked
    if (effort === undefined) return undefined
    try {
      worker ??= registered(start)
      const ready = await worker
      if (mine !== asked) return undefined
      const answer = await withDeadline(ready, question(graph, effort, mine))
      return mine === asked && answer !== undefined ? respaced(answer, graph) : undefined
    } catch {
      worker = undefined
      return undefined
    }
  }

  /**
   * Resolves with undefined after a timeout or a newer request. The worker is then terminated, and the next
   * request starts another.
   */
  function withDeadline(ready: LayoutWorker, message: { id: number }): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer)
        end = undefined
        ready.terminate()
        worker = undefined
        resolve(undefined)
      }
      const timer = setTimeout(stop, waitMs)
      const finish = (act: () => void) => {
        clearTimeout(timer)
        end = undefined
        act()
      }
      end = stop
      ready.onerror = error => finish(() => reject(new Error('the layout worker failed', { cause: error })))
      ready.onmessage = ({ data }) => {
        if (!isReply(data) || data.id !== message.id) return
        finish(() => ('error' in data ? reject(new Error('the layout failed')) : resolve(data.data)))
      }
      ready.postMessage(message)
    })
  }

  function dispose(): void {
    asked++
    end?.()
    worker?.then(
      each => each.terminate(),
      () => undefined,
    )
    worker = undefined
  }

  return {
    /**
     * Resolves with undefined if the graph is too large, the layout too slow or failed, or a newer request
     * came; the instant layout then stays.
     */
    layout,
    dispose,
  }
}

async function registered(start: () => Promise<LayoutWorker>): Promise<LayoutWorker> {
  const worker = await start()
  worker.postMessage({ id: 0, cmd: 'register', algorithms: ['layered'] })
  return worker
}

function question({ heights, edges }: LayoutGraph, effort: Effort, id: number) {
  return {
    id,
    cmd: 'layout',
    graph: {
      id: 'root',
      children: heights.map((height, index) => ({ id: `n${index}`, width: cardWidth, height })),
      edges: edges.map(({ from, to }, index) => ({
        id: `e${index}`,
        sources: [`n${from}`],
        targets: [`n${to}`],
      })),
    },
    layoutOptions: options[effort],
    options: {},
  }
}

interface Reply {
  readonly id: number
  readonly data?: unknown
}

function isReply(data: unknown): data is Reply {
  return typeof data === 'object' && data !== null && 'id' in data && typeof data.id === 'number'
}

interface Answer {
  readonly children?: readonly Partial<Point>[]
  readonly edges?: readonly { readonly sections?: readonly Section[] }[]
}

interface Section {
  readonly startPoint: Point
  readonly endPoint: Point
  readonly bendPoints?: readonly Point[]
}

/**
 * Moves layers next to each other. elkjs puts them up to 30,000 units apart, to leave room for bends of
 * edges.
 */
function respaced(answer: unknown, graph: LayoutGraph): Layout | undefined {
  const { children = [], edges = [] } = answer as Answer
  const places = children.flatMap(({ x, y }) =>
    typeof x === 'number' && typeof y === 'number' ? [{ x, y }] : [],
  )
  if (places.length !== graph.heights.length) return undefined
  const columns = columnsOf(places)
  const columnOf = new Map(columns.flatMap((starts, column) => starts.map(start => [start, column] as const)))
  const columnAt = (node: number) => columnOf.get(Math.round(places[node]?.x ?? 0)) ?? 0
  const ways: Ways = new Map(
    graph.edges.flatMap(({ from, to }, index) => {
      const way = wayOf(edges[index]?.sections?.[0], columns, columnAt(from) + 1, columnAt(to))
      return way.length === 0 ? [] : [[index, way] as const]
    }),
  )
  const positions = places.map(({ y }, node) => ({ x: leftOf(columnAt(node)), y: Math.round(y) }))
  return { positions, ways }
}

function leftOf(column: number): number {
  return column * (cardWidth + columnGap)
}

/** Groups nodes into columns from left to right; cards that overlap in x are in the same column. */
function columnsOf(places: readonly Point[]): number[][] {
  const starts = [...new Set(places.map(({ x }) => Math.round(x)))].sort((a, b) => a - b)
  const columns: number[][] = []
  for (const start of starts) {
    const last = columns.at(-1)
    if (last === undefined || start - (last[0] ?? 0) >= cardWidth) columns.push([start])
    else last.push(start)
  }
  return columns
}

/** Returns where the edge crosses the middle of each column from `first` to before `end`. */
function wayOf(
  section: Section | undefined,
  columns: readonly (readonly number[])[],
  first: number,
  end: number,
): Point[] {
  if (section === undefined) return []
  const line = [section.startPoint, ...(section.bendPoints ?? []), section.endPoint]
  return columns.slice(first, end).map((starts, at) => {
    const y = heightAt(line, (starts[0] ?? 0) + cardWidth / 2)
    return { x: leftOf(first + at), y: Math.round(y) }
  })
}

function heightAt(line: readonly Point[], x: number): number {
  const next = line.findIndex(point => point.x >= x)
  const [before, after] = [line[next - 1], line[next]]
  if (after === undefined) return line.at(-1)?.y ?? 0
  if (before === undefined || after.x === before.x) return after.y
  return before.y + ((after.y - before.y) * (x - before.x)) / (after.x - before.x)
}
