/**
 * Mounts the graph on a page, without a framework: draws what `update` gives it and reports what the user
 * wants through `GraphEvents`. It owns the camera and the hovered card; everything else belongs to the page.
 */
import { makeFrame } from './frame.ts'
import { listenForGestures } from './gestures.ts'
import type { GraphOptions } from './graph.ts'
import { GraphView } from './graph-view.ts'
import type { Lens } from './lens.ts'
import { watchTheme } from './page.ts'
import { expand, gestureTarget, pressKey } from './user-actions.ts'

export function mountGraph(host: HTMLElement, options: GraphOptions): GraphView {
  const view = new GraphView(host, makeFrame(host), options)
  listen(view, host)
  return view
}

function listen(view: GraphView, host: HTMLElement): void {
  const { frame, options, placing, ended: signal } = view
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
  listenForGestures(frame.application, gestureTarget(view), signal)
  const resized = new ResizeObserver(() => view.resize())
  resized.observe(host)
  signal.addEventListener('abort', () => resized.disconnect())
  watchTheme(() => view.restyle(), signal)
}
