/** The messages for empty states, and for problems of the host. */
import { html, nothing, type TemplateResult } from 'lit'
import type { HostError } from '../host/host.ts'
import { sentence } from '../store/runs.ts'
import { clearFilters, reload, type Store } from '../store/store.ts'

/** Column and row of each placeholder card, which looks like the coming graph. */
const skeletonCards = [
  [1, 2],
  [1, 4],
  [2, 1],
  [2, 3],
  [2, 5],
  [3, 2],
  [3, 4],
  [4, 3],
] as const

export function loading(): TemplateResult {
  return html`<div class="skeleton" role="status"><p class="unseen">Reading the catalogue…</p>
    ${skeletonCards.map(([column, row]) => html`<i aria-hidden="true" .style=${`grid-area: ${row} / ${column} / span 2`}></i>`)}</div>`
}

export function loadFailed(store: Store, problem: HostError): TemplateResult {
  const { message, hint } = problem
  if (problem.problem === 'never-run') return neverRun()
  return html`<div class="state" role="alert"><h2>The catalogue could not be read</h2><p>${message}</p>${hint === undefined ? nothing : html`<p class="quiet">${hint}</p>`}
    <vscode-button @click=${() => void reload(store)}>Try again</vscode-button></div>`
}

export function neverRun(): TemplateResult {
  return html`<div class="state"><h2>Nothing has run yet</h2><p>The dashboard shows what the last run found.</p><p><code>svc run --all</code></p></div>`
}

export function listSkeleton(): TemplateResult {
  return html`<div class="list-skeleton" aria-hidden="true">${[62, 88, 74, 54, 92, 66, 80, 58].map(width => html`<i .style=${`width:${width}%`}></i>`)}</div>`
}

export function empty(): TemplateResult {
  return html`<div class="state"><h2>No assets yet</h2><p>Write the first one, or let svc look at an address and write it.</p>
    <p><code>svc create asset orders</code></p><p><code>svc discover https://example.com/api/orders</code></p></div>`
}

export function noMatch(store: Store, problem: string | undefined): TemplateResult {
  return html`<div class="state" role="status"><h2>${problem === undefined ? 'No asset matches the filter' : 'The filter is not a selector'}</h2>${problem === undefined ? nothing : html`<p>${problem}</p>`}
    <vscode-button appearance="secondary" @click=${() => clearFilters(store)}>Clear the filter</vscode-button></div>`
}

export function banner(store: Store): TemplateResult | typeof nothing {
  const { value: connection } = store.connection
  const { value: load } = store.load
  if (connection === 'lost')
    return html`<p class="banner warn" role="status">The connection to svc ui is lost. Reconnecting…</p>`
  if (connection === 'stopped')
    return html`<p class="banner fail" role="alert">svc ui has stopped. The last known state is shown; start it again to run anything.</p>`
  if (connection === 'expired')
    return html`<p class="banner fail" role="alert">This session is over. Open the address that svc ui printed.</p>`
  if (load.is === 'failed' && store.data.value !== undefined)
    return html`<p class="banner fail" role="alert">${sentence(load.problem)} The page shows the data from before. <button type="button" class="link" @click=${() => void reload(store)}>Try again</button></p>`
  if (
    store.data.value?.catalog.assets.every(asset => asset.status === null) === true &&
    store.model.value?.nodes.length !== 0
  )
    return html`<p class="banner" role="status">Nothing has run yet: this is what the files say. ${store.canRun.value ? 'Run an asset, or all of them with' : 'The first run is'} <code>svc run --all</code></p>`
  return nothing
}
