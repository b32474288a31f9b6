/**
 * The graph's stage, its camera, and the frames that draw them. The selected card keeps its place on the
 * screen while cards are added, removed and moved.
 */
import {
  anchored,
  between,
  type Camera,
  centred,
  filled,
  fitted,
  pannedBy,
  revealing,
  toGraph,
  zoomedAt,
} from './camera.ts'
import type { Frame } from './frame.ts'
import { boundsOf, mixedPoint, type Point } from './geometry.ts'
import type { GraphOptions } from './graph.ts'
import { nearestCard } from './hit.ts'
import { type ElkLayout, makeElkLayout } from './layout/elk-layout.ts'
import type { Layout } from './layout/layout-graph.ts'
import { startWorker } from './layout/start-worker.ts'
import { makeMinimap } from './minimap.ts'
import { type Motion, makeMotion } from './motion.ts'
import { readTheme, surfaceOf, wantsNoMotion } from './page.ts'
import type { Surface } from './paint.ts'
import { makePainter } from './painter.ts'
import { makePlacing, type Placing } from './placing.ts'
import type { Card } from './scene.ts'
import { type GraphInput, makePlaces, makeStage, type Stage, withHovered, withLayout } from './stage.ts'
import { tell as tellFrame } from './tell.ts'
import type { Theme } from './theme.ts'

/** With more cards than this, moves are not animated. */
const mostTweened = 1_000
/** The legend covers the lowest pixels of the canvas. */
const legendRoom = 36
/** At a smaller zoom names are unreadable; then the view shows the selected card instead of everything. */
const leastReadable = 0.5
/** On a narrower canvas a whole graph is blocks without names, so the view begins with a readable part of it. */
const narrowWidth = 700
/** So it does on a lower one, which has the lines of a run or a terminal below it. */
const lowHeight = 320

/** Kept for the page, so that a graph which is shown again has the arrangement that it had. */
const places = makePlaces()
/** The keys of the layouts that elkjs has computed. */
const better = new Set<string>()

export class GraphView {
  readonly frame: Frame
  readonly options: GraphOptions
  readonly placing: Placing
  readonly motion: Motion
  /** Aborted when the graph is taken off the page. */
  readonly ended: AbortSignal
  readonly #ending = new AbortController()
  readonly #host: HTMLElement
  readonly #paint = makePainter()
  readonly #elk: ElkLayout | undefined
  readonly #drawMinimap: ReturnType<typeof makeMinimap>
  #theme: Theme
  #stage: Stage
  #surface: Surface | undefined
  /**
   * Whether the user has not moved the view; it then keeps showing the whole graph when the page changes its
   * size.
   */
  #isFitted: boolean
  /** The card that the user selected in the graph last. */
  #chosenHere: string | null = null
  #hovered: string | undefined
  #frameAsked = 0
  /** How often the layout was looked at, so that an answer to an older question does not end the wait. */
  #layoutsAsked = 0
  /** How many columns of the path are on shown cards. */
  #pathShown = 0

  constructor(host: HTMLElement, frame: Frame, options: GraphOptions) {
    const { elkUrl } = options
    this.#host = host
    this.ended = this.#ending.signal
    this.frame = frame
    this.options = {
      ...options,
      onSelect: id => {
        this.#chosenHere = id
        options.onSelect(id)
      },
    }
    this.#elk = elkUrl === undefined ? undefined : makeElkLayout(() => startWorker(elkUrl))
    this.#theme = readTheme(host)
    this.#stage = makeStage(options.input, places, undefined)
    this.#surface = surfaceOf(frame.canvas, host)
    this.motion = makeMotion(options.camera ?? this.#opening(), () => this.ask(), wantsNoMotion)
    this.#isFitted = options.camera === null
    this.placing = this.#makePlacing()
    const map = {
      look: (at: Point) =>
        this.look(centred({ ...at, width: 0, height: 0 }, this.#screen(), this.motion.camera().zoom)),
      rest: () => this.rest(),
    }
    this.#drawMinimap = makeMinimap(frame, map, this.ended)
    this.tell()
    // The first frame is drawn at once, before the better layout is computed.
    if (this.#surface !== undefined) this.#draw(performance.now())
    this.#improve()
  }

  get stage(): Stage {
    return this.#stage
  }

  destroy(): void {
    this.#ending.abort()
    cancelAnimationFrame(this.#frameAsked)
    this.#elk?.dispose()
    this.frame.remove()
  }

  #makePlacing(): Placing {
    const placing = makePlacing({
      selected: () => this.#stage.scene.cards[this.#stage.scene.selected ?? -1],
      moved: to => {
        const id = this.#stage.view.nodes[this.#stage.scene.selected ?? -1]?.id
        if (id !== undefined) this.drop(id, [to.x, to.y])
      },
      changed: () => {
        this.frame.application.dataset['over'] = placing.isOn() ? 'place' : ''
        this.tell()
      },
    })
    return placing
  }

  // ---------------------------------------------------------------- frames

  ask(): void {
    if (this.#frameAsked !== 0 || this.ended.aborted) return
    this.#frameAsked = requestAnimationFrame(time => this.#draw(time))
  }

  #draw(time: number): void {
    this.#frameAsked = 0
    const isMoving = this.motion.tick(time)
    if (this.#surface === undefined) return
    const { scene } = this.#stage
    const still = wantsNoMotion()
    const pulse = still ? 1 : 0.5 - Math.cos((time / 1200) * Math.PI * 2) / 2
    this.#paint(this.#surface, scene, this.motion.camera(), this.#theme, pulse)
    this.#drawMinimap(scene, this.motion.camera(), this.#screen(), this.#theme)
    if (isMoving || (!still && scene.cards.some(card => card.running))) this.ask()
  }

  tell(): void {
    this.#tellPath()
    tellFrame(this.frame, this.#stage, this.#theme, this.options, this.placing.isOn())
  }

  #tellPath(): void {
    const { input, view } = this.#stage
    const shown = input.path?.columns.filter(({ asset }) => view.indexOf.has(asset)).length ?? 0
    if (shown === this.#pathShown) return
    this.#pathShown = shown
    this.options.onPathShown?.(shown)
  }

  restyle(): void {
    this.#theme = readTheme(this.#host)
    this.tell()
    this.ask()
  }

  /**
   * Handles a new size: a view of the whole graph stays whole. A view that the user chose keeps its zoom, its
   * middle line stays in the middle of a lower canvas, and the selected card stays visible.
   */
  resize(): void {
    const before = this.#surface
    this.#surface = surfaceOf(this.frame.canvas, this.#host)
    if (this.#surface === undefined) return
    const card = this.#selectedCard()
    const target = this.#opening()
    if (this.#isFitted && (card === undefined || target.zoom >= leastReadable || before === undefined))
      this.motion.put(target)
    else {
      const camera = this.motion.camera()
      const lower = before === undefined ? 0 : (before.height - this.#surface.height) / 2
      const kept = pannedBy(camera, 0, -lower)
      this.motion.put(card === undefined ? kept : revealing(kept, card, this.#screen()))
    }
    this.ask()
  }

  // ---------------------------------------------------------------- camera

  #screen() {
    const { width, height } = this.#surface ?? {
      width: this.#host.clientWidth,
      height: this.#host.clientHeight,
    }
    return { width, height }
  }

  #middleOf(camera: Camera): Point {
    const { width, height } = this.#screen()
    return toGraph(camera, { x: width / 2, y: height / 2 })
  }

  #whole(): Camera {
    const { width, height } = this.#screen()
    return fitted(boundsOf(this.#stage.scene.cards), { width, height: height - legendRoom })
  }

  /** Returns the whole graph; on a narrow canvas the selected card, or the sources, at a readable zoom. */
  #opening(): Camera {
    const whole = this.#whole()
    const { width, height } = this.#screen()
    const bounds = boundsOf(this.#stage.scene.cards)
    const isRoomy = width >= narrowWidth && height >= lowHeight
    if (isRoomy || whole.zoom >= leastReadable || bounds === undefined) return whole
    const id = this.#stage.input.selected ?? this.#stage.input.focus
    const start = this.cardOf(id) ?? nearestCard(this.#stage.scene.cards, { x: bounds.x, y: bounds.y })
    if (start === undefined) return whole
    const room = { width, height: height - legendRoom }
    return filled(centred(start, room, leastReadable), bounds, room)
  }

  #selectedCard(): Card | undefined {
    return this.#stage.scene.cards[this.#stage.scene.selected ?? -1]
  }

  /** Handles a camera that the user chose. */
  look(camera: Camera): void {
    this.#isFitted = false
    this.motion.put(camera)
  }

  /** Called when the camera stops moving. */
  rest(): void {
    this.options.onCamera?.(this.motion.camera())
  }

  fit(): void {
    this.#isFitted = true
    this.#flyTo(this.#whole())
  }

  zoomBy(factor: number): void {
    const { width, height } = this.#screen()
    this.#isFitted = false
    this.#flyTo(zoomedAt(this.motion.camera(), factor, { x: width / 2, y: height / 2 }))
  }

  #flyTo(target: Camera): void {
    this.motion.flyTo(target)
    this.options.onCamera?.(target)
  }

  #revealSelected(): void {
    const card = this.#selectedCard()
    if (card === undefined) return
    const camera = this.motion.camera()
    const target = revealing(camera, card, this.#screen())
    if (target === camera) return
    this.#isFitted = false
    this.#flyTo(camera.zoom < leastReadable ? centred(card, this.#screen(), 1) : target)
  }

  // ---------------------------------------------------------------- input

  update(change: Partial<GraphInput>): void {
    const before = this.#stage
    this.#stage = makeStage({ ...before.input, ...change }, places, this.#hovered, before)
    const isSelected = change.selected !== undefined && change.selected !== before.input.selected
    // Whoever clicks a card looks at it: the details that open beside it must not shrink the graph. One that was chosen
    // elsewhere, in a list or in an editor, is shown among all others.
    if (isSelected && change.selected !== null && this.#isFitted && change.selected === this.#chosenHere) {
      this.#isFitted = false
      this.rest()
    }
    // Columns make cards higher: the zoom stays, and what was looked at.
    const isDrawn = change.path != null && change.path !== before.input.path
    if (isDrawn && before.input.selected !== null && this.#isFitted) {
      this.#isFitted = false
      this.rest()
    }
    if (this.#stage.layoutKey !== before.layoutKey) this.#settleView(before)
    if (isSelected) this.#revealSelected()
    this.tell()
    this.ask()
  }

  hover(id: string | undefined): void {
    if (id === this.#hovered) return
    this.#hovered = id
    this.#stage = withHovered(this.#stage, id)
    this.ask()
  }

  cardOf(id: string | null): Card | undefined {
    return cardIn(this.#stage, id)
  }

  /** Handles a card that the user has moved. */
  drop(id: string, [x, y]: readonly [number, number]): void {
    this.options.onMoved?.({ ...this.#stage.input.moved, [id]: [Math.round(x), Math.round(y)] })
  }

  /** Keeps the selected card at its place on the screen; without one, shows the whole graph. */
  #settleView(before: Stage): void {
    const id = this.#stage.input.selected ?? this.#stage.input.focus
    const [was, is] = [cardIn(before, id), this.cardOf(id)]
    if (was !== undefined && is !== undefined) this.motion.put(anchored(this.motion.camera(), was, is))
    else {
      this.#isFitted = true
      this.motion.put(this.#opening())
    }
    this.#improve()
  }

  #improve(): void {
    const { layoutKey, graph } = this.#stage
    const isBest = this.#elk === undefined || better.has(layoutKey)
    // Whoever looks from outside can wait until no better layout is under way.
    this.frame.application.dataset['layout'] = isBest ? 'settled' : 'improving'
    const asked = ++this.#layoutsAsked
    if (isBest) return
    this.#elk.layout(graph).then(
      layout => this.#improved(layoutKey, layout, asked),
      () => this.#improved(layoutKey, undefined, asked),
    )
  }

  /** Handles a better layout; undefined if the one that is shown stays. */
  #improved(layoutKey: string, layout: Layout | undefined, asked: number): void {
    if (this.ended.aborted) return
    if (layout !== undefined) {
      better.add(layoutKey)
      const from = places.get(layoutKey)
      places.set(layoutKey, layout)
      if (this.#stage.layoutKey === layoutKey) this.#arrive(from ?? layout, layout)
    }
    if (asked === this.#layoutsAsked) this.frame.application.dataset['layout'] = 'settled'
  }

  /** Moves the cards to their new places while the selected one, or the centre, stays. */
  #arrive(from: Layout, to: Layout): void {
    const start = this.motion.camera()
    const { input, scene, layoutKey } = this.#stage
    const before =
      this.cardOf(input.selected ?? input.focus) ?? nearestCard(scene.cards, this.#middleOf(start))
    const place = (layout: Layout) => {
      if (this.#stage.layoutKey === layoutKey) this.#stage = withLayout(this.#stage, layout, this.#hovered)
    }
    place(to)
    const after = this.cardOf(before?.id ?? null)
    const isAnchored = !this.#isFitted && before !== undefined && after !== undefined
    const target = isAnchored ? anchored(start, before, after) : this.#opening()
    if (wantsNoMotion() || to.positions.length > mostTweened) {
      this.motion.put(target)
      return
    }
    this.motion.animate(part => {
      const flying = to.positions.map((point, index) =>
        mixedPoint(from.positions[index] ?? point, point, part),
      )
      place(part >= 1 ? to : { ...to, positions: flying })
      this.motion.nudge(between(start, target, part))
    })
  }
}

function cardIn({ view, scene }: Stage, id: string | null): Card | undefined {
  return id === null ? undefined : scene.cards[view.indexOf.get(id) ?? -1]
}
