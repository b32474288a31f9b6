/**
 * Small SVG plots with their scale; each has a table with the same figures, for screen readers and on click.
 */
import { html, nothing, svg, type TemplateResult } from 'lit'
import { barHeights, lineSegments } from '../store/plot.ts'

export interface PlotValue {
  readonly label: string
  readonly value: number | null
  readonly failed?: boolean
}

export interface PlotOptions {
  /** Formats a value for people. */
  readonly say: (value: number) => string
  /** Height in pixels. */
  readonly height?: number
}

const usualHeight = 40
const step = 11

/** Expects values oldest first. */
export function barPlot(title: string, values: readonly PlotValue[], options: PlotOptions): TemplateResult {
  const { say, height = usualHeight } = options
  const heights = barHeights(
    values.map(each => each.value),
    height,
  )
  const bars = heights.map((bar, at) => {
    const { failed = false, label, value } = values[at] ?? { label: '', value: null }
    return svg`<rect class=${failed ? 'bar failed' : 'bar'} x=${at * step} y=${height - bar} width="8" height=${bar} rx="1"><title>${label}: ${value === null ? 'unknown' : say(value)}${failed ? ', failed' : ''}</title></rect>`
  })
  return figure(title, values.length * step, bars, values, { say, height })
}

export function linePlot(title: string, values: readonly PlotValue[], options: PlotOptions): TemplateResult {
  const { say, height = usualHeight } = options
  const width = Math.max(1, values.length - 1) * step
  const lines = lineSegments(
    values.map(each => each.value),
    width,
    height - 6,
  ).map(points => {
    const path = points.map(({ x, y }) => `${x},${y + 3}`).join(' ')
    return svg`<polyline class="line" points=${path}></polyline>${points.map(({ x, y }) => svg`<circle class="dot" cx=${x} cy=${y + 3} r="2"></circle>`)}`
  })
  return figure(title, width, lines, values, { say, height })
}

function figure(
  title: string,
  width: number,
  marks: readonly unknown[],
  values: readonly PlotValue[],
  { say, height }: Required<PlotOptions>,
): TemplateResult {
  // One value is no course: the row beside it says the same.
  if (values.length < 2) return html``
  const known = values.flatMap(each => each.value ?? [])
  const last = known.at(-1)
  return html`<figure class="plot">
    <div class="drawn" aria-hidden="true">
      <svg viewBox="-3 -1 ${width + 6} ${height + 2}" width=${width + 6} height=${height + 2}>${marks}</svg>
      ${last === undefined ? nothing : html`<dl class="scale"><div><dt>${values.at(-1)?.value === null ? 'last known' : 'last'}</dt><dd>${say(last)}</dd></div><div><dt>most</dt><dd>${say(Math.max(...known))}</dd></div><div><dt>least</dt><dd>${say(Math.min(...known))}</dd></div></dl>`}
    </div>
    <details><summary>${title}: figures</summary>
      <table><thead><tr><th scope="col">When</th><th scope="col">${title}</th></tr></thead><tbody>
        ${[...values]
          .reverse()
          .map(
            each =>
              html`<tr><td>${each.label}</td><td>${each.value === null ? 'unknown' : say(each.value)}${each.failed === true ? html` <span class="fail">failed</span>` : nothing}</td></tr>`,
          )}
      </tbody></table>
    </details>
  </figure>`
}
