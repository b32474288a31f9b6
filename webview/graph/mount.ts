/**
 * Mounts the graph on a page, without a framework: draws what `update` gives it and reports what the user
 * wants through `GraphEvents`. It owns the camera and the hovered card; everything else belongs to the page.
 */
import { makeFrame } from './frame.ts'
import { listenForGestures } from './gestures.ts'
import type { Graph, GraphOptions } from './graph.ts'
import { GraphView } from './graph-view.ts'
import type { Lens } from './lens.ts'
import { watchTheme } from './page.ts'
import { expand, gestureTarget, pressKey } from './user-actions.ts'

export function mountGraph(host: HTMLElement, options: GraphOptions): Graph {
  const view = new GraphView(host, makeFrame(host), options)
  const stop = listen(view, host)
  return {
    update: change => view.update(change),
    fit: () => view.fit(),
    zoomBy: factor => view.zoomBy(factor),
    reveal: id => view.reveal(id),
    focus: () => view.frame.application.focus(),
    restyle: () => view.restyle(),
    camera: view.motion.camera,
    problem: () => view.stage.problem,
    destroy() {
      stop()
      view.destroy()
    },
  }
}

/** Returns a function that removes the listeners. */
function listen(view: GraphView, host: HTMLElement): () => void {
  const { frame, options, placing } = view
  const stop = new AbortController()
  const { signal } = stop
  const onClick = (button: keyof typeof frame.buttons, listener: () => void) =>
    frame.buttons[button].addEventListener('click', listener, { signal })
  frame.application.addEventListener('keydown', event => pressKey(view, event), { signal })
  frame.lens.addEventListener('change', () => options.onLens?.(frame.lens.value as Lens), { signal })
  onClick('fit', () => view.fit())
  onClick('zoomIn', () => view.zoomBy(1.25))
  onClick('zoomOut', () => view.zoomBy(0.8))
  onClick('fold', () => options.onExpanded?.([]))
  onClick('unfold', () => expand(view, 'group:*'))
  onClick('move', () => placing.turn(!placing.isOn()))
  onClick('reset', () => options.onMoved?.({}))
  const stopGestures = listenForGestures(frame.application, gestureTarget(view))
  const resized = new ResizeObserver(() => view.resize())
  resized.observe(host)
  const unwatchTheme = watchTheme(() => view.restyle())
  return () => {
    stop.abort()
    stopGestures()
    resized.disconnect()
    unwatchTheme()
  }
}
