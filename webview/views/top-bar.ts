/** The bar at the top: where one is, the search, what is shown, what the catalogue counts, and that it is out of date. */
import { html, nothing, type TemplateResult } from 'lit'
import { type Panel, reload, type Store } from '../store/store.ts'
import { countOf } from '../store/words.ts'

const panels: readonly (readonly [Panel, string])[] = [
  ['graph', 'Graph'],
  ['table', 'Table'],
  ['runs', 'Runs'],
  ['freshness', 'Freshness'],
]

export function topBar(store: Store, filterProblem: string | undefined): TemplateResult {
  const catalog = store.data.value?.catalog
  return html`<header class="top">
    <h1>${catalog?.project.name ?? 'svc'}</h1>
    ${catalog === undefined ? nothing : html`<span class="chip" title="Environment">${catalog.environment}</span>`}
    <button class="search" type="button" aria-haspopup="dialog" @click=${() => (store.paletteOpen.value = true)}>
      <span aria-hidden="true">⌕</span> <span class="grow">Search assets</span> <kbd>${isMac() ? '⌘K' : 'Ctrl K'}</kbd>
    </button>
    <nav class="panels" aria-label="Views">
      ${panels.map(
        ([panel, word]) =>
          html`<button type="button" aria-pressed=${store.panel.value === panel} @click=${() => show(store, panel)}>${word}</button>`,
      )}
    </nav>
    ${store.panel.value === 'graph' ? choices(store) : nothing}
    <input class="filter" type="text" spellcheck="false" placeholder="Filter: name, +name, tag:…" aria-label="Filter assets"
      aria-invalid=${filterProblem !== undefined} title=${filterProblem ?? 'The selectors of svc run, or a part of a name'}
      .value=${store.filter.value} @input=${(event: Event) => (store.filter.value = (event.target as HTMLInputElement).value)} />
    ${catalog === undefined ? nothing : counts(store)}
  </header>`
}

const scopes = [
  ['direct', 'Direct'],
  ['near', '± 2 steps'],
  ['connected', 'All connected'],
  ['all', 'Everything'],
] as const
const lenses = [
  ['kind', 'Kind'],
  ['status', 'Status'],
  ['freshness', 'Freshness'],
  ['tests', 'Tests'],
] as const

function choices(store: Store): TemplateResult {
  const { value: focus } = store.focus
  return html`<span class="choices graph-only">${
    focus === null
      ? nothing
      : html`<span class="quiet">around</span> <b class="name">${focus.replace(/^exposure:/, '')}</b>
      <button type="button" class="icon" aria-label="Show everything again" title="Show everything again" @click=${() => (store.focus.value = null)}>✕</button>`
  }
    ${focus === null ? nothing : select('Scope', scopes, store.scope.value, value => (store.scope.value = value))}
    ${select('Colour by', lenses, store.lens.value, value => (store.lens.value = value))}</span>`
}

function select<T extends string>(
  label: string,
  options: readonly (readonly [T, string])[],
  now: T,
  choose: (value: T) => void,
): TemplateResult {
  const changed = (event: Event) => {
    const found = options.find(([value]) => value === (event.target as HTMLSelectElement).value)
    if (found !== undefined) choose(found[0])
  }
  return html`<select aria-label=${label} title=${label} @change=${changed}>${options.map(([value, word]) => html`<option value=${value} .selected=${value === now}>${word}</option>`)}</select>`
}

function counts(store: Store): TemplateResult {
  const data = store.data.value
  if (data === undefined) return html``
  const { active_assets: active, excluded_columns: excluded } = data.catalog
  return html`<span class="counts"><b>${active}</b> active ${active === 1 ? 'asset' : 'assets'}&nbsp;· <span
    ><span title="Columns that include and exclude leave out"><b>${excluded}</b> ${countOf(excluded, 'column').split(' ')[1]} excluded<span class="wide-only"> from ingestion</span></span></span>
    <button type="button" class="icon" aria-label="Reload the catalogue" title="Reload the catalogue" @click=${() => void reload(store)}>⟳</button>
    ${data.stale ? html`<span class="warn stale" role="status">Files are newer than the last run</span>` : nothing}`
}

function show(store: Store, panel: Panel): void {
  store.panel.value = panel
  store.wide.value = false
}

function isMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent)
}
