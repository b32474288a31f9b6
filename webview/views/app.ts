/** The whole page: regions, what is shown in each, and the keys that work everywhere. */
import { html, nothing, type TemplateResult } from 'lit'
import { type Filtered, filterOf } from '../graph/filter.ts'
import { closeDrawer, drawer } from './drawer.ts'
import { freshness } from './freshness.ts'
import { pastRuns } from './past-runs.ts'
import { SignalElement } from './signal-element.ts'
import { banner, empty, loadFailed, loading, noMatch } from './states.ts'
import { topBar } from './top-bar.ts'

/** In the order of F6. */
const regions = ['.search', '.tree', '.graph-slot [tabindex="0"], .table-view, .page', '.drawer', '.terminal']

export class App extends SignalElement {
  override render(): TemplateResult {
    const { store } = this
    const filtered = this.filtered()
    const problem = 'problem' in filtered ? filtered.problem : undefined
    const kept = 'kept' in filtered ? filtered.kept : new Set<number>()
    const hasAssets = (store.model.value?.nodes.length ?? 0) > 0
    const isWide = store.wide.value && store.selected.value !== null
    return html`<div class="app ${store.selected.value === null ? '' : 'with-drawer'} ${isWide ? 'wide' : ''}">
      ${topBar(store, problem)}
      <div class="banners">${banner(store)}</div>
      <nav class="navigator" aria-label="Assets">${hasAssets ? html`<svc-navigator .store=${store} .kept=${kept}></svc-navigator>` : nothing}</nav>
      <main>${this.content(kept, problem)}</main>
      ${hasAssets ? drawer(store) : nothing}
      <svc-terminal .store=${store}></svc-terminal>
      <p class="status-line" role="status">${store.notice.value}</p>
      <svc-palette .store=${store}></svc-palette>
      <svc-rollback .store=${store}></svc-rollback>
    </div>`
  }

  private filtered(): Filtered {
    const { store } = this
    const [model, catalog] = [store.model.value, store.data.value?.catalog]
    if (model === undefined || catalog === undefined) return { kept: undefined }
    return filterOf(model, catalog, store.filter.value)
  }

  private content(kept: ReadonlySet<number> | undefined, problem: string | undefined): TemplateResult {
    const { store } = this
    const { value: load } = store.load
    if (store.model.value === undefined)
      return load.is === 'failed' ? loadFailed(store, load.problem) : loading()
    if (store.model.value.nodes.length === 0) return empty()
    if (store.panel.value === 'runs') return pastRuns(store)
    if (store.panel.value === 'freshness') return freshness(store)
    if (kept?.size === 0) return noMatch(store, problem)
    const table = html`<svc-table class=${store.panel.value === 'graph' ? 'instead' : ''} .store=${store} .kept=${kept}></svc-table>`
    return store.panel.value === 'table' ? table : html`<svc-graph .store=${store}></svc-graph>${table}`
  }

  override connectedCallback(): void {
    super.connectedCallback()
    document.addEventListener('keydown', this.pressed)
  }

  override disconnectedCallback(): void {
    document.removeEventListener('keydown', this.pressed)
    super.disconnectedCallback()
  }

  private readonly pressed = (event: KeyboardEvent): void => {
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
    const there = regions.flatMap(selector => {
      const element = [...this.querySelectorAll<HTMLElement>(selector)].find(
        each => each.offsetParent !== null,
      )
      return element === undefined ? [] : [element]
    })
    const at = there.findIndex(element => element.contains(document.activeElement))
    there[(Math.max(at, step > 0 ? -1 : 0) + step + there.length) % there.length]?.focus()
  }
}
