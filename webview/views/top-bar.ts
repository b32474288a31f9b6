/**
 * The bar at the top: project and environment, the current view, counts, and whether the data are outdated.
 */
import { html, nothing, type TemplateResult } from 'lit'
import { hidePath, type Panel, reload, type Store } from '../store/store.ts'
import { numberOf } from '../store/words.ts'
import { hasGlossary } from './glossary.ts'
import { icon, iconButton } from './icon.ts'

const panels: readonly (readonly [Panel, string])[] = [
  ['graph', 'Graph'],
  ['table', 'Table'],
  ['runs', 'Runs'],
  ['freshness', 'Freshness'],
  ['glossary', 'Glossary'],
]

export function topBar(store: Store): TemplateResult {
  const catalog = store.data.value?.catalog
  return html`<header class="top">
    ${catalog === undefined ? nothing : navigatorButton(store)}
    <h1>${catalog?.project.name ?? 'svc'}</h1>
    ${catalog === undefined ? nothing : html`<span class="chip" title="Environment">${catalog.environment}</span>`}
    <span class="narrow-only">${search(store)}</span>
    <nav class="panels" aria-label="Views">
      ${panels
        .filter(([panel]) => panel !== 'glossary' || hasGlossary(store))
        .map(
          ([panel, word]) =>
            html`<button type="button" aria-pressed=${store.panel.value === panel} @click=${() => show(store, panel)}>${word}</button>`,
        )}
    </nav>
    ${store.panel.value === 'graph' ? html`${around(store)}${path(store)}` : nothing}
    ${catalog === undefined ? nothing : counts(store)}
  </header>`
}

/** Opens the command palette; it is above the list of assets, or in the bar if the list is hidden. */
export function search(store: Store): TemplateResult {
  return html`<button class="search" type="button" aria-haspopup="dialog" @click=${() => (store.paletteOpen.value = true)}>
      ${icon('search')}<span class="grow words">Search assets</span> <kbd>${isMac() ? '⌘K' : 'Ctrl K'}</kbd>
    </button>`
}

function navigatorButton(store: Store): TemplateResult {
  const isOpen = store.navigatorOpen.value
  const words = isOpen ? 'Hide the list of assets' : 'Show the list of assets'
  return html`<button type="button" class="icon narrow-only" aria-expanded=${isOpen} aria-label=${words} title=${words} @click=${() => (store.navigatorOpen.value = !isOpen)}>${icon('menu')}</button>`
}

const scopes = [
  ['direct', '± 1 step'],
  ['near', '± 2 steps'],
  ['connected', 'All connected'],
  ['all', 'Everything'],
] as const

/** Names the asset around which the graph is drawn, if it does not show everything. */
function around(store: Store): TemplateResult | typeof nothing {
  const { value: focus } = store.focus
  if (focus === null) return nothing
  return html`<span class="around graph-only"><span class="quiet">around</span> <b>${focus.replace(/^(exposure|publish):/, '')}</b>
    ${select('Scope', scopes, store.scope.value, value => (store.scope.value = value))}
    ${iconButton('close', 'Show everything again', () => (store.focus.value = null))}</span>`
}

function path(store: Store): TemplateResult | typeof nothing {
  const { value: name } = store.pathOf
  if (name === null) return nothing
  return html`<span class="around graph-only"><span class="quiet">path of</span> <b>${name.asset}.${name.column}</b>
    ${iconButton('close', 'Hide the path of the column', () => hidePath(store))}</span>`
}

function select<T extends string>(
  label: string,
  options: readonly (readonly [T, string])[],
  now: T,
  choose: (value: T) => void,
): TemplateResult {
  const changed = (event: Event) => {
    const option = options.find(([value]) => value === (event.target as HTMLSelectElement).value)
    if (option !== undefined) choose(option[0])
  }
  return html`<select aria-label=${label} title=${label} @change=${changed}>${options.map(([value, word]) => html`<option value=${value} .selected=${value === now}>${word}</option>`)}</select>`
}

function counts(store: Store): TemplateResult | typeof nothing {
  const data = store.data.value
  if (data === undefined) return nothing
  const { active_assets: active, excluded_columns: excluded } = data.catalog
  return html`<span class="counts">
    ${data.stale ? html`<span class="warn stale" role="status" title="Files are newer than the last run">● files changed<span class="wide-only"> since the last run</span></span>` : nothing}
    <span title="Assets with a live version"><b>${numberOf(active)}</b> active<span class="roomy"> ${active === 1 ? 'asset' : 'assets'}</span></span>
    <span class="apart" title="Columns that include and exclude leave out"><b>${numberOf(excluded)}</b><span class="roomy"> ${excluded === 1 ? 'column' : 'columns'}</span> excluded<span class="wide-only"> from ingestion</span></span>
    ${iconButton('reload', 'Reload the catalogue', () => void reload(store))}</span>`
}

function show(store: Store, panel: Panel): void {
  store.panel.value = panel
  store.wide.value = false
}

function isMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent)
}
