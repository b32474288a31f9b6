/** The elements around the canvas: what has the focus, what a screen reader hears, buttons, legend, minimap. */
import { minimapSize } from './minimap.ts'

export interface Frame {
  readonly canvas: HTMLCanvasElement
  /** Has the focus and takes keys and pointers. */
  readonly application: HTMLElement
  /** What is selected, in words. */
  readonly mirror: HTMLElement
  /** Short notices, read out. */
  readonly status: HTMLElement
  readonly legend: HTMLElement
  readonly minimap: HTMLCanvasElement
  readonly minimapView: HTMLElement
  readonly buttons: Readonly<Record<'zoomIn' | 'zoomOut' | 'fit' | 'reset', HTMLButtonElement>>
  remove(): void
}

let made = 0

export function makeFrame(host: HTMLElement): Frame {
  const id = `svc-graph-${++made}`
  const canvas = element('canvas', 'svc-graph-canvas', { 'aria-hidden': 'true' })
  const mirror = element('div', '', { id: `${id}-node`, role: 'img' })
  const help = element('p', '', { id: `${id}-help` })
  help.textContent =
    'Left and right arrow: upstream and downstream. Up and down: the same column. Home: first source. Enter: details. Space: show around this asset. Brackets: fewer or more levels. Plus, minus, zero: zoom. Escape: clear.'
  const hidden = element('div', 'svc-graph-mirror', {})
  hidden.append(mirror, help)
  const application = element('div', 'svc-graph-application', {
    role: 'application',
    tabindex: '0',
    'aria-roledescription': 'lineage graph',
    'aria-activedescendant': mirror.id,
    'aria-describedby': help.id,
  })
  application.append(hidden)
  const status = element('div', 'svc-graph-status', { role: 'status' })
  const legend = element('div', 'svc-graph-legend', { role: 'group', 'aria-label': 'Legend and filter' })
  const minimap = element('canvas', 'svc-graph-minimap-canvas', {})
  const minimapView = element('div', 'svc-graph-minimap-view', {})
  const map = element('div', 'svc-graph-minimap', { 'aria-hidden': 'true' })
  map.style.width = `${minimapSize.width}px`
  map.style.height = `${minimapSize.height}px`
  map.append(minimap, minimapView)
  const buttons = {
    reset: button('Reset layout', '↺'),
    zoomOut: button('Zoom out', '−'),
    zoomIn: button('Zoom in', '+'),
    fit: button('Fit graph', '⤢'),
  }
  buttons.reset.hidden = true
  const tools = element('div', 'svc-graph-tools', { role: 'group', 'aria-label': 'View' })
  tools.append(...Object.values(buttons))
  const root = element('div', 'svc-graph', {})
  root.append(canvas, application, status, legend, map, tools)
  const removeStyles = addStyles(host)
  host.append(root)
  return {
    canvas,
    application,
    mirror,
    status,
    legend,
    minimap,
    minimapView,
    buttons,
    remove() {
      root.remove()
      removeStyles()
    },
  }
}

function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  className: string,
  attributes: Readonly<Record<string, string>>,
): HTMLElementTagNameMap[K] {
  const found = document.createElement(name)
  if (className !== '') found.className = className
  for (const [key, value] of Object.entries(attributes)) found.setAttribute(key, value)
  return found
}

function button(label: string, glyph: string): HTMLButtonElement {
  const found = element('button', '', { type: 'button', 'aria-label': label, title: label })
  found.textContent = glyph
  return found
}

const line = 'var(--vscode-contrastBorder, var(--vscode-panel-border, #4548))'
const styles = `
.svc-graph { position: absolute; inset: 0; overflow: hidden; font: 12px/1.4 var(--vscode-font-family, system-ui, sans-serif); color: var(--vscode-foreground) }
.svc-graph-canvas { position: absolute; inset: 0; width: 100%; height: 100% }
.svc-graph-application { position: absolute; inset: 0; touch-action: none; cursor: grab; outline: none }
.svc-graph-application[data-over=card] { cursor: pointer }
.svc-graph-application[data-over=drag] { cursor: grabbing }
.svc-graph-application:focus-visible { outline: 2px solid var(--vscode-focusBorder, Highlight); outline-offset: -2px }
.svc-graph-mirror { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.svc-graph-status { position: absolute; left: 50%; top: 12px; transform: translateX(-50%); padding: 3px 10px; border: 1px solid ${line}; border-radius: 6px; background: var(--vscode-editorWidget-background, var(--vscode-editor-background, Canvas)) }
.svc-graph-status:empty { display: none }
.svc-graph-legend { position: absolute; left: 12px; bottom: 12px; display: flex; flex-wrap: wrap; gap: 4px; max-width: calc(100% - 220px) }
.svc-graph button { min-width: 26px; min-height: 26px; padding: 0 6px; border: 1px solid ${line}; border-radius: 6px; background: var(--vscode-editorWidget-background, var(--vscode-editor-background, ButtonFace)); color: var(--vscode-foreground, ButtonText); font: inherit; cursor: pointer }
.svc-graph button:hover { background: var(--vscode-toolbar-hoverBackground, ButtonFace) }
.svc-graph button:focus-visible { outline: 2px solid var(--vscode-focusBorder, Highlight); outline-offset: 1px }
.svc-graph-legend button { display: inline-flex; align-items: center; gap: 6px }
.svc-graph-legend button[aria-pressed=false] { text-decoration: line-through; color: var(--vscode-descriptionForeground) }
.svc-graph-legend i { width: 9px; height: 9px; border: 2px solid; font-style: normal }
.svc-graph-legend i[data-shape=round] { border-radius: 3px }
.svc-graph-legend i[data-shape=pill] { border-radius: 9px; border-style: dashed }
.svc-graph-legend i[data-shape=glyph] { border: 0; width: auto; height: auto; line-height: 1 }
.svc-graph-minimap { position: absolute; right: 12px; bottom: 46px; overflow: hidden; border: 1px solid ${line}; border-radius: 6px; cursor: pointer }
.svc-graph-minimap[hidden] { display: none }
.svc-graph-minimap-canvas { width: 100%; height: 100% }
.svc-graph-minimap-view { position: absolute; left: 0; top: 0; border: 1.5px solid var(--vscode-focusBorder, Highlight); pointer-events: none; transform-origin: 0 0 }
.svc-graph-tools { position: absolute; right: 12px; bottom: 12px; display: flex; gap: 4px }
@media (max-width: 700px) { .svc-graph-minimap { display: none } }
`

/** Where the element lives: a shadow root has sheets of its own. No style element: a strict page would refuse it. */
function addStyles(host: HTMLElement): () => void {
  const root = host.getRootNode()
  const place = root instanceof ShadowRoot ? root : document
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  place.adoptedStyleSheets = [...place.adoptedStyleSheets, sheet]
  return () => {
    place.adoptedStyleSheets = place.adoptedStyleSheets.filter(each => each !== sheet)
  }
}
