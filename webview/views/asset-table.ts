/**
 * Everything in the graph as a sortable table, which replaces the graph on a narrow page. Only visible rows
 * are rendered.
 */
import { signal } from '@preact/signals-core'
import { html, nothing, type TemplateResult } from 'lit'
import type { GraphNode } from '../graph/model.ts'
import { type Sort, type SortKey, type TableRow, tableRows } from '../store/rows.ts'
import { openAsset } from '../store/store.ts'
import { agoOf, countOf, numberOf } from '../store/words.ts'
import { freshnessMark, kindMark, statusMark, withLive } from './marks.ts'
import { SignalElement } from './signal-element.ts'

const rowHeight = 28
const spare = 10
const numbers: ReadonlySet<SortKey> = new Set(['rows', 'up', 'down'])
const columns: readonly (readonly [SortKey, string])[] = [
  ['name', 'Name'],
  ['kind', 'Kind'],
  ['status', 'Status'],
  ['freshness', 'Freshness'],
  ['tests', 'Tests'],
  ['rows', 'Live rows'],
  ['last_run', 'Last run'],
  ['up', 'Reads'],
  ['down', 'Read by'],
]

export class AssetTable extends SignalElement {
  static override properties = { ...SignalElement.properties, kept: { attribute: false } }
  declare kept: ReadonlySet<number> | undefined
  private readonly sort = signal<Sort>({ key: 'name', descending: false })
  private readonly top = signal(0)

  override render(): TemplateResult | typeof nothing {
    const model = this.store.model.value
    if (model === undefined) return nothing
    const rows = tableRows(model, this.kept, this.sort.value)
    const first = Math.max(0, Math.floor(this.top.value / rowHeight) - spare)
    const shown = rows.slice(first, first + Math.ceil((this.clientHeight || 900) / rowHeight) + 2 * spare)
    const after = Math.max(0, rows.length - first - shown.length)
    return html`<div class="table-view" tabindex="0" role="region" aria-label="Table of assets" @scroll=${(event: Event) => (this.top.value = (event.target as HTMLElement).scrollTop)}>
      <table aria-rowcount=${rows.length + 1}><caption class="unseen">${countOf(rows.length, 'asset')}</caption>
        <thead><tr>${columns.map(column => this.head(column))}</tr></thead>
        <tbody>
          ${first === 0 ? nothing : html`<tr class="gap" aria-hidden="true"><td colspan=${columns.length} .style=${`height:${first * rowHeight}px`}></td></tr>`}
          ${shown.map((row, at) => this.row(row, first + at))}
          ${after === 0 ? nothing : html`<tr class="gap" aria-hidden="true"><td colspan=${columns.length} .style=${`height:${after * rowHeight}px`}></td></tr>`}
        </tbody></table></div>`
  }

  private head([key, word]: readonly [SortKey, string]): TemplateResult {
    const { key: by, descending } = this.sort.value
    const isSorted = by === key
    return html`<th scope="col" class=${numbers.has(key) ? 'number' : ''} aria-sort=${isSorted ? (descending ? 'descending' : 'ascending') : nothing}>
      <button type="button" @click=${() => (this.sort.value = { key, descending: isSorted && !descending })}>${word} <span aria-hidden="true">${isSorted ? (descending ? '▾' : '▴') : ''}</span></button></th>`
  }

  private row({ node: written, up, down }: TableRow, index: number): TemplateResult {
    const node = withLive(written, this.store.live.value)
    const at = node.asset?.last_run ?? null
    return html`<tr aria-rowindex=${index + 2} class=${this.store.selected.value === node.id ? 'selected' : ''}>
      <th scope="row">${kindMark(node.kind)}<button type="button" class="link" @click=${() => openAsset(this.store, node.id)}>${node.name}</button></th>
      <td>${node.kind}</td><td>${statusMark(node)}</td><td>${freshnessMark(node.freshness)}</td>
      <td>${node.tests.total === 0 ? html`<span class="quiet">none</span>` : html`<span class=${node.tests.failed > 0 ? 'fail' : node.tests.warned > 0 ? 'warn' : ''}>${node.tests.total - node.tests.failed - node.tests.warned}/${node.tests.total}</span>`}</td>
      <td class="number">${node.rows === null ? unknownRows(node) : numberOf(node.rows)}</td>
      <td>${at === null ? nothing : html`<time datetime=${at} title=${at}>${agoOf(at, this.store.nowMs.value)}</time>`}</td>
      <td class="number">${up}</td><td class="number">${down}</td></tr>`
  }
}

/** A number that nobody counted is explained. */
function unknownRows({ kind, status }: GraphNode): TemplateResult {
  const why =
    kind === 'exposure'
      ? 'An exposure is outside the project'
      : status === 'never'
        ? kind === 'publish'
          ? 'Nothing was published yet'
          : 'It was never built'
        : 'Not counted: it is a view, or was read without being copied'
  return html`<span class="quiet" title=${why}>–<span class="unseen">${why}</span></span>`
}
