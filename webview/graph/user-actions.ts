/** Handles keys and pointers on the graph: they move the view, and ask the page for everything else. */
import { pannedBy, toGraph, zoomedAt } from './camera.ts'
import type { Point } from './geometry.ts'
import type { GestureTarget } from './gestures.ts'
import type { GraphView } from './graph-view.ts'
import { hitAt } from './hit.ts'
import { type KeyAction, keyAction, neighbourOf } from './keys.ts'
import type { Scope } from './view.ts'

const scopes: readonly Scope[] = ['direct', 'near', 'connected', 'all']

export function pressKey(view: GraphView, event: KeyboardEvent): void {
  const action = keyAction(event.key, event.ctrlKey || event.altKey || event.metaKey, event.shiftKey)
  if (action === undefined) return
  event.preventDefault()
  act(view, action)
}

function act(view: GraphView, action: KeyAction): void {
  const { options, placing } = view
  const { scene, input } = view.stage
  if (action.type === 'move') selectNeighbour(view, action.to)
  else if (action.type === 'zoom') view.zoomBy(action.factor)
  else if (action.type === 'shift') placing.shift(action.dx, action.dy)
  else if (action.type === 'levels') changeLevels(view, action.more)
  else if (action.type === 'fit') view.fit()
  else if (action.type === 'place') placing.turn(!placing.isOn())
  else if (action.type === 'open' && scene.selected !== undefined) openOrSelect(view, scene.selected)
  else if (action.type === 'focus' && input.selected !== null) options.onFocus?.(input.selected)
  else if (action.type === 'clear' && placing.isOn()) placing.turn(false)
  else if (action.type === 'clear') options.onSelect(null)
}

function selectNeighbour(
  { options, stage }: GraphView,
  to: Extract<KeyAction, { type: 'move' }>['to'],
): void {
  const { scene, view } = stage
  const next = neighbourOf(view, scene.cards, scene.selected, to)
  const id = next === undefined ? undefined : view.nodes[next]?.id
  if (id !== undefined) options.onSelect(id)
}

function changeLevels({ options, stage }: GraphView, more: boolean): void {
  const next = scopes[scopes.indexOf(stage.input.scope) + (more ? 1 : -1)]
  if (next !== undefined) options.onScope?.(next)
}

function openOrSelect(view: GraphView, index: number): void {
  const shown = view.stage.view.nodes[index]
  if (shown?.node !== undefined && index === view.stage.scene.selected) view.options.onOpen?.(shown.id)
  else choose(view, index)
}

function choose(view: GraphView, index: number): void {
  const shown = view.stage.view.nodes[index]
  if (shown === undefined) return
  if (shown.node === undefined) expand(view, shown.id)
  else view.options.onSelect(shown.id)
}

export function expand({ options, stage }: GraphView, what: string): void {
  options.onExpanded?.([...stage.input.expanded, what])
}

export function gestureTarget(view: GraphView): GestureTarget {
  const { frame, motion, options, placing } = view
  return {
    grab(at) {
      if (!placing.isOn()) frame.application.dataset['over'] = 'drag'
      const hit = hitOf(view, at)
      return hit?.type === 'more' ? undefined : idOf(view, hit?.index)
    },
    pan: (dx, dy) => view.look(pannedBy(motion.camera(), dx, dy)),
    drag: (id, dx, dy) => drag(view, id, dx, dy),
    dropped(id) {
      const at = view.stage.input.moved[id]
      if (at !== undefined) view.drop(id, at)
    },
    click: at => click(view, at),
    doubleClick(at) {
      const hit = hitOf(view, at)
      const shown = hit === undefined ? undefined : view.stage.view.nodes[hit.index]
      if (hit?.type === 'card' && shown?.node !== undefined) options.onFocus?.(shown.id)
    },
    hover(at) {
      const id = at === undefined ? undefined : idOf(view, hitOf(view, at)?.index)
      frame.application.dataset['over'] = placing.isOn() ? 'place' : id === undefined ? '' : 'card'
      view.hover(id)
    },
    zoom: (factor, at) => view.look(zoomedAt(motion.camera(), factor, at)),
    rest: () => view.rest(),
  }
}

function hitOf({ stage, motion }: GraphView, at: Point) {
  return hitAt(stage.scene.cards, motion.camera(), at)
}

function idOf({ stage }: GraphView, index: number | undefined): string | undefined {
  return index === undefined ? undefined : stage.scene.cards[index]?.id
}

function drag(view: GraphView, id: string, dx: number, dy: number): void {
  const card = view.cardOf(id)
  if (card === undefined) return
  const { zoom } = view.motion.camera()
  const at: [number, number] = [card.x + dx / zoom, card.y + dy / zoom]
  view.update({ moved: { ...view.stage.input.moved, [id]: at } })
}

function click(view: GraphView, at: Point): void {
  const { motion, options, placing, stage } = view
  const hit = hitOf(view, at)
  const card = hit === undefined ? undefined : stage.scene.cards[hit.index]
  const column = hit?.type === 'column' ? card?.columns[hit.row] : undefined
  if (placing.isOn()) placing.place(toGraph(motion.camera(), at))
  else if (hit === undefined || card === undefined) options.onSelect(null)
  else if (hit.type === 'more') expand(view, `${hit.side}:${card.id}`)
  else if (
    column !== undefined &&
    column.isRest !== true &&
    stage.input.model.nodes[stage.input.model.indexOf.get(column.asset) ?? -1]?.asset !== undefined
  )
    options.onColumn?.(column.asset, column.column)
  else choose(view, hit.index)
}
