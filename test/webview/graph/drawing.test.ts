import { describe, expect, test } from 'vitest'
import { anchored, type Camera, fitted, revealing, toGraph, zoomedAt } from '../../../webview/graph/camera.ts'
import { contrast, legible, type Rgba, readColour } from '../../../webview/graph/colour.ts'
import { describeNode } from '../../../webview/graph/describe.ts'
import { makeDrawList } from '../../../webview/graph/draw-list.ts'
import { boundsOf, cardHeight, type Point } from '../../../webview/graph/geometry.ts'
import { hitAt, moreBox } from '../../../webview/graph/hit.ts'
import { keyAction, neighbourOf } from '../../../webview/graph/keys.ts'
import { legendOf } from '../../../webview/graph/lens.ts'
import { type GraphModel, makeGraphModel } from '../../../webview/graph/model.ts'
import { factsOf } from '../../../webview/graph/scene.ts'
import { type GraphInput, makePlaces, makeStage } from '../../../webview/graph/stage.ts'
import { makeTheme } from '../../../webview/graph/theme.ts'
import { catalogOf, largeCatalog } from './catalogs.ts'

const toScreen = ({ x, y, zoom }: Camera, at: Point): Point => ({
  x: (at.x - x) * zoom,
  y: (at.y - y) * zoom,
})
const screen = { width: 1000, height: 600 }
const life = { x: -100, y: -300, zoom: 1 }
const shop = catalogOf(
  ['raw', 'orders <- raw', 'daily <- orders', 'other <- raw'],
  [{ name: 'orders', summary: { total: 3, passed: 2, failed: 1 } }],
)
const shopModel = makeGraphModel(shop, 0)
const input: GraphInput = {
  model: shopModel,
  kept: undefined,
  selected: null,
  focus: null,
  scope: 'all',
  expanded: [],
  moved: {},
  lens: 'kind',
  hidden: new Set(),
  live: new Map(),
  path: null,
}
const stageOf = (change: Partial<GraphInput> = {}, hovered?: string) =>
  makeStage({ ...input, ...change }, makePlaces(), hovered)
const modelOf = (...given: Parameters<typeof catalogOf>) => makeGraphModel(catalogOf(...given), 0)

describe('the camera', () => {
  test('zooms at the pointer and keeps what is under it', () => {
    const before = { x: 10, y: -20, zoom: 0.5 }
    const after = zoomedAt(before, 1.7, { x: 300, y: 200 })
    expect(toGraph(after, { x: 300, y: 200 }).x).toBeCloseTo(toGraph(before, { x: 300, y: 200 }).x)
    expect(zoomedAt(before, 1000, { x: 0, y: 0 }).zoom).toBe(2)
  })

  test('fits a graph, never larger than life, and pans no more than it has to', () => {
    const box = { x: 0, y: 0, width: 4000, height: 100 }
    const camera = fitted(box, screen)
    expect(toScreen(camera, { x: 4000, y: 50 })).toEqual({ x: 968, y: 300 })
    expect(fitted({ ...box, width: 10 }, screen).zoom).toBe(1)
    expect(revealing(camera, { x: 10, y: 10, width: 5, height: 5 }, screen, 0)).toBe(camera)
    expect(revealing(life, { x: 2000, y: 0, width: 100, height: 50 }, screen, 0).x).toBe(1100)
  })

  test('lets a card that got another place stay where it is on the screen', () => {
    const after = anchored(life, { x: 5, y: 5 }, { x: 505, y: -95 })
    expect(toScreen(after, { x: 505, y: -95 })).toEqual(toScreen(life, { x: 5, y: 5 }))
  })
})

describe('a frame', () => {
  test('is every card and curve in view, with words and marks', () => {
    const list = makeDrawList(stageOf().scene, life, screen)
    expect(list.detail).toBe('full')
    expect(
      list.cards.map(({ card, dim }) => [card.title, card.shape, card.detail, card.mark?.glyph, dim]),
    ).toEqual([
      ['raw', 'square', 'source · 1,000 rows', '✓', false],
      ['orders', 'round', 'model · Failed', '✕', false],
      ['daily', 'round', 'model · 1,000 rows', '✓', false],
      ['other', 'round', 'model · 1,000 rows', '✓', false],
    ])
    expect(list.curves.map(({ style, ends }) => [style, ends.length / 4])).toEqual([['plain', 3]])
  })

  test('lights the lineage of the selection and dims the rest', () => {
    const list = makeDrawList(stageOf({ selected: 'orders' }).scene, life, screen)
    expect(list.cards.filter(each => each.dim).map(each => each.card.id)).toEqual(['other'])
    expect(list.curves.map(({ style, ends }) => [style, ends.length / 4])).toEqual([
      ['dim', 1],
      ['lit', 2],
    ])
  })

  test('lights only the lineage of the selection where folders are closed', () => {
    const lines = ['a1', 'b1 <- a1', 'c1 <- b1', 'a2', 'b2 <- a2', 'c2 <- b2', 'd2 <- c2']
    const fill = Array.from({ length: 200 }, (_, index) => `z${index}`)
    const names = [...lines.map(line => line.slice(0, 2)), ...fill]
    const model = modelOf(
      [...lines, ...fill],
      names.map(name => ({ name, path: `models/${name.slice(0, 1)}/${name}.svc` })),
    )
    // Folder c reads folder b, which reads folder a: closed over folders, d would be lit for c1's sake.
    const { scene, view } = stageOf({ model, selected: 'b1' })
    const lit = [...(scene.lit?.cards ?? [])].map(card => view.nodes[card]?.label)
    expect(lit.sort()).toEqual(['a', 'b', 'c'])
    const curves = makeDrawList(scene, fitted(boundsOf(scene.cards), screen), screen).curves
    expect(curves.map(({ style, ends }) => [style, ends.length / 4])).toEqual([
      ['dim', 1],
      ['lit', 2],
    ])
  })

  test('lights the neighbours of what the pointer is over', () => {
    const list = makeDrawList(stageOf({}, 'daily').scene, life, screen)
    expect(list.cards.filter(each => each.dim).map(each => each.card.id)).toEqual(['raw', 'other'])
  })

  test('leaves out what is not in view, and details from afar', () => {
    const { scene } = stageOf({ model: makeGraphModel(largeCatalog(600), 0), expanded: ['group:*'] })
    const near = makeDrawList(scene, { x: 0, y: 0, zoom: 1 }, screen)
    expect(near.cards.length).toBeLessThan(60)
    const far = makeDrawList(scene, fitted(boundsOf(scene.cards), screen), screen)
    expect([far.detail, far.cards.length]).toEqual(['blocks', 0])
    expect(far.blocks.reduce((sum, { boxes }) => sum + boxes.length / 4, 0)).toBe(scene.cards.length)
  })

  test('hides what the legend switched off, with its curves', () => {
    const list = makeDrawList(stageOf({ kept: new Set([1, 2, 3]) }).scene, life, screen)
    expect(list.cards.map(each => each.card.id)).toEqual(['orders', 'daily', 'other'])
    expect(list.curves[0]?.ends).toHaveLength(4)
  })

  test('draws a cycle by itself, whatever is lit', () => {
    const model = modelOf(['a <- c', 'b <- a', 'c <- b', 'd <- c'])
    const list = makeDrawList(
      stageOf({ model, selected: 'd' }).scene,
      { x: -500, y: -500, zoom: 0.5 },
      screen,
    )
    expect(list.curves.map(({ style, ends }) => [style, ends.length / 4])).toEqual([
      ['lit', 1],
      ['cycle', 3],
    ])
  })

  test('gives a publish target a shape of its own', () => {
    const model = modelOf(['a', 'crm <- a'], [{ name: 'crm', kind: 'publish' }])
    const { scene } = stageOf({ model })
    expect(scene.cards.map(({ shape, role, detail }) => [shape, role, detail])).toEqual([
      ['square', 'source', 'source · 1,000 rows'],
      ['target', 'publish', 'publish · 1,000 rows'],
    ])
    expect(legendOf('kind', model.kinds).map(entry => entry.word)).toEqual(['source', 'publish target'])
  })

  test('leads a long edge through its passage, and straight to a card that was moved', () => {
    const model = modelOf(['a', 'b <- a', 'c <- b a'])
    const ends = (moved: GraphInput['moved']) =>
      makeDrawList(stageOf({ model, moved }).scene, { x: -200, y: -300, zoom: 0.6 }, screen).curves[0]?.ends
        .length
    expect(ends({})).toBe(4 * 5)
    expect(ends({ c: [700, 100] })).toBe(4 * 3)
  })

  test('shows the columns of a path on open cards, joined column to column', () => {
    const path = {
      columns: [
        { asset: 'raw', column: 'id', pii: false },
        { asset: 'orders', column: 'key', pii: false },
        { asset: 'orders', column: 'id', pii: true },
      ],
      edges: [{ from: { asset: 'raw', column: 'id' }, to: { asset: 'orders', column: 'id' } }],
      ...{ uses: [], targets: [], exposures: [] },
    }
    const { scene } = stageOf({ path })
    const list = makeDrawList(scene, life, screen)
    expect(scene.cards[1]?.columns.map(({ column }) => column)).toEqual(['key', 'id'])
    const [, fromY, , toY] = list.curves.find(each => each.style === 'column')?.ends ?? []
    expect(fromY).toBe((scene.cards[0]?.y ?? 0) + cardHeight + 10)
    expect(toY).toBe((scene.cards[1]?.y ?? 0) + cardHeight + 30)
    expect(
      hitAt(scene.cards, { x: 0, y: 0, zoom: 1 }, { x: (scene.cards[1]?.x ?? 0) + 20, y: toY ?? 0 }),
    ).toEqual({
      type: 'column',
      index: 1,
      row: 1,
    })
  })
})

describe('a stage', () => {
  test('keeps all places when a run changes what is shown of an asset', () => {
    const before = stageOf()
    const live = new Map([['daily', 'running' as const]])
    const after = makeStage({ ...input, live }, makePlaces(), undefined, before)
    expect(after.layoutKey).toBe(before.layoutKey)
    expect(after.scene.cards.map(({ x, y }) => [x, y])).toEqual(before.scene.cards.map(({ x, y }) => [x, y]))
    expect(after.scene.cards[2]).toMatchObject({ running: true, detail: 'model · Running' })
  })

  test('tells what time has made too old, in the same places', () => {
    const catalog = catalogOf(
      ['raw', 'a <- raw'],
      [{ name: 'raw', freshness: { warn_after_seconds: 60, error_after_seconds: null } }],
    )
    const at = Date.parse('2026-01-01T00:00:30Z')
    const first = makeGraphModel(catalog, at)
    const before = makeStage({ ...input, model: first }, makePlaces(), undefined)
    const later = (model: GraphModel) =>
      makeStage({ ...input, model }, makePlaces(), undefined, before).scene.cards[0]
    expect(before.scene.cards[0]?.detail).toBe('source · 1,000 rows')
    expect(later(first)?.detail).toBe('source · 1,000 rows')
    expect(later(makeGraphModel(catalog, at + 3_600_000))).toMatchObject({
      detail: 'source · Stale (WARN)',
      x: before.scene.cards[0]?.x,
    })
  })

  test('puts what was dragged where it was dropped', () => {
    expect(stageOf({ moved: { daily: [7, 8] } }).scene.cards[2]).toMatchObject({ x: 7, y: 8 })
  })

  test('selects the folder of an asset that is not shown by itself', () => {
    const { scene } = stageOf({ model: makeGraphModel(largeCatalog(600), 0), selected: 'model_500' })
    expect(scene.cards[scene.selected ?? -1]?.shape).toBe('folder')
  })
})

describe('the pointer', () => {
  const { cards } = stageOf({ scope: 'direct', focus: 'daily' }).scene
  const orders = cards.findIndex(card => card.id === 'orders')
  const card = cards[orders]

  test('finds cards, steps to open, and nothing', () => {
    if (card === undefined) throw new Error('no card')
    const camera = { x: card.x - 100, y: card.y - 100, zoom: 1 }
    expect(hitAt(cards, camera, { x: 110, y: 110 })).toEqual({ type: 'card', index: orders })
    const more = moreBox(card, 'up')
    expect(hitAt(cards, camera, toScreen(camera, { x: more.x + 3, y: more.y + 3 }))).toEqual({
      type: 'more',
      index: orders,
      side: 'up',
    })
    expect(hitAt(cards, camera, { x: 5, y: 5 })).toBeUndefined()
  })

  test('has targets of 24 pixels from afar', () => {
    if (card === undefined) throw new Error('no card')
    const camera = { x: card.x, y: card.y, zoom: 0.05 }
    const below = { x: 2, y: (cardHeight / 2) * 0.05 + 11 }
    expect(hitAt(cards, camera, below)?.type).toBe('card')
  })
})

describe('the keyboard', () => {
  test('walks along dependencies and in the column', () => {
    const { view, scene } = stageOf()
    const go = (from: string | undefined, to: 'up' | 'down' | 'left' | 'right' | 'first') => {
      const index = neighbourOf(
        view,
        scene.cards,
        from === undefined ? undefined : view.indexOf.get(from),
        to,
      )
      return index === undefined ? undefined : view.nodes[index]?.id
    }
    expect([go(undefined, 'right'), go('raw', 'left'), go('orders', 'left'), go('orders', 'right')]).toEqual([
      'raw',
      undefined,
      'raw',
      'daily',
    ])
    expect([go('orders', 'down'), go('other', 'up'), go('daily', 'first')]).toEqual([
      'other',
      'orders',
      'raw',
    ])
  })

  test('leaves keys with Ctrl to the page', () => {
    expect(keyAction('0', true)).toBeUndefined()
    expect(keyAction(']', false)).toEqual({ type: 'levels', more: true })
  })

  test('hears what is seen', () => {
    const { view } = stageOf()
    const model = shopModel
    const shown = view.nodes[1]
    if (shown === undefined) throw new Error('no node')
    expect(describeNode(view, 1, factsOf(model, shown, new Map([['orders', 'running']])))).toBe(
      'orders, transformation model, Running, 1 of 3 tests fail; 1 upstream, 1 downstream',
    )
  })
})

describe('colours', () => {
  test.each([
    ['#fff', [255, 255, 255, 1]],
    ['#1F1f1f80', [31, 31, 31, 128 / 255]],
    ['rgba(1, 2, 3, 0.5)', [1, 2, 3, 0.5]],
    ['rgb(10 20 30 / 50%)', [10, 20, 30, 0.5]],
    ['var(--x)', undefined],
    ['#12345', undefined],
  ])('%s', (text, expected) => {
    expect(readColour(text)).toEqual(expected)
  })

  const themes: Record<string, Record<string, string>> = {
    dark: { '--vscode-editor-background': '#1f1f1f' },
    light: { '--vscode-editor-background': '#ffffff', '--vscode-symbolIcon-classForeground': '#ffd9a0' },
    'high contrast': { '--vscode-editor-background': '#000000' },
    'high contrast light': { '--vscode-editor-background': '#ffffff', '--vscode-foreground': '#292929' },
    'a strange theme': {
      '--vscode-editor-background': '#777777',
      '--vscode-foreground': '#808080',
      '--vscode-charts-blue': '#777778',
    },
  }
  test.each(Object.entries(themes))('of %s can be told from what is behind them', (name, variables) => {
    const theme = makeTheme(variable => variables[variable] ?? '', name.startsWith('high'))
    const colour = (text: string): Rgba => readColour(text) ?? [0, 0, 0, 0]
    const card = colour(theme.card)
    for (const role of Object.values(theme.roles))
      expect(contrast(colour(role), card)).toBeGreaterThanOrEqual(2.95)
    expect(contrast(colour(theme.text), card)).toBeGreaterThanOrEqual(4.4)
    expect(contrast(colour(theme.detail), card)).toBeGreaterThanOrEqual(4.4)
    const background = colour(theme.background)
    for (const line of [theme.edge, theme.lit, theme.focus]) {
      expect(contrast(colour(line), background)).toBeGreaterThanOrEqual(2.95)
    }
  })

  test('that are seen well stay as they are', () => {
    expect(legible([0, 0, 0, 1], [255, 255, 255, 1], 4.5)).toEqual([0, 0, 0, 1])
  })
})
