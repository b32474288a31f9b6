/** Small plots as SVG; each has a table with the same figures behind it, which screen readers read and a click opens. */
import { html, nothing, svg, type TemplateResult } from 'lit'
import { barHeights, lineSegments } from '../store/plot.ts'

export interface PlotValue {
  readonly label: string
  readonly value: number | null
  readonly failed?: boolean
}

const height = 40
const step = 10

/** Oldest first. `say` writes a value for people. */
export function barPlot(
  title: string,
  values: readonly PlotValue[],
  say: (value: number) => string,
): TemplateResult {
  const heights = barHeights(
    values.map(each => each.value),
    height,
  )
  const width = Math.max(1, values.length * step)
  const bars = heights.map((bar, at) => {
    const { failed = false, label, value } = values[at] ?? { label: '', value: null }
    return svg`<rect class=${failed ? 'bar failed' : 'bar'} x=${at * step} y=${height - bar} width="7" height=${bar}><title>${label}: ${value === null ? 'unknown' : say(value)}${failed ? ', failed' : ''}</title></rect>`
  })
  return figure(title, width, bars, values, say)
}

export function linePlot(
  title: string,
  values: readonly PlotValue[],
  say: (value: number) => string,
): TemplateResult {
  const width = Math.max(1, values.length - 1) * step
  const lines = lineSegments(
    values.map(each => each.value),
    width,
    height - 4,
  ).map(points => {
    const path = points.map(({ x, y }) => `${x},${y + 2}`).join(' ')
    return svg`<polyline class="line" points=${path}></polyline>${points.map(({ x, y }) => svg`<circle class="dot" cx=${x} cy=${y + 2} r="2"></circle>`)}`
  })
  return figure(title, width, lines, values, say)
}

function figure(
  title: string,
  width: number,
  marks: readonly unknown[],
  values: readonly PlotValue[],
  say: (value: number) => string,
): TemplateResult {
  if (values.length === 0) return html``
  return html`<figure class="plot">
    <svg viewBox="-3 -1 ${width + 6} ${height + 2}" width=${width + 6} height=${height + 2} aria-hidden="true">${marks}</svg>
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
