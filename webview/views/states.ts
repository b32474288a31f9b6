/** The messages for empty states, and for problems of the host. */
import { html, nothing, type TemplateResult } from 'lit'
import type { HostError } from '../host/host.ts'
import type { AttemptedRun, ProjectProblems } from '../protocol.ts'
import { keptIn, retryWords } from '../store/attempts.ts'
import { type Problem, problemCounts, totalOf } from '../store/problems.ts'
import { sentence } from '../store/runs.ts'
import { clearFilters, reload, type Store } from '../store/store.ts'
import { agoOf, countOf } from '../store/words.ts'
import { causes, endingOf } from './past-runs.ts'
import { withPlaces } from './places.ts'
import { problemsSum } from './problems.ts'

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

export function loadFailed(store: Store, { message, hint }: HostError): TemplateResult {
  return html`<div class="state" role="alert"><h2>The catalogue could not be read</h2><p>${message}</p>${hint === undefined ? nothing : html`<p class="quiet">${hint}</p>`}
    <vscode-button @click=${() => void reload(store)}>Try again</vscode-button></div>`
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
  return html`${filesBanner(store)}${lastRunBanner(store)}${neverRunBanner(store)}`
}

function neverRunBanner(store: Store): TemplateResult | typeof nothing {
  const isNew = store.data.value?.catalog.assets.every(asset => asset.status === null) === true
  if (!isNew || store.model.value?.nodes.length === 0) return nothing
  const { errors } = totalOf(problemCounts(store.problems.value.problems))
  const said = errors === 0 ? 'this is what the files say' : 'this is what can be read of the files'
  return html`<p class="banner" role="status">Nothing has run yet: ${said}. ${store.canRun.value ? 'Run an asset, or all of them with' : 'The first run is'} <code>svc run --all</code></p>`
}

/** Errors in files: the next run leaves out what they break, and lineage may lack it. */
function filesBanner(store: Store): TemplateResult | typeof nothing {
  const { problems, failure } = store.problems.value
  const { errors } = totalOf(problemCounts(problems))
  if (errors === 0 && failure === null) return nothing
  const said = failure === null ? problemsSum(problems) : html`The files cannot be checked`
  const shown = store.panel.value === 'problems'
  return html`<p class="banner fail" role="alert"><span aria-hidden="true">✕</span> ${said}: ${whatRunsDo(store.problems.value)}. ${shown ? nothing : html`<button type="button" class="link" @click=${() => (store.panel.value = 'problems')}>Show ${errors === 1 ? 'it' : 'them'}</button>`}</p>`
}

/** Without its settings nobody knows what the project is; errors of one asset leave all others alone. */
function whatRunsDo({ problems, failure }: ProjectProblems): string {
  const isOfAssets = ({ path }: Problem) => path.endsWith('.svc') || path === 'glossary.yaml'
  const errors = problems.filter(({ severity }) => severity === 'error')
  const broken = `what ${errors.length === 1 ? 'it breaks' : 'they break'}`
  return failure === null && errors.every(isOfAssets)
    ? `a run leaves out ${broken} and all that reads it, and lineage may lack it`
    : `no run can begin, and lineage may lack ${broken}`
}

/** The last run is named while it, or a part of it, is a failure, because production is older than it looks. */
function lastRunBanner(store: Store): TemplateResult | typeof nothing {
  const run = store.data.value?.history.runs.find(
    ({ kind, ending }) => kind === 'run' && ending !== 'running',
  )
  if (run === undefined || store.activeRun.value !== undefined) return nothing
  if (run.causes.length === 0 && run.status !== 'Failed') return nothing
  const [role, words] = endingOf(run)
  const about = run.selector === null ? '' : html` <code>${run.selector}</code>`
  const isShown = store.panel.value === 'runs'
  return html`<div class="banner ${role === 'quiet' ? '' : role}" role="status">${words}: the last run${about}, ${agoOf(run.started_at, store.nowMs.value)}. ${whatToDo(store, run)} ${whatIsLive(store, run)} ${isShown ? nothing : html`<button type="button" class="link" @click=${() => (store.panel.value = 'runs')}>Runs</button>`}${causes(store, run)}</div>`
}

/** Returns what the run advised; else how to go on after a fix, where something of the project failed. */
function whatToDo(
  store: Store,
  { hint, failed_asset: asset }: AttemptedRun,
): TemplateResult | typeof nothing {
  if (hint !== undefined) return html`<span class="remedy">${withPlaces(store, hint)}</span>`
  return asset === null ? nothing : html`<span class="remedy">${retryAfterFix(store)}.</span>`
}

export function retryAfterFix(store: Store): TemplateResult {
  return html`After a fix: <code>${retryWords(store.data.value?.catalog.environment ?? 'dev')}</code>`
}

/** A run that was killed may have come further than its log. */
function whatIsLive(store: Store, run: AttemptedRun): string {
  const environment = store.data.value?.catalog.environment ?? ''
  if (run.verdict === 'Deployed in part')
    return `What passed is live in ${environment}, ${countOf(keptIn(run), 'asset')} as before.`
  if (run.status === 'deployed') return `What it promoted is live in ${environment}.`
  return run.generation === null && run.ending !== 'killed'
    ? `Nothing was promoted: ${environment} is as before.`
    : ''
}
