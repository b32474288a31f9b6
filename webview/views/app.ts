/** The whole page: its regions, their content, and global keys. */
import { html, nothing, type TemplateResult } from 'lit'
import { classMap } from 'lit/directives/class-map.js'
import { watchTheme } from '../graph/page.ts'
import { summaryOf, titleOf } from '../store/run-log.ts'
import type { Store } from '../store/store.ts'
import { closeDrawer, drawer } from './drawer.ts'
import { freshness } from './freshness.ts'
import { glossaryPage } from './glossary.ts'
import { legibleColours } from './legible-theme.ts'
import { pastRuns } from './past-runs.ts'
import { problemsPage } from './problems.ts'
import { SignalElement } from './signal-element.ts'
import { banner, empty, listSkeleton, loadFailed, loading, noMatch } from './states.ts'
import { topBar } from './top-bar.ts'

/** In the order of F6: the region, and the element in it that gets the focus. */
const regions = [
  ['.top', '.panels button'],
  ['.navigator', '.tree'],
  ['main', '.graph-slot [tabindex="0"], .table-view, .page'],
  ['.drawer', '.drawer'],
  ['.terminal', '.terminal'],
] as const

/** Returns the last message, with a link to its run or to a run in progress that is not shown. */
function statusLine(store: Store): TemplateResult {
  const active = store.activeRun.value
  const id = store.noticeRun.value ?? active?.runId ?? null
  const isUnseen =
    id !== null && store.shownRun.value !== id && store.runs.value.some(run => run.runId === id)
  const said = isUnseen && active?.runId === id ? `${titleOf(active)}: ${summaryOf(active)}.` : ''
  return html`<div class="status-line"><p role="status">${store.notice.value}</p>
    ${isUnseen && !store.host.abilities.ownTerminal ? html`<p class="quiet">${said} <button type="button" class="link" @click=${() => (store.shownRun.value = id)}>Show its lines</button></p>` : nothing}</div>`
}

/** On a narrow page the details of the selected card are one click away, because they cover the graph. */
function detailsButton(store: Store): TemplateResult | typeof nothing {
  const id = store.selected.value
  if (id === null || store.details.value) return nothing
  return html`<div class="narrow-only details-button"><vscode-button appearance="secondary" @click=${() => (store.details.value = true)}>Details of ${id.replace(/^exposure:/, '')}</vscode-button></div>`
}

export class App extends SignalElement {
  private ending: AbortController | undefined

  override render(): TemplateResult {
    const { store } = this
    const hasAssets = (store.model.value?.nodes.length ?? 0) > 0
    const isWide = store.wide.value && store.selected.value !== null
    const state = { wide: isWide, finding: store.navigatorOpen.value, detailed: store.details.value }
    return html`<div class="app ${classMap(state)}">
      ${topBar(store)}
      <div class="banners">${banner(store)}</div>
      <nav class="navigator" aria-label="Assets">${hasAssets ? html`<svc-navigator .store=${store}></svc-navigator>` : store.load.value.is === 'loading' ? listSkeleton() : nothing}</nav>
      <main>${this.content()}</main>
      ${hasAssets ? drawer(store) : nothing}${hasAssets ? detailsButton(store) : nothing}
      <svc-terminal .store=${store}></svc-terminal>
      ${statusLine(store)}
      <svc-palette .store=${store}></svc-palette>
      <svc-rollback .store=${store}></svc-rollback>
    </div>`
  }

  private content(): TemplateResult {
    const { store } = this
    const { value: load } = store.load
    if (store.model.value === undefined)
      return load.is === 'failed' ? loadFailed(store, load.problem) : loading()
    if (store.model.value.nodes.length === 0) return empty()
    if (store.panel.value === 'runs') return pastRuns(store)
    if (store.panel.value === 'freshness') return freshness(store)
    if (store.panel.value === 'glossary') return glossaryPage(store)
    if (store.panel.value === 'problems') return problemsPage(store)
    const filtered = store.filtered.value
    if ('problem' in filtered) return noMatch(store, filtered.problem)
    if (filtered.kept?.size === 0) return noMatch(store, undefined)
    const table = html`<svc-table class=${store.panel.value === 'graph' ? 'instead' : ''} .store=${store} .kept=${filtered.kept}></svc-table>`
    return store.panel.value === 'table' ? table : html`<svc-graph .store=${store}></svc-graph>${table}`
  }

  override firstUpdated(): void {
    this.colour()
  }

  private colour(): void {
    const page = this.querySelector<HTMLElement>('.app')
    if (page === null) return
    const style = getComputedStyle(this)
    for (const [name, value] of legibleColours(variable => style.getPropertyValue(variable)))
      page.style.setProperty(name, value)
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.ending = new AbortController()
    const { signal } = this.ending
    document.addEventListener('keydown', event => this.pressed(event), { signal })
    watchTheme(() => this.colour(), signal)
  }

  override disconnectedCallback(): void {
    this.ending?.abort()
    super.disconnectedCallback()
  }

  private pressed(event: KeyboardEvent): void {
    if (event.defaultPrevented) return
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
      this.store.paletteOpen.value = true
      event.preventDefault()
    } else if (event.key === 'F6') {
      this.cycle(event.shiftKey ? -1 : 1)
      event.preventDefault()
    } else if (
      event.key === 'Escape' &&
      !this.store.paletteOpen.value &&
      this.store.rollbackOf.value === null
    ) {
      this.escape()
    }
  }

  private escape(): void {
    if (this.store.wide.value) this.store.wide.value = false
    else if (this.querySelector('.drawer')?.contains(document.activeElement) === true) {
      closeDrawer(this.store)
      this.querySelector<HTMLElement>('.tree')?.focus()
    }
  }

  private cycle(step: number): void {
    const there = regions.flatMap(([region, target]) => {
      const targets = [...this.querySelectorAll<HTMLElement>(target)]
      const element = targets.find(each => each.offsetParent !== null)
      return element === undefined ? [] : [{ root: this.querySelector(region), element }]
    })
    const at = there.findIndex(({ root }) => root?.contains(document.activeElement) === true)
    there[(Math.max(at, step > 0 ? -1 : 0) + step + there.length) % there.length]?.element.focus()
  }
}
