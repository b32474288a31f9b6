/**
 * The bar at the top: project and environment, the current view, counts, and whether the data are outdated.
 */
import { html, nothing, type TemplateResult } from 'lit'
import type { Scope } from '../graph/view.ts'
import type { CatalogFile, ColumnPath, DashboardData } from '../protocol.ts'
import { differences } from '../store/changed.ts'
import { problemCounts, totalOf } from '../store/problems.ts'
import { hidePath, type Panel, reload, type Store } from '../store/store.ts'
import { countOf, numberOf } from '../store/words.ts'
import { hasGlossary } from './glossary.ts'
import { icon, iconButton } from './icon.ts'

/** The same width as in `styles/narrow.css`. */
const narrowPage = '(max-width: 700px)'

const panels: readonly (readonly [Panel, string])[] = [
  ['graph', 'Graph'],
  ['table', 'Table'],
  ['runs', 'Runs'],
  ['freshness', 'Freshness'],
  ['glossary', 'Glossary'],
  ['problems', 'Problems'],
]

export function topBar(store: Store): TemplateResult {
  const catalog = store.data.value?.catalog
  return html`<header class="top">
    ${catalog === undefined ? nothing : navigatorButton(store)}
    <h1>${catalog?.project.name ?? 'svc'}</h1>
    ${catalog === undefined ? nothing : environmentChip(catalog)}
    <span class="narrow-only">${search(store)}</span>
    <nav class="panels" aria-label="Views">
      ${panels
        .filter(([panel]) => isOffered(store, panel))
        .map(
          ([panel, word]) =>
            html`<button type="button" aria-pressed=${store.panel.value === panel} @click=${() => show(store, panel)}>${word}${panel === 'problems' ? problemCount(store) : nothing}</button>`,
        )}
    </nav>
    ${store.panel.value === 'graph' ? html`${around(store)}${path(store)}` : nothing}
    ${catalog === undefined ? nothing : counts(store)}
  </header>`
}

/** The engine of the warehouse stands before its place: `postgres: db.example.com`. */
function environmentChip({ environment, project: { warehouse } }: CatalogFile): TemplateResult {
  const [engine] = warehouse.split(':')
  return html`<span class="chip" title="Environment ${environment}, warehouse ${warehouse}">${environment}<span class="quiet wide-only"> ${engine}</span></span>`
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

const scopes: readonly (readonly [Scope, string])[] = [
  ['direct', '± 1 step'],
  ['near', '± 2 steps'],
  ['connected', 'All connected'],
  ['all', 'Everything'],
]

/** Names the asset around which the graph is drawn, if it does not show everything. */
function around(store: Store): TemplateResult | typeof nothing {
  const { value: focus } = store.focus
  if (focus === null) return nothing
  return html`<span class="around graph-only"><span class="quiet">around</span> <b>${focus.replace(/^(exposure|publish):/, '')}</b>
    <select aria-label="Scope" title="Scope" @change=${(event: Event) => (store.scope.value = (event.target as HTMLSelectElement).value as Scope)}>${scopes.map(([value, word]) => html`<option value=${value} .selected=${value === store.scope.value}>${word}</option>`)}</select>
    ${iconButton('close', 'Show everything again', () => (store.focus.value = null))}</span>`
}

function path(store: Store): TemplateResult | typeof nothing {
  const { value: name } = store.pathOf
  if (name === null) return nothing
  const { value: drawn } = store.path
  const all = drawn?.columns.length ?? 0
  const { value: shown } = store.pathShown
  const isCut = shown < all
  return html`<span class="around graph-only"><span class="quiet">path of</span> <b>${name.asset}.${name.column}</b>
    ${all === 0 ? nothing : html`<span class=${isCut ? 'warn' : 'quiet'} role="status">${isCut ? `${numberOf(shown)} of ${countOf(all, 'column')} shown` : countOf(all, 'column')}${drawn === undefined ? nothing : html`<span class="quiet">${endsText(drawn)}</span>`}</span>`}
    ${isCut || store.wholePath.value ? html`<button type="button" class="link" aria-pressed=${store.wholePath.value} @click=${() => (store.wholePath.value = !store.wholePath.value)}>${store.wholePath.value ? 'Show the view again' : 'Show the whole path'}</button>` : nothing}
    ${iconButton('close', 'Hide the path of the column', () => hidePath(store))}</span>`
}

/** Says where the path ends beside other columns, which is more than lines on cards can tell whoever does not see them. */
function endsText({ uses, targets, exposures }: ColumnPath): string {
  const names = (list: readonly string[]) => {
    const all = [...new Set(list)]
    return all.length > 2 ? numberOf(all.length) : all.join(', ')
  }
  return [
    ...(uses.length === 0 ? [] : [`, ${numberOf(uses.length)} in conditions`]),
    ...(targets.length === 0 ? [] : [`, leaves by ${names(targets.map(({ target }) => target))}`]),
    ...(exposures.length === 0 ? [] : [`, shown by ${names(exposures.map(({ exposure }) => exposure))}`]),
  ].join('')
}

function counts(store: Store): TemplateResult | typeof nothing {
  const data = store.data.value
  if (data === undefined) return nothing
  const { active_assets: active, excluded_columns: excluded } = data.catalog
  return html`<span class="counts">
    ${changedFiles(data)}
    <span title="Assets with a live version"><b>${numberOf(active)}</b> active<span class="roomy"> ${active === 1 ? 'asset' : 'assets'}</span></span>
    <span class="apart" title="Columns that include and exclude leave out"><b>${numberOf(excluded)}</b><span class="roomy"> ${excluded === 1 ? 'column' : 'columns'}</span> excluded<span class="wide-only"> from ingestion</span></span>
    ${iconButton('reload', 'Reload the catalogue', () => void reload(store))}</span>`
}

const shownFiles = 12
const changeWords = {
  edited: 'edited since the last run',
  added: 'new since the last run',
  deleted: 'deleted since the last run',
  'not live': 'the live version is another one',
} as const

/** Names the files that differ from what is live. */
function changedFiles(data: DashboardData): TemplateResult | typeof nothing {
  const files = differences(data)
  if (files.length === 0) return nothing
  const more = files.length - shownFiles
  return html`<details class="changed"><summary class="warn stale"><span aria-hidden="true">● </span>${countOf(files.length, 'file')} changed</summary>
    <ul>${files.slice(0, shownFiles).map(({ path, how }) => html`<li><code>${path}</code> <span class="quiet">${changeWords[how]}</span></li>`)}${more > 0 ? html`<li class="quiet">and ${numberOf(more)} more</li>` : nothing}</ul></details>`
}

/** Problems are offered while there are some, and while they are shown. */
function isOffered(store: Store, panel: Panel): boolean {
  if (panel === 'glossary') return hasGlossary(store)
  if (panel !== 'problems' || store.panel.value === 'problems') return true
  const { problems, failure } = store.problems.value
  return problems.length > 0 || failure !== null
}

function problemCount(store: Store): TemplateResult {
  const { errors, warnings } = totalOf(problemCounts(store.problems.value.problems))
  return html` <span class=${errors > 0 ? 'fail' : 'warn'}>${numberOf(errors + warnings)}</span>`
}

/** On a narrow page the details would cover what was asked for. */
function show(store: Store, panel: Panel): void {
  store.panel.value = panel
  store.wide.value = false
  if (matchMedia(narrowPage).matches) store.selected.value = null
}

function isMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent)
}
