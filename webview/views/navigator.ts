/**
 * Finds assets: search, filter, and all assets as a tree of folders with one tab stop, arrows, Home, End,
 * Enter, and search by first letters. Only visible rows are rendered.
 */
import { html, nothing, type TemplateResult } from 'lit'
import type { GraphModel } from '../graph/model.ts'
import { type TreeRow, treeRows, typeAhead } from '../store/rows.ts'
import { openAsset } from '../store/store.ts'
import { icon } from './icon.ts'
import { kindMark, stateMark, withLive } from './marks.ts'
import { SignalElement } from './signal-element.ts'
import { search } from './top-bar.ts'

const rowHeight = 24
const spare = 8
const typeAheadMs = 700

export class Navigator extends SignalElement {
  private active = 0
  private top = 0
  private typed = ''
  private typedAt = 0
  private followed: string | null = null
  private sized: ResizeObserver | undefined

  override render(): TemplateResult | typeof nothing {
    const model = this.store.model.value
    if (model === undefined) return nothing
    const rows = this.rowsOf(model)
    this.active = Math.min(this.active, Math.max(0, rows.length - 1))
    const first = Math.max(0, Math.floor(this.top / rowHeight) - spare)
    const shown = rows.slice(first, first + Math.ceil((this.clientHeight || 800) / rowHeight) + 2 * spare)
    return html`<div class="finders"><span class="wide-search">${search(this.store)}</span><svc-filters .store=${this.store}></svc-filters></div>
      <div class="tree" role="tree" aria-label="Assets" tabindex="0"
      aria-activedescendant=${rows.length === 0 ? nothing : `tree-${this.active}`}
      @scroll=${this.scrolled} @keydown=${(event: KeyboardEvent) => this.pressed(event, rows)}>
      <div class="space" role="none" .style=${`height:${rows.length * rowHeight}px`}>
        ${shown.map((row, at) => this.row(row, first + at))}
        ${this.activeOutside(first, shown.length, rows.length)}
      </div>
    </div>`
  }

  /** Scrolls to an asset that was selected elsewhere, in the graph or the palette, and opens its folder. */
  override updated(): void {
    this.watchSize()
    const id = this.store.selected.peek()
    const model = this.store.model.peek()
    if (id === this.followed || model === undefined) return
    this.followed = id
    this.openFolderOf(model, id)
    this.showSelected(model)
  }

  private openFolderOf(model: GraphModel, id: string | null): void {
    const group = model.nodes[model.indexOf.get(id ?? '') ?? -1]?.group
    const closed = this.store.closed.peek()
    if (group !== undefined && closed.has(group))
      this.store.closed.value = new Set([...closed].filter(name => name !== group))
  }

  private showSelected(model: GraphModel): void {
    const id = this.store.selected.peek()
    const rows = this.rowsOf(model)
    const at = rows.findIndex(row => row.type === 'node' && row.node.id === id)
    if (at >= 0) this.move(at, rows.length)
  }

  /** A list that becomes lower (the lines of a run open below it) keeps the selected row in sight. */
  private watchSize(): void {
    const tree = this.querySelector('.tree')
    if (tree === null || this.sized !== undefined) return
    this.sized = new ResizeObserver(() => {
      const model = this.store.model.peek()
      if (model !== undefined) this.showSelected(model)
    })
    this.sized.observe(tree)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.sized?.disconnect()
    this.sized = undefined
  }

  /** The active row is rendered even if it is scrolled away, because screen readers refer to it by its id. */
  private activeOutside(first: number, count: number, all: number): TemplateResult | typeof nothing {
    const isThere = all === 0 || (this.active >= first && this.active < first + count)
    return isThere
      ? nothing
      : html`<div id="tree-${this.active}" role="treeitem" class="unseen" aria-selected="false">…</div>`
  }

  private rowsOf(model: GraphModel): readonly TreeRow[] {
    const filtered = this.store.filtered.value
    const kept = 'kept' in filtered ? filtered.kept : new Set<number>()
    return treeRows(model, kept, this.store.closed.value)
  }

  private row(row: TreeRow, index: number): TemplateResult {
    const top = `top:${index * rowHeight}px`
    const active = index === this.active ? 'active' : ''
    if (row.type === 'group') {
      return html`<div id="tree-${index}" class="row group ${active}" role="treeitem" aria-level="1" aria-expanded=${row.open}
        aria-selected="false" .style=${top} @click=${() => this.toggle(row.name, index)}>
        <span class=${row.open ? 'fold open' : 'fold'} aria-hidden="true">${icon('down')}</span> <span class="name">${row.name}</span>
        <span class="count">${row.failed > 0 ? html`<span class="fail">✕ ${row.failed}<span class="unseen"> failed</span> of</span> ` : nothing}${row.count}</span>
      </div>`
    }
    return html`<div id="tree-${index}" class="row ${active}" role="treeitem" aria-level="2" aria-posinset=${row.position}
      aria-setsize=${row.of} aria-selected=${this.store.selected.value === row.node.id} .style=${top} title=${row.node.name}
      @click=${() => this.open(row.node.id, index)}>
      ${kindMark(row.node.kind)}<span class="name">${row.node.name}</span><span class="unseen">, ${row.node.kind}, </span>${stateMark(withLive(row.node, this.store.live.value))}
    </div>`
  }

  private scrolled(event: Event): void {
    this.top = (event.target as HTMLElement).scrollTop
    this.requestUpdate()
  }

  private open(id: string, index: number): void {
    this.active = index
    openAsset(this.store, id)
    this.requestUpdate()
  }

  private toggle(name: string, index: number): void {
    const closed = new Set(this.store.closed.value)
    if (!closed.delete(name)) closed.add(name)
    this.store.closed.value = closed
    this.active = index
    this.requestUpdate()
  }

  private pressed(event: KeyboardEvent, rows: readonly TreeRow[]): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const row = rows[this.active]
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: this.active + 1,
      ArrowUp: this.active - 1,
      Home: 0,
      End: rows.length - 1,
      PageDown: this.active + 12,
      PageUp: this.active - 12,
    }
    const to = moves[event.key]
    if (to !== undefined) this.move(to, rows.length)
    else if (event.key === 'Enter' || event.key === ' ') this.enter(row)
    else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') this.sideways(event.key, rows)
    else if (event.key.length === 1) this.search(event.key, rows)
    else return
    event.preventDefault()
  }

  private enter(row: TreeRow | undefined): void {
    if (row?.type === 'group') this.toggle(row.name, this.active)
    else if (row !== undefined) this.open(row.node.id, this.active)
  }

  private sideways(key: string, rows: readonly TreeRow[]): void {
    const row = rows[this.active]
    if (row?.type === 'group') {
      if (row.open === (key === 'ArrowLeft')) this.toggle(row.name, this.active)
      else if (row.open) this.move(this.active + 1, rows.length)
    } else if (key === 'ArrowLeft') {
      this.move(
        rows.findLastIndex((each, at) => at < this.active && each.type === 'group'),
        rows.length,
      )
    }
  }

  private search(key: string, rows: readonly TreeRow[]): void {
    const now = performance.now()
    this.typed = now - this.typedAt > typeAheadMs ? key : this.typed + key
    this.typedAt = now
    const row = typeAhead(rows, this.active + (this.typed.length === 1 ? 1 : 0), this.typed)
    if (row >= 0) this.move(row, rows.length)
  }

  private move(to: number, count: number): void {
    this.active = Math.max(0, Math.min(count - 1, to))
    const tree = this.querySelector('.tree')
    if (tree === null) return
    const [top, bottom] = [this.active * rowHeight, (this.active + 1) * rowHeight]
    if (top < tree.scrollTop) tree.scrollTop = top
    if (bottom > tree.scrollTop + tree.clientHeight) tree.scrollTop = bottom - tree.clientHeight
    this.requestUpdate()
  }
}
