/**
 * The better layout for graphs of a readable size: elkjs in a worker that is ended when it takes too long. It knows
 * sizes and edges only; its columns are set closer together, since the curves are our own.
 */
import { cardWidth, columnGap, rowGap } from '../geometry.ts'
import type { LayoutGraph, Positions } from './layout-graph.ts'

/** What of a `Worker` is used. */
export interface LayoutWorker {
  postMessage(message: unknown): void
  terminate(): void
  onmessage: ((event: { data: unknown }) => void) | null
  onerror: ((event: unknown) => void) | null
}

export interface ElkLayout {
  /** undefined: too large, too slow, failed or overtaken by a newer question; the instant layout stays. */
  layout(graph: LayoutGraph): Promise<Positions | undefined>
  dispose(): void
}

export type Effort = 'best' | 'fast'

const deadlineMs = 3_000

/** Density hurts more than size: a few hundred nodes with thousands of edges take minutes. */
export function effortFor(nodes: number, edges: number): Effort | undefined {
  if (nodes <= 300 && edges <= 600) return 'best'
  return nodes <= 1_000 && edges <= 1_500 ? 'fast' : undefined
}

const shared = {
  'elk.algorithm': 'layered',
  'elk.direction': 'RIGHT',
  'elk.edgeRouting': 'POLYLINE',
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

/** `start` makes a worker that runs elkjs; it is asked again after one was ended. */
export function makeElkLayout(start: () => Promise<LayoutWorker>, waitMs = deadlineMs): ElkLayout {
  let worker: Promise<LayoutWorker> | undefined
  let end: (() => void) | undefined
  let asked = 0

  async function layout(graph: LayoutGraph): Promise<Positions | undefined> {
    const effort = effortFor(graph.heights.length, graph.edges.length)
    end?.()
    const mine = ++asked
    if (effort === undefined) return undefined
    try {
      worker ??= registered(start)
      const ready = await worker
      if (mine !== asked) return undefined
      const answer = await withDeadline(ready, question(graph, effort, mine))
      return mine === asked && answer !== undefined ? respaced(answer, graph.heights.length) : undefined
    } catch {
      worker = undefined
      return undefined
    }
  }

  /** undefined: the time was up, or a newer question came. The worker is gone then, a new one starts with the next. */
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

  return { layout, dispose }
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

/** Its layers are up to 30,000 units apart, because it leaves room for the bends of edges: ours are next to each other. */
export function respaced(answer: unknown, count: number): Positions | undefined {
  const children = (answer as { children?: readonly { x?: unknown; y?: unknown }[] }).children
  if (children === undefined || children.length !== count) return undefined
  const places = children.flatMap(({ x, y }) =>
    typeof x === 'number' && typeof y === 'number' ? [{ x, y }] : [],
  )
  if (places.length !== count) return undefined
  const starts = [...new Set(places.map(({ x }) => Math.round(x)))].sort((a, b) => a - b)
  const columns: number[] = []
  let [column, columnStart] = [-1, Number.NEGATIVE_INFINITY]
  for (const start of starts) {
    // Two cards overlap in x: one layer.
    if (start - columnStart >= cardWidth) [column, columnStart] = [column + 1, start]
    columns.push(column)
  }
  const columnOf = new Map(starts.map((start, index) => [start, columns[index] ?? 0]))
  return places.map(({ x, y }) => ({
    x: (columnOf.get(Math.round(x)) ?? 0) * (cardWidth + columnGap),
    y: Math.round(y),
  }))
}
