/** All assets with a freshness limit, those nearest to it or beyond it first. */
import { html, nothing, svg, type TemplateResult } from 'lit'
import { type Clocks, clocksOf, oldestOf } from '../graph/freshness.ts'
import type { GraphNode } from '../graph/model.ts'
import { openAsset, type Store } from '../store/store.ts'
import { agoOf, countOf, spanOf } from '../store/words.ts'
import { freshnessMark, kindMark } from './marks.ts'

export function freshness(store: Store): TemplateResult {
  const watched = (store.model.value?.nodes ?? [])
    .filter(node => node.asset?.freshness != null)
    .sort((a, b) => rank(a) - rank(b))
  if (watched.length === 0) {
    return html`<div class="page"><h2>Freshness</h2><p class="quiet">No asset has <code>freshness:</code> with <code>warn_after</code> or <code>error_after</code> in its file.</p></div>`
  }
  return html`<div class="page" tabindex="0" role="region" aria-label="Freshness"><h2>Freshness</h2><p class="sums">${sums(watched)}</p>${unwatchedRows(watched)}
    <table class="ages"><thead><tr><th scope="col">Status</th><th scope="col">Asset</th><th scope="col">Loaded</th><th scope="col">Newest row</th><th scope="col">Age</th><th scope="col">Warn after</th><th scope="col">Error after</th></tr></thead>
    <tbody>${watched.map(node => row(store, node))}</tbody></table></div>`
}

function rank(node: GraphNode): number {
  return node.freshness === null ? 2.5 : ['error', 'warn', 'ok'].indexOf(node.freshness)
}

function sums(watched: readonly GraphNode[]): TemplateResult {
  const count = (wanted: GraphNode['freshness']) => watched.filter(node => node.freshness === wanted).length
  const [error, warn, ok] = [count('error'), count('warn'), count('ok')]
  return html`${countOf(watched.length, 'asset')} watched: <span class=${error > 0 ? 'fail' : ''}>${error} too old</span>, <span class=${warn > 0 ? 'warn' : ''}>${warn} getting old</span>, ${ok} fresh`
}

/** Data that was loaded a minute ago may be years old, so it is said where only the loading is watched. */
function unwatchedRows(watched: readonly GraphNode[]): TemplateResult | typeof nothing {
  const count = watched.filter(node => node.asset?.freshness?.column == null).length
  if (count === 0) return nothing
  return html`<p class="quiet">Of ${countOf(count, 'asset')} only the time of loading is watched, not the age of the rows: <code>freshness: {column: …}</code> in the file watches both.</p>`
}

const barWidth = 96

/** Shows how much of the time until the last limit has passed; a line marks the first limit. */
function ageBar({ asset, freshness: state }: GraphNode, age: number): TemplateResult {
  const { warn_after_seconds: warn = null, error_after_seconds: error = null } = asset?.freshness ?? {}
  const last = error ?? warn ?? age
  const x = (seconds: number) => Math.round(Math.min(1, Math.max(0, seconds / last)) * barWidth)
  return html`<svg class="age ${state ?? ''}" viewBox="0 0 ${barWidth} 10" width=${barWidth} height="10" aria-hidden="true">
    <rect class="track" width=${barWidth} height="10" rx="2"></rect><rect class="filled" width=${x(age)} height="10" rx="2"></rect>
    ${warn === null || error === null ? '' : svg`<line x1=${x(warn)} x2=${x(warn)} y1="0" y2="10"></line>`}</svg>`
}

function row(store: Store, node: GraphNode): TemplateResult | typeof nothing {
  const { asset } = node
  if (asset === undefined) return nothing
  const clocks = clocksOf(asset)
  const oldest = oldestOf(clocks)
  const limit = (seconds: number | null | undefined) => (seconds == null ? '' : spanOf(seconds))
  const clock = clocks.worse === 'loaded' ? 'by loading' : 'by its rows'
  const mark =
    clocks.loaded === null
      ? html`<span class="quiet">never loaded</span>`
      : html`${freshnessMark(node.freshness)} <span class="quiet">${clock}</span>`
  return html`<tr><td>${mark}</td>
    <td><span class="named">${kindMark(node.kind)}<button type="button" class="link" @click=${() => openAsset(store, node.id)}>${node.name}</button></span></td>
    <td>${clocks.loaded === null ? '' : ago(clocks.loaded, store.nowMs.value, clocks.worse === 'loaded')}</td>
    <td>${newestRow(clocks, store.nowMs.value)}</td>
    <td>${oldest === null ? '' : ageBar(node, (store.nowMs.value - Date.parse(oldest)) / 1000)}</td>
    <td>${limit(asset.freshness?.warn_after_seconds)}</td><td>${limit(asset.freshness?.error_after_seconds)}</td></tr>`
}

/** The clock that counts is written as plain text, the other one in grey. */
function ago(at: string, now: number, counts: boolean): TemplateResult {
  return html`<time class=${counts ? '' : 'quiet'} datetime=${at} title=${at}>${agoOf(at, now)}</time>`
}

export function newestRow({ column, newestRow: at, worse }: Clocks, now: number): TemplateResult {
  if (column === null)
    return html`<span class="quiet" title="freshness: in the file names no column, so only the time of loading counts">not watched</span>`
  if (at === undefined)
    return html`<span class="quiet" title="The next run measures it">not measured yet</span>`
  if (at === null) return html`no row has a <code>${column}</code>`
  return html`${ago(at, now, worse === 'newest_row')} <code class="quiet">${column}</code>`
}
