/** The elements around the canvas: focus, text for screen readers, buttons, legend, minimap. */
import { type IconName, icons } from './icons.ts'
import type { Lens } from './lens.ts'
import { minimapSize } from './minimap.ts'

export type Frame = ReturnType<typeof makeFrame>

let made = 0

export function makeFrame(host: HTMLElement) {
  const id = `svc-graph-${++made}`
  const canvas = element('canvas', 'svc-graph-canvas', { 'aria-hidden': 'true' })
  const mirror = element('div', '', { id: `${id}-node`, role: 'img' })
  const help = element('p', '', { id: `${id}-help` })
  help.textContent =
    'Left and right arrow: upstream and downstream. Up and down: the same column. Home: first source. Enter: details. Space: show around this asset. Brackets: fewer or more levels. Shift and an arrow, or M: move the card. Plus, minus, zero: zoom. Escape: clear.'
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
  const lens = lensSelect()
  const key = element('div', 'svc-graph-key', {})
  key.append(lens, legend)
  const minimap = element('canvas', 'svc-graph-minimap-canvas', {})
  const minimapView = element('div', 'svc-graph-minimap-view', {})
  const map = element('div', 'svc-graph-minimap', { 'aria-hidden': 'true' })
  map.style.width = `${minimapSize.width}px`
  map.style.height = `${minimapSize.height}px`
  map.append(minimap, minimapView)
  const buttons = {
    unfold: button('Open all folders', 'unfold'),
    fold: button('Close what was opened', 'fold'),
    move: button('Move to…', 'move'),
    reset: button('Reset layout', 'reset'),
    zoomOut: button('Zoom out', 'minus'),
    zoomIn: button('Zoom in', 'plus'),
    fit: button('Fit graph', 'fit'),
  }
  const tools = element('div', 'svc-graph-tools', { role: 'group', 'aria-label': 'View' })
  tools.append(...Object.values(buttons))
  const root = element('div', 'svc-graph', {})
  root.append(canvas, application, status, key, map, tools)
  const removeStyles = addStyles(host)
  host.append(root)
  return {
    canvas,
    /** The element that takes the focus, keys and pointers. */
    application,
    /** The selection as text. */
    mirror,
    /** Short messages for screen readers. */
    status,
    legend,
    /** Chooses the meaning of the colours. */
    lens,
    minimap,
    minimapView,
    buttons,
    remove(): void {
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
  const created = document.createElement(name)
  if (className !== '') created.className = className
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, value)
  return created
}

const svg = 'http://www.w3.org/2000/svg'

function button(label: string, icon: IconName): HTMLButtonElement {
  const button = element('button', '', { type: 'button', 'aria-label': label, title: label })
  const sign = document.createElementNS(svg, 'svg')
  sign.setAttribute('viewBox', '0 0 16 16')
  sign.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS(svg, 'path')
  path.setAttribute('d', icons[icon])
  sign.append(path)
  button.append(sign)
  return button
}

function lensSelect(): HTMLSelectElement {
  const select = element('select', '', { 'aria-label': 'Colour by', title: 'What the colours say' })
  for (const [value, word] of lensWords) {
    const option = element('option', '', { value })
    option.textContent = word
    select.append(option)
  }
  return select
}

const lensWords: readonly (readonly [Lens, string])[] = [
  ['kind', 'Colour: kind'],
  ['status', 'Colour: status'],
  ['freshness', 'Colour: freshness'],
  ['tests', 'Colour: tests'],
]

const line = 'var(--vscode-contrastBorder, var(--vscode-panel-border, #4548))'
const styles = `
.svc-graph { position: absolute; inset: 0; overflow: hidden; font: 12px/1.4 var(--vscode-font-family, system-ui, sans-serif); color: var(--vscode-foreground) }
.svc-graph-canvas { position: absolute; inset: 0; width: 100%; height: 100% }
.svc-graph-application { position: absolute; inset: 0; touch-action: none; cursor: grab; outline: none }
.svc-graph-application[data-over=card] { cursor: pointer }
.svc-graph-application[data-over=drag] { cursor: grabbing }
.svc-graph-application[data-over=place] { cursor: crosshair }
.svc-graph-application:focus-visible { outline: 2px solid var(--vscode-focusBorder, Highlight); outline-offset: -2px }
.svc-graph-mirror { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.svc-graph-status { position: absolute; left: 50%; top: 12px; transform: translateX(-50%); padding: 3px 10px; border: 1px solid ${line}; border-radius: 6px; background: var(--vscode-editorWidget-background, var(--vscode-editor-background, Canvas)) }
.svc-graph-status:empty { display: none }
.svc-graph-key { position: absolute; left: 12px; bottom: 12px; display: flex; flex-wrap: wrap; gap: 2px; align-items: center; max-width: calc(100% - 190px); padding: 2px; border-radius: 6px; background: var(--vscode-editor-background, Canvas) }
.svc-graph-legend { display: flex; flex-wrap: wrap }
.svc-graph button { min-width: 26px; min-height: 26px; padding: 0; border: 1px solid ${line}; border-radius: 6px; background: var(--vscode-editorWidget-background, var(--vscode-editor-background, ButtonFace)); color: var(--vscode-foreground, ButtonText); font: inherit; cursor: pointer }
.svc-graph button[hidden] { display: none }
.svc-graph button[aria-pressed=true]:not(.svc-graph-legend *) { border-color: var(--vscode-focusBorder, Highlight); color: var(--vscode-textLink-foreground, Highlight) }
.svc-graph svg { width: 16px; height: 16px; vertical-align: middle; fill: none; stroke: currentColor; stroke-width: 1.4; stroke-linecap: round; stroke-linejoin: round }
.svc-graph :is(button, select):hover { background: var(--vscode-toolbar-hoverBackground, ButtonFace) }
.svc-graph :is(button, select):focus-visible { outline: 2px solid var(--vscode-focusBorder, Highlight); outline-offset: 1px }
.svc-graph select { height: 26px; padding: 0 4px; border: 1px solid ${line}; border-radius: 6px; background: var(--vscode-dropdown-background, var(--vscode-editor-background, ButtonFace)); color: var(--vscode-dropdown-foreground, inherit); font: inherit; cursor: pointer }
.svc-graph-legend button { display: inline-flex; align-items: center; gap: 6px; padding: 0 7px; border-color: transparent; background: none; color: var(--vscode-descriptionForeground, inherit) }
.svc-graph-legend button[aria-pressed=false] { text-decoration: line-through }
.svc-graph-legend button[aria-pressed=false] i { opacity: 0.5 }
.svc-graph-legend i { box-sizing: border-box; width: 10px; height: 10px; border: 2px solid; font-style: normal }
.svc-graph-legend i[data-shape=round] { border-radius: 3px }
.svc-graph-legend i[data-shape=target] { border-right-width: 4px }
.svc-graph-legend i[data-shape=pill] { border-radius: 9px; border-style: dashed }
.svc-graph-legend i[data-shape=glyph] { border: 0; width: auto; height: auto; line-height: 1 }
.svc-graph-minimap { position: absolute; right: 12px; bottom: 46px; overflow: hidden; border: 1px solid ${line}; border-radius: 6px; cursor: pointer }
.svc-graph-minimap[hidden] { display: none }
.svc-graph-minimap-canvas { width: 100%; height: 100% }
.svc-graph-minimap-view { position: absolute; left: 0; top: 0; border: 1.5px solid var(--vscode-focusBorder, Highlight); pointer-events: none; transform-origin: 0 0 }
.svc-graph-tools { position: absolute; right: 12px; bottom: 12px; display: flex; gap: 4px }
@media (max-width: 700px) { .svc-graph-minimap { display: none } }
`

/**
 * Adds the style sheet to the document or shadow root of the element. It uses no style element, which a
 * strict content policy would refuse.
 */
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
