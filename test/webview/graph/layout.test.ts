import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import { cardHeight, cardWidth, overlaps } from '../../../webview/graph/geometry.ts'
import { effortFor, type LayoutWorker, makeElkLayout } from '../../../webview/graph/layout/elk-layout.ts'
import { instantLayout } from '../../../webview/graph/layout/instant-layout.ts'
import { layersOf } from '../../../webview/graph/layout/layers.ts'
import type { LayoutGraph, Positions, Ways } from '../../../webview/graph/layout/layout-graph.ts'
import { makeGraphModel } from '../../../webview/graph/model.ts'
import type { CatalogFile } from '../../../webview/protocol.ts'
import { catalogOf, largeCatalog } from './catalogs.ts'

function graphOf(catalog: CatalogFile, heightOf = (_: number) => cardHeight): LayoutGraph {
  const model = makeGraphModel(catalog, 0)
  return { ...model, heights: model.nodes.map((_, index) => heightOf(index)) }
}

function collisions(graph: LayoutGraph, positions: Positions): number {
  const boxes = positions.map((place, index) => ({
    ...place,
    width: cardWidth,
    height: graph.heights[index] ?? 0,
  }))
  let found = 0
  for (const [index, box] of boxes.entries()) {
    for (const other of boxes.slice(index + 1)) if (overlaps(box, other)) found++
  }
  return found
}

/** Passages that lead behind a card. */
function hiddenWays(graph: LayoutGraph, positions: Positions, ways: Ways): number {
  const boxes = positions.map((place, index) => ({
    ...place,
    width: cardWidth,
    height: graph.heights[index] ?? 0,
  }))
  const passages = [...ways.values()].flat()
  return passages.filter(({ x, y }) =>
    boxes.some(box => overlaps(box, { x, y, width: cardWidth, height: 1 })),
  ).length
}

describe('the instant layout', () => {
  test('leads an edge past a column between its cards', () => {
    const graph = graphOf(catalogOf(['a', 'b <- a', 'c <- b', 'd <- c a']))
    const { positions, ways } = instantLayout(graph)
    const way = ways.get(graph.edges.findIndex(edge => edge.from === 0 && edge.to === 3)) ?? []
    expect(way.map(point => point.x)).toEqual([positions[1]?.x, positions[2]?.x])
    expect(hiddenWays(graph, positions, ways)).toBe(0)
  })

  test('puts each asset right of what it reads, sources next to their first reader', () => {
    const graph = graphOf(catalogOf(['a', 'b <- a', 'c <- b', 'late', 'd <- c late']))
    expect(layersOf(graph)).toEqual([0, 1, 2, 2, 3])
  })

  test('lays a cycle out as well', () => {
    const graph = graphOf(catalogOf(['a <- c', 'b <- a', 'c <- b', 'd <- c']))
    const { positions } = instantLayout(graph)
    expect(collisions(graph, positions)).toBe(0)
    expect(new Set(layersOf(graph)).size).toBe(4)
  })

  test.each([1, 2, 60, 700])('of %i assets overlaps nothing and is the same each time', count => {
    const graph = graphOf(largeCatalog(count), index => cardHeight + (index % 4) * 30)
    const { positions, ways } = instantLayout(graph)
    expect(positions).toHaveLength(graph.heights.length)
    expect(positions.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(true)
    expect(collisions(graph, positions)).toBe(0)
    expect(hiddenWays(graph, positions, ways)).toBe(0)
    expect(instantLayout(graph)).toEqual({ positions, ways })
  })

  test('of edges that need not cross has none that do', () => {
    const graph = graphOf(catalogOf(['a', 'b', 'c', 'z <- c', 'y <- b', 'x <- a']))
    const y = instantLayout(graph).positions.map(place => place.y)
    const [a = 0, b = 0, c = 0, z, yy, x] = y
    expect([z, yy, x]).toEqual([c, b, a])
  })

  test('folds what would be one long line', () => {
    const graph = graphOf(catalogOf(Array.from({ length: 900 }, (_, index) => `lone_${index}`)))
    const { positions } = instantLayout(graph)
    const height = Math.max(...positions.map(place => place.y)) - Math.min(...positions.map(place => place.y))
    expect(height).toBeLessThan(50 * (cardHeight + 24))
    expect(collisions(graph, positions)).toBe(0)
  })
})

describe('the layout by elkjs', () => {
  const graph = graphOf(largeCatalog(60))

  test('is asked for graphs of a readable size only', () => {
    expect([effortFor(200, 400), effortFor(200, 401), effortFor(1000, 1500), effortFor(1001, 10)]).toEqual([
      'best',
      'fast',
      'fast',
      undefined,
    ])
  })

  test('is left to right without overlaps, its columns next to each other', async () => {
    const elk = makeElkLayout(async () => elkWorker())
    const { positions = [], ways = new Map() } = (await elk.layout(graph)) ?? {}
    elk.dispose()
    expect(ways.size).toBeGreaterThan(0)
    expect(hiddenWays(graph, positions, ways)).toBe(0)
    expect(positions).toHaveLength(graph.heights.length)
    expect(collisions(graph, positions)).toBe(0)
    for (const { from, to } of graph.edges) {
      expect(positions[from]?.x ?? 0).toBeLessThan(positions[to]?.x ?? 0)
    }
  })

  test('ends a worker that is silent, and starts another for the next question', async () => {
    const ended: number[] = []
    let started = 0
    const elk = makeElkLayout(async () => {
      const mine = ++started
      return mine === 1 ? silentWorker(() => ended.push(mine)) : elkWorker()
    }, 20)
    expect(await elk.layout(graph)).toBeUndefined()
    expect(ended).toEqual([1])
    const again = makeElkLayout(async () => elkWorker())
    expect((await again.layout(graph))?.positions).toHaveLength(graph.heights.length)
    const next = elk.layout(graph)
    await next
    expect(started).toBe(2)
  })

  test('answers only the newest question', async () => {
    const elk = makeElkLayout(async () => silentWorker(() => undefined), 10_000)
    const first = elk.layout(graph)
    await new Promise(resolve => setImmediate(resolve))
    const second = elk.layout(graph)
    expect(await first).toBeUndefined()
    elk.dispose()
    expect(await Promise.race([second, Promise.resolve(undefined)])).toBeUndefined()
  })

  test('is none where the worker cannot start', async () => {
    const elk = makeElkLayout(async () => Promise.reject(new Error('404')))
    expect(await elk.layout(graph)).toBeUndefined()
  })
})

function silentWorker(onEnd: () => void): LayoutWorker {
  return { postMessage: () => undefined, terminate: onEnd, onmessage: null, onerror: null }
}

/** elkjs brings a worker that runs in this thread. */
function elkWorker(): LayoutWorker {
  const { Worker } = createRequire(import.meta.url)('elkjs/lib/elk-worker.min.js') as {
    Worker: new () => LayoutWorker
  }
  const inner = new Worker()
  const worker: LayoutWorker = {
    postMessage: message => inner.postMessage(message),
    terminate: () => undefined,
    onmessage: null,
    onerror: null,
  }
  inner.onmessage = event => worker.onmessage?.(event)
  return worker
}
