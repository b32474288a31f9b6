/** Every asset whose age is watched, the oldest for its limit first. */
import { html, type TemplateResult } from 'lit'
import type { GraphNode } from '../graph/model.ts'
import { openAsset, type Store } from '../store/store.ts'
import { agoOf, spanOf } from '../store/words.ts'
import { freshnessMark, kindMark } from './marks.ts'

export function freshness(store: Store): TemplateResult {
  const watched = (store.model.value?.nodes ?? [])
    .filter(node => node.asset?.freshness != null)
    .sort((a, b) => rank(a) - rank(b))
  if (watched.length === 0) {
    return html`<div class="page"><h2>Freshness</h2><p class="quiet">No asset has <code>freshness:</code> with <code>warn_after</code> or <code>error_after</code> in its file.</p></div>`
  }
  return html`<div class="page" tabindex="0" role="region" aria-label="Freshness"><h2>Freshness</h2>
    <table><thead><tr><th scope="col">Status</th><th scope="col">Asset</th><th scope="col">Last run</th><th scope="col">Warn after</th><th scope="col">Error after</th></tr></thead>
    <tbody>${watched.map(node => row(store, node))}</tbody></table></div>`
}

function rank(node: GraphNode): number {
  return node.freshness === null ? 2.5 : ['error', 'warn', 'ok'].indexOf(node.freshness)
}

function row(store: Store, node: GraphNode): TemplateResult {
  const limits = node.asset?.freshness
  const at = node.asset?.last_run ?? null
  const limit = (seconds: number | null | undefined) => (seconds == null ? '' : spanOf(seconds))
  return html`<tr><td>${at === null ? html`<span class="quiet">never run</span>` : freshnessMark(node.freshness)}</td>
    <td>${kindMark(node.kind)} <button type="button" class="link" @click=${() => openAsset(store, node.id)}>${node.name}</button></td>
    <td>${at === null ? '' : html`<time datetime=${at} title=${at}>${agoOf(at, store.nowMs.value)}</time>`}</td>
    <td>${limit(limits?.warn_after_seconds)}</td><td>${limit(limits?.error_after_seconds)}</td></tr>`
}
