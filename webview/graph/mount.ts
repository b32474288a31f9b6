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
  sameCamera,
  zoomedAt,
} from './camera.ts'
import { describeNode } from './describe.ts'
import { makeDrawList } from './draw-list.ts'
import { makeFrame } from './frame.ts'
import { boundsOf, mixedPoint } from './geometry.ts'
import { listenForGestures } from './gestures.ts'
import type { Graph, GraphOptions } from './graph.ts'
import { hitAt } from './hit.ts'
import { keyAction, neighbourOf } from './keys.ts'
import { type ElkLayout, makeElkLayout } from './layout/elk-layout.ts'
import type { Positions } from './layout/layout-graph.ts'
import { startWorker } from './layout/start-worker.ts'
import { fillLegend } from './legend.ts'
import type { Lens } from './lens.ts'
import { makeMinimap } from './minimap-view.ts'
import { readTheme, surfaceOf, wantsNoMotion, watchTheme } from './page.ts'
import { paint, type Surface } from './paint.ts'
import { type Card, factsOf } from './scene.ts'
import { type GraphInput, makePlaces, makeStage, type Stage, withHovered, withPositions } from './stage.ts'
import type { Scope } from './view.ts'

const tweenMs = 150
const scopes: readonly Scope[] = ['direct', 'near', 'connected', 'all']
/** More cards than this do not fly to their new places. */
const mostTweened = 1_000

export function mountGraph(host: HTMLElement, options: GraphOptions): Graph {
  const frame = makeFrame(host)
  const places = makePlaces()
  const better = new Set<string>()
  const now = options.now ?? Date.now
  const elkUrl = options.elkUrl
  const elk: ElkLayout | undefined =
    elkUrl === undefined ? undefined : makeElkLayout(() => startWorker(elkUrl))
  let theme = readTheme(host)
  let stage: Stage = makeStage(options.input, places, now(), undefined)
  let surface: Surface | undefined = surfaceOf(frame.canvas, host)
  let camera = options.camera ?? fitted(boundsOf(stage.scene.cards), screen())
  let isPlaced = options.camera !== null
  let hovered: string | undefined
  let frameAsked = 0
  let animation: ((time: number) => boolean) | undefined
  let destroyed = false
  const minimap = makeMinimap(frame, {
    look(at) {
      camera = centred({ ...at, width: 0, height: 0 }, screen(), camera.zoom)
      ask()
    },
    rest: () => options.onCamera?.(camera),
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
    if (animation?.(time) === false) animation = undefined
    if (surface === undefined) return
    const isRunning = stage.scene.cards.some(card => card.running)
    const still = wantsNoMotion()
    const pulse = still ? 1 : 0.5 - Math.cos((time / 1200) * Math.PI * 2) / 2
    paint(surface, makeDrawList(stage.scene, camera, screen()), theme, pulse)
    minimap.draw(stage.scene, camera, screen(), theme)
    if (animation !== undefined || (isRunning && !still)) ask()
  }

  function moveTo(target: Camera): void {
    if (wantsNoMotion()) {
      camera = target
      animation = undefined
    } else {
      const from = camera
      animate(part => {
        camera = between(from, target, part)
      })
    }
    ask()
    options.onCamera?.(target)
  }

  function animate(step: (part: number) => void): void {
    let start: number | undefined
    animation = time => {
      start ??= time
      const part = Math.min(1, (time - start) / tweenMs)
      step(part)
      return part < 1
    }
    ask()
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
    animation = undefined
    const id = stage.input.selected ?? stage.input.focus
    const [was, is] = [cardOf(before, id), cardOf(stage, id)]
    if (was !== undefined && is !== undefined) camera = anchored(camera, was, is)
    else camera = fitted(boundsOf(stage.scene.cards), screen())
    improve()
  }

  function improve(): void {
    const { layoutKey, graph } = stage
    if (elk === undefined || better.has(layoutKey)) return
    elk.layout(graph).then(
      positions => {
        if (positions === undefined || destroyed) return
        better.add(layoutKey)
        const from = places.get(layoutKey)
        places.set(layoutKey, positions)
        if (stage.layoutKey === layoutKey) arrive(from ?? positions, positions)
      },
      () => undefined,
    )
  }

  /** The cards move to their better places while the selected one, or else the middle, stays. */
  function arrive(from: Positions, to: Positions): void {
    const id = stage.input.selected ?? stage.input.focus
    const wasFitted = sameCamera(camera, fitted(boundsOf(stage.scene.cards), screen()))
    const before = cardOf(stage, id)
    const start = camera
    const place = (positions: Positions) => {
      stage = withPositions(stage, positions, hovered)
    }
    place(to)
    const after = cardOf(stage, id)
    const target =
      wasFitted || before === undefined || after === undefined
        ? fitted(boundsOf(stage.scene.cards), screen())
        : anchored(camera, before, after)
    if (wantsNoMotion() || to.length > mostTweened) {
      camera = target
      ask()
      return
    }
    animate(part => {
      place(part >= 1 ? to : to.map((point, index) => mixedPoint(from[index] ?? point, point, part)))
      camera = between(start, target, part)
    })
  }

  function revealSelected(): void {
    const card = cardOf(stage, stage.input.selected)
    if (card === undefined) return
    const target = revealing(camera, card, screen())
    if (target !== camera) moveTo(camera.zoom < 0.5 ? centred(card, screen(), 1) : target)
  }

  function tell(): void {
    const { scene, view, model, input } = stage
    const { application, mirror, status, legend, lens } = frame
    application.setAttribute(
      'aria-label',
      `Lineage graph, ${view.nodes.length} of ${model.nodes.length} shown`,
    )
    const shown = scene.selected === undefined ? undefined : view.nodes[scene.selected]
    mirror.setAttribute(
      'aria-label',
      shown === undefined
        ? 'No asset selected'
        : describeNode(view, scene.selected ?? 0, factsOf(model, shown, input.live)),
    )
    const notice = stage.problem ?? (view.nodes.length === 0 ? 'Nothing matches the filter' : '')
    if (status.textContent !== notice) status.textContent = notice
    frame.buttons.reset.hidden = Object.keys(input.moved).length === 0
    lens.value = input.lens
    fillLegend(legend, input.lens, input.hidden, theme, hidden => options.onHidden?.(hidden))
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

  function changeLevels(more: boolean): void {
    const next = scopes[scopes.indexOf(stage.input.scope) + (more ? 1 : -1)]
    if (next !== undefined) options.onScope?.(next)
  }

  function onKey(event: KeyboardEvent): void {
    const action = keyAction(event.key, event.ctrlKey || event.altKey || event.metaKey)
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
        options.onSelect(null)
    }
  }

  const stopGestures = listenForGestures(frame.application, {
    grab(at) {
      const hit = hitAt(stage.scene.cards, camera, at)
      frame.application.dataset['over'] = 'drag'
      return hit === undefined || hit.type === 'more' ? undefined : stage.scene.cards[hit.index]?.id
    },
    pan(dx, dy) {
      animation = undefined
      camera = pannedBy(camera, dx, dy)
      ask()
    },
    drag(id, dx, dy) {
      const card = cardOf(stage, id)
      if (card === undefined) return
      const at: [number, number] = [card.x + dx / camera.zoom, card.y + dy / camera.zoom]
      update({ moved: { ...stage.input.moved, [id]: at } })
    },
    dropped(id) {
      const at = stage.input.moved[id]
      if (at !== undefined)
        options.onMoved?.({ ...stage.input.moved, [id]: [Math.round(at[0]), Math.round(at[1])] })
    },
    click(at) {
      const hit = hitAt(stage.scene.cards, camera, at)
      const card = hit === undefined ? undefined : stage.scene.cards[hit.index]
      if (hit === undefined || card === undefined) return options.onSelect(null)
      if (hit.type === 'more') return expand(`${hit.side}:${card.id}`)
      const column = hit.type === 'column' ? card.columns[hit.row] : undefined
      if (column !== undefined) return options.onColumn?.(card.id, column.name)
      choose(hit.index)
    },
    doubleClick(at) {
      const hit = hitAt(stage.scene.cards, camera, at)
      const shown = hit === undefined ? undefined : stage.view.nodes[hit.index]
      if (hit?.type === 'card' && shown?.node !== undefined) options.onFocus?.(shown.id)
    },
    hover(at) {
      const hit = at === undefined ? undefined : hitAt(stage.scene.cards, camera, at)
      const id = hit === undefined ? undefined : stage.scene.cards[hit.index]?.id
      frame.application.dataset['over'] = id === undefined ? '' : 'card'
      if (id === hovered) return
      hovered = id
      stage = withHovered(stage, id)
      ask()
    },
    zoom(factor, at) {
      animation = undefined
      camera = zoomedAt(camera, factor, at)
      ask()
    },
    rest: () => options.onCamera?.(camera),
  })

  function fit(): void {
    moveTo(fitted(boundsOf(stage.scene.cards), screen()))
  }

  function zoomBy(factor: number): void {
    const { width, height } = screen()
    moveTo(zoomedAt(camera, factor, { x: width / 2, y: height / 2 }))
  }

  // ---------------------------------------------------------------- the page

  const stop = new AbortController()
  const { signal } = stop
  frame.application.addEventListener('keydown', onKey, { signal })
  frame.lens.addEventListener('change', () => options.onLens?.(frame.lens.value as Lens), { signal })
  frame.buttons.fit.addEventListener('click', fit, { signal })
  frame.buttons.zoomIn.addEventListener('click', () => zoomBy(1.25), { signal })
  frame.buttons.zoomOut.addEventListener('click', () => zoomBy(0.8), { signal })
  frame.buttons.reset.addEventListener('click', () => options.onMoved?.({}), { signal })

  const resized = new ResizeObserver(() => {
    surface = surfaceOf(frame.canvas, host)
    if (!isPlaced && surface !== undefined) {
      camera = fitted(boundsOf(stage.scene.cards), screen())
      isPlaced = true
    }
    ask()
  })
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
      if (card !== undefined) moveTo(revealing(camera, card, screen()))
    },
    focus: () => frame.application.focus(),
    restyle,
    camera: () => camera,
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
