/** Updates the elements beside the canvas: text for screen readers, messages, legend and buttons. */
import { describeNode } from './describe.ts'
import type { Frame } from './frame.ts'
import type { GraphEvents } from './graph.ts'
import { fillLegend } from './legend.ts'
import { factsOf } from './scene.ts'
import type { Stage } from './stage.ts'
import type { Theme } from './theme.ts'

export function tell(
  frame: Frame,
  stage: Stage,
  theme: Theme,
  events: GraphEvents,
  isPlacing: boolean,
): void {
  const { scene, view, input } = stage
  const { model } = input
  const { application, mirror, status, legend, lens, buttons } = frame
  application.setAttribute('aria-label', `Lineage graph, ${view.nodes.length} of ${model.nodes.length} shown`)
  const shown = scene.selected === undefined ? undefined : view.nodes[scene.selected]
  mirror.setAttribute(
    'aria-label',
    shown === undefined
      ? 'No asset selected'
      : describeNode(view, scene.selected ?? 0, factsOf(model, shown, input.live)),
  )
  const notice = isPlacing
    ? `Click where ${shown?.label ?? 'it'} is to stand. Esc: as it was.`
    : noticeOf(stage)
  if (status.textContent !== notice) status.textContent = notice
  buttons.reset.hidden = Object.keys(input.moved).length === 0
  buttons.fold.hidden = input.expanded.length === 0
  buttons.unfold.hidden = !view.nodes.some(each => each.node === undefined)
  buttons.move.hidden = shown === undefined
  buttons.move.setAttribute('aria-pressed', String(isPlacing))
  lens.value = input.lens
  fillLegend(legend, input.lens, model.kinds, input.hidden, theme, hidden => events.onHidden?.(hidden))
}

function noticeOf({ view, cycles, input: { model, focus, kept } }: Stage): string {
  if (view.nodes.length === 0 && focus !== null) return outsideText(focus, kept?.size ?? 0)
  const names = cycles[0]?.map(index => model.nodes[index]?.name ?? '') ?? []
  return names.length === 0 ? '' : `These read each other: ${names.slice(0, 5).join(', ')}`
}

/** The list beside the graph has the matches that the scope leaves out. */
function outsideText(focus: string, matches: number): string {
  const are = matches === 1 ? 'asset matches the filter, but is' : 'assets match the filter, but are'
  return `${matches} ${are} not among those around ${focus}. Show everything to see ${matches === 1 ? 'it' : 'them'}.`
}
