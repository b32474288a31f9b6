/**
 * The graph on a page, without a framework: draws what `update` gives it and asks through `GraphEvents` for what the user
 * wants. It keeps the camera and what the pointer is over; everything else belongs to the page.
 */
import {
  anchored,
  between,
  type Camera,
  centred,
  fitted,
  pannedBy,
  revealing,
  toGraph,
  zoomedAt,
} from './camera.ts'
import { makeFrame } from './frame.ts'
import { boundsOf, mixedPoint, type Point } from './geometry.ts'
import { listenForGestures } from './gestures.ts'
import type { Graph, GraphOptions } from './graph.ts'
import { hitAt, nearestCard } from './hit.ts'
import { keyAction, neighbourOf } from './keys.ts'
import { type ElkLayout, makeElkLayout } from './layout/elk-layout.ts'
import type { Layout } from './layout/layout-graph.ts'
import { startWorker } from './layout/start-worker.ts'
import type { Lens } from './lens.ts'
import { makeMinimap } from './minimap-view.ts'
import { makeMotion } from './motion.ts'
import { readTheme, surfaceOf, wantsNoMotion, watchTheme } from './page.ts'
import type { Surface } from './paint.ts'
import { makePainter } from './painter.ts'
import { makePlacing } from './placing.ts'
import type { Card } from './scene.ts'
import { type GraphInput, makePlaces, makeStage, type Stage, withHovered, withLayout } from './stage.ts'
import { tell as tellFrame } from './tell.ts'
import type { Scope } from './view.ts'

const scopes: readonly Scope[] = ['direct', 'near', 'connected', 'all']
/** More cards than this do not fly to their new places. */
const mostTweened = 1_000
/** The legend lies over the lowest pixels of the canvas. */
const legendRoom = 36
/** In a smaller picture names are no longer whole: then the selected card is shown, not everything. */
const leastReadable = 0.5

export function mountGraph(host: HTMLElement, options: GraphOptions): Graph {
  const frame = makeFrame(host)
  const places = makePlaces()
  const painter = makePainter()
  const better = new Set<string>()
  const now = options.now ?? Date.now
  const elkUrl = options.elkUrl
  const elk: ElkLayout | undefined =
    elkUrl === undefined ? undefined : makeElkLayout(() => startWorker(elkUrl))
  let theme = readTheme(host)
  let stage: Stage = makeStage(options.input, places, now(), undefined)
  let surface: Surface | undefined = surfaceOf(frame.canvas, host)
  const motion = makeMotion(options.camera ?? whole(), ask, wantsNoMotion)
  /** Nobody has looked closer or elsewhere: the whole stays in view whatever the size of the page. */
  let isFitted = options.camera === null
  let hovered: string | undefined
  let frameAsked = 0
  let destroyed = false
  const placing = makePlacing({
    selected: () => stage.scene.cards[stage.scene.selected ?? -1],
    moved(to) {
      const id = stage.view.nodes[stage.scene.selected ?? -1]?.id
      if (id !== undefined) drop(id, [to.x, to.y])
    },
    changed() {
      frame.application.dataset['over'] = placing.isOn() ? 'place' : ''
      tell()
    },
  })
  const minimap = makeMinimap(frame, {
    look(at) {
      look(centred({ ...at, width: 0, height: 0 }, screen(), motion.camera().zoom))
    },
    rest: () => options.onCamera?.(motion.camera()),
  })

  // ---------------------------------------------------------------- frames

  function screen() {
    return { width: surface?.width ?? host.clientWidth, height: surface?.height ?? host.clientHeight }
  }

  function ask(): void {
    if (frameAsked === 0 && !destroyed) frameAsked = requestAnimationFrame(draw)
  }

  function draw(time: number): void {
    frameAsked = 0
    const isMoving = motion.tick(time)
    if (surface === undefined) return
    const { scene } = stage
    const still = wantsNoMotion()
    const pulse = still ? 1 : 0.5 - Math.cos((time / 1200) * Math.PI * 2) / 2
    painter.draw(surface, scene, motion.camera(), theme, pulse)
    minimap.draw(scene, motion.camera(), screen(), theme)
    if (isMoving || (!still && scene.cards.some(card => card.running))) ask()
  }

  function middleOf(camera: Camera): Point {
    const { width, height } = screen()
    return toGraph(camera, { x: width / 2, y: height / 2 })
  }

  function whole(): Camera {
    const { width, height } = screen()
    return fitted(boundsOf(stage.scene.cards), { width, height: height - legendRoom })
  }

  /** Where the user wants to look. */
  function look(camera: Camera): void {
    isFitted = false
    motion.put(camera)
  }

  function flyTo(target: Camera): void {
    motion.flyTo(target)
    options.onCamera?.(target)
  }

  // ---------------------------------------------------------------- what is shown

  function update(change: Partial<GraphInput>): void {
    const before = stage
    stage = makeStage({ ...stage.input, ...change }, places, now(), hovered, stage)
    if (stage.layoutKey !== before.layoutKey) settleView(before)
    if (change.selected !== undefined && change.selected !== before.input.selected) revealSelected()
    tell()
    ask()
  }

  /** What was and is selected stays on its place of the screen; without one the whole of it is shown. */
  function settleView(before: Stage): void {
    const id = stage.input.selected ?? stage.input.focus
    const [was, is] = [cardOf(before, id), cardOf(stage, id)]
    if (was !== undefined && is !== undefined) motion.put(anchored(motion.camera(), was, is))
    else fitNow()
    improve()
  }

  function improve(): void {
    const { layoutKey, graph } = stage
    if (elk === undefined || better.has(layoutKey)) return
    elk.layout(graph).then(
      layout => {
        if (layout === undefined || destroyed) return
        better.add(layoutKey)
        const from = places.get(layoutKey)
        places.set(layoutKey, layout)
        if (stage.layoutKey === layoutKey) arrive(from ?? layout, layout)
      },
      () => undefined,
    )
  }

  /** The cards move to their better places while the selected one, or else the middle, stays. */
  function arrive(from: Layout, to: Layout): void {
    const start = motion.camera()
    const before =
      cardOf(stage, stage.input.selected ?? stage.input.focus) ??
      nearestCard(stage.scene.cards, middleOf(start))
    const { layoutKey } = stage
    const place = (layout: Layout) => {
      if (stage.layoutKey === layoutKey) stage = withLayout(stage, layout, hovered)
    }
    place(to)
    const after = cardOf(stage, before?.id ?? null)
    const target =
      isFitted || before === undefined || after === undefined ? whole() : anchored(start, before, after)
    if (wantsNoMotion() || to.positions.length > mostTweened) {
      motion.put(target)
      return
    }
    motion.animate(part => {
      const flying = to.positions.map((point, index) =>
        mixedPoint(from.positions[index] ?? point, point, part),
      )
      place(part >= 1 ? to : { ...to, positions: flying })
      motion.nudge(between(start, target, part))
    })
  }

  function fitNow(): void {
    isFitted = true
    motion.put(whole())
  }

  function revealSelected(): void {
    const card = cardOf(stage, stage.input.selected)
    if (card === undefined) return
    const camera = motion.camera()
    const target = revealing(camera, card, screen())
    if (target === camera) return
    isFitted = false
    flyTo(camera.zoom < leastReadable ? centred(card, screen(), 1) : target)
  }

  /** More or less room: what was seen whole still is, what is selected is not lost behind the details. */
  function resize(): void {
    const before = surface
    surface = surfaceOf(frame.canvas, host)
    if (surface === undefined) return
    const card = cardOf(stage, stage.input.selected)
    const target = whole()
    if (isFitted && (card === undefined || target.zoom >= leastReadable || before === undefined))
      motion.put(target)
    else if (card !== undefined) motion.put(revealing(motion.camera(), card, screen()))
    ask()
  }

  function tell(): void {
    tellFrame(frame, stage, theme, options, placing.isOn())
  }

  // ---------------------------------------------------------------- what the user does

  function choose(index: number): void {
    const shown = stage.view.nodes[index]
    if (shown === undefined) return
    if (shown.node === undefined) expand(shown.id)
    else options.onSelect(shown.id)
  }

  function expand(what: string): void {
    options.onExpanded?.([...stage.input.expanded, what])
  }

  function openOrSelect(index: number): void {
    const shown = stage.view.nodes[index]
    if (shown?.node !== undefined && index === stage.scene.selected) options.onOpen?.(shown.id)
    else choose(index)
  }

  function drop(id: string, [x, y]: readonly [number, number]): void {
    options.onMoved?.({ ...stage.input.moved, [id]: [Math.round(x), Math.round(y)] })
  }

  function changeLevels(more: boolean): void {
    const next = scopes[scopes.indexOf(stage.input.scope) + (more ? 1 : -1)]
    if (next !== undefined) options.onScope?.(next)
  }

  function onKey(event: KeyboardEvent): void {
    const action = keyAction(event.key, event.ctrlKey || event.altKey || event.metaKey, event.shiftKey)
    if (action === undefined) return
    event.preventDefault()
    const { scene, view, input } = stage
    switch (action.type) {
      case 'move': {
        const next = neighbourOf(view, scene.cards, scene.selected, action.to)
        const id = next === undefined ? undefined : view.nodes[next]?.id
        if (id !== undefined) options.onSelect(id)
        return
      }
      case 'zoom':
        zoomBy(action.factor)
        return
      case 'shift':
        placing.shift(action.dx, action.dy)
        return
      case 'place':
        placing.turn(!placing.isOn())
        return
      case 'levels':
        changeLevels(action.more)
        return
      case 'fit':
        fit()
        return
      case 'open':
        if (scene.selected !== undefined) openOrSelect(scene.selected)
        return
      case 'focus':
        if (input.selected !== null) options.onFocus?.(input.selected)
        return
      case 'clear':
        if (placing.isOn()) placing.turn(false)
        else options.onSelect(null)
    }
  }

  const stopGestures = listenForGestures(frame.application, {
    grab(at) {
      const hit = hitAt(stage.scene.cards, motion.camera(), at)
      if (!placing.isOn()) frame.application.dataset['over'] = 'drag'
      return hit === undefined || hit.type === 'more' ? undefined : stage.scene.cards[hit.index]?.id
    },
    pan(dx, dy) {
      look(pannedBy(motion.camera(), dx, dy))
    },
    drag(id, dx, dy) {
      const card = cardOf(stage, id)
      if (card === undefined) return
      const { zoom } = motion.camera()
      const at: [number, number] = [card.x + dx / zoom, card.y + dy / zoom]
      update({ moved: { ...stage.input.moved, [id]: at } })
    },
    dropped(id) {
      const at = stage.input.moved[id]
      if (at !== undefined) drop(id, at)
    },
    click(at) {
      if (placing.isOn()) return placing.place(toGraph(motion.camera(), at))
      const hit = hitAt(stage.scene.cards, motion.camera(), at)
      const card = hit === undefined ? undefined : stage.scene.cards[hit.index]
      if (hit === undefined || card === undefined) return options.onSelect(null)
      if (hit.type === 'more') return expand(`${hit.side}:${card.id}`)
      const column = hit.type === 'column' ? card.columns[hit.row] : undefined
      if (column !== undefined) return options.onColumn?.(card.id, column.name)
      choose(hit.index)
    },
    doubleClick(at) {
      const hit = hitAt(stage.scene.cards, motion.camera(), at)
      const shown = hit === undefined ? undefined : stage.view.nodes[hit.index]
      if (hit?.type === 'card' && shown?.node !== undefined) options.onFocus?.(shown.id)
    },
    hover(at) {
      const hit = at === undefined ? undefined : hitAt(stage.scene.cards, motion.camera(), at)
      const id = hit === undefined ? undefined : stage.scene.cards[hit.index]?.id
      frame.application.dataset['over'] = placing.isOn() ? 'place' : id === undefined ? '' : 'card'
      if (id === hovered) return
      hovered = id
      stage = withHovered(stage, id)
      ask()
    },
    zoom(factor, at) {
      look(zoomedAt(motion.camera(), factor, at))
    },
    rest: () => options.onCamera?.(motion.camera()),
  })

  function fit(): void {
    isFitted = true
    flyTo(whole())
  }

  function zoomBy(factor: number): void {
    const { width, height } = screen()
    isFitted = false
    flyTo(zoomedAt(motion.camera(), factor, { x: width / 2, y: height / 2 }))
  }

  // ---------------------------------------------------------------- the page

  const stop = new AbortController()
  const { signal } = stop
  frame.application.addEventListener('keydown', onKey, { signal })
  frame.lens.addEventListener('change', () => options.onLens?.(frame.lens.value as Lens), { signal })
  frame.buttons.fit.addEventListener('click', fit, { signal })
  frame.buttons.zoomIn.addEventListener('click', () => zoomBy(1.25), { signal })
  frame.buttons.zoomOut.addEventListener('click', () => zoomBy(0.8), { signal })
  frame.buttons.fold.addEventListener('click', () => options.onExpanded?.([]), { signal })
  frame.buttons.unfold.addEventListener('click', () => expand('group:*'), { signal })
  frame.buttons.move.addEventListener('click', () => placing.turn(!placing.isOn()), { signal })
  frame.buttons.reset.addEventListener('click', () => options.onMoved?.({}), { signal })

  const resized = new ResizeObserver(resize)
  resized.observe(host)

  function restyle(): void {
    theme = readTheme(host)
    tell()
    ask()
  }
  const unwatchTheme = watchTheme(restyle)

  tell()
  // The first picture is drawn at once: it does not wait for a frame, and the better layout waits for it.
  if (surface !== undefined) draw(performance.now())
  improve()

  return {
    update,
    fit,
    zoomBy,
    reveal(id) {
      const card = cardOf(stage, id)
      if (card !== undefined) flyTo(revealing(motion.camera(), card, screen()))
    },
    focus: () => frame.application.focus(),
    restyle,
    camera: motion.camera,
    problem: () => stage.problem,
    destroy() {
      destroyed = true
      cancelAnimationFrame(frameAsked)
      stop.abort()
      stopGestures()
      minimap.stop()
      resized.disconnect()
      unwatchTheme()
      elk?.dispose()
      frame.remove()
    },
  }
}

function cardOf({ view, scene }: Stage, id: string | null): Card | undefined {
  return id === null ? undefined : scene.cards[view.indexOf.get(id) ?? -1]
}
