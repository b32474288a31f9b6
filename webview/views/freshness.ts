/** All assets with a freshness limit, those nearest to it or beyond it first. */
import { html, svg, type TemplateResult } from 'lit'
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
  return html`<div class="page" tabindex="0" role="region" aria-label="Freshness"><h2>Freshness</h2><p class="sums">${sums(watched)}</p>
    <table class="ages"><thead><tr><th scope="col">Status</th><th scope="col">Asset</th><th scope="col">Last run</th><th scope="col">Age</th><th scope="col">Warn after</th><th scope="col">Error after</th></tr></thead>
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

function row(store: Store, node: GraphNode): TemplateResult {
  const limits = node.asset?.freshness
  const at = node.asset?.last_run ?? null
  const limit = (seconds: number | null | undefined) => (seconds == null ? '' : spanOf(seconds))
  return html`<tr><td>${at === null ? html`<span class="quiet">never run</span>` : freshnessMark(node.freshness)}</td>
    <td><span class="named">${kindMark(node.kind)}<button type="button" class="link" @click=${() => openAsset(store, node.id)}>${node.name}</button></span></td>
    <td>${at === null ? '' : html`<time datetime=${at} title=${at}>${agoOf(at, store.nowMs.value)}</time>`}</td>
    <td>${at === null ? '' : ageBar(node, (store.nowMs.value - Date.parse(at)) / 1000)}</td>
    <td>${limit(limits?.warn_after_seconds)}</td><td>${limit(limits?.error_after_seconds)}</td></tr>`
}
