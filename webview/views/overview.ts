/** An asset at a glance: version, status, last run, freshness, columns, upstream and downstream. */

import type { AssetState } from '@svc/server/verdicts'
import { html, nothing, type TemplateResult } from 'lit'
import { stateOfNode } from '../graph/asset-state.ts'
import { clocksOf } from '../graph/freshness.ts'
import type { GraphNode } from '../graph/model.ts'
import type { AttemptedRun, CatalogAsset, CatalogFile } from '../protocol.ts'
import { lastFailure, lastRunFacts, reasonOf, remedyOf } from '../store/attempts.ts'
import { differenceOf } from '../store/changed.ts'
import { openAsset, type Store, showPath } from '../store/store.ts'
import { agoOf, countOf, durationOf, numberOf, spanOf } from '../store/words.ts'
import { newestRow } from './freshness.ts'
import { longList } from './long-list.ts'
import { freshnessMark, kindMark, statusMark, withLive } from './marks.ts'
import { withPlaces } from './places.ts'
import { barPlot, linePlot } from './plots.ts'
import { problemList } from './problems.ts'
import { retryAfterFix } from './states.ts'
import { warningList } from './warnings.ts'

const mostShown = 30
/** So many columns of a neighbour are named. */
const mostUsed = 12

export function overview(store: Store, asset: CatalogAsset): TemplateResult {
  const catalog = store.data.value?.catalog
  if (catalog === undefined) return html``
  return html`<div class="overview">${problems(store, asset)}${warnings(store, asset)}<dl class="facts">${facts(store, asset)}</dl>
    ${columns(store, asset)}
    ${pastRuns(store, asset)}
    <section>${neighbours(store, catalog, asset, 'Upstream', asset.upstream)}
    ${neighbours(store, catalog, asset, 'Downstream', [...asset.downstream, ...targetsOf(catalog, asset), ...exposuresOf(catalog, asset)])}</section></div>`
}

function facts(store: Store, asset: CatalogAsset): TemplateResult {
  const now = store.nowMs.value
  const node = store.model.value?.nodes[store.model.value.indexOf.get(asset.name) ?? -1]
  const limits = limitsOf(asset)
  const age = html`${freshnessMark(node?.freshness ?? null)} ${clockText(store, asset, now)} <span class="quiet">${limits}</span>`
  const tags = asset.tags.map(tag => html`<span class="chip">${tag}</span> `)
  return html`${fact('Status', status(store, asset, node))}${fact('Live version', version(store, asset))}
    ${fact('Last run', lastRun(store, asset, now))}${limits === '' ? nothing : fact('Freshness', age)}
    ${asset.owner === null ? nothing : fact('Owner', asset.owner)}${tags.length === 0 ? nothing : fact('Tags', tags)}
    ${fact('File', file(store, asset))}`
}

function problems(store: Store, { path }: CatalogAsset): TemplateResult | typeof nothing {
  const own = store.problems.value.problems.filter(problem => problem.path === path)
  if (own.length === 0) return nothing
  return html`<section><h3>Problems in its file <span>${own.length}</span></h3>${problemList(store, own)}</section>`
}

function warnings(store: Store, asset: CatalogAsset): TemplateResult | typeof nothing {
  const own = asset.warnings ?? []
  if (own.length === 0) return nothing
  return html`<section><h3>Warnings of what is live <span>${own.length}</span></h3>${warningList(store, own)}</section>`
}

const fileWords = {
  edited: 'the file was edited since the last run',
  added: 'the file is new since the last run',
  deleted: 'the file was deleted since the last run',
  'not live': 'the file differs from what is live',
} as const

/** Returns how its file differs from what is live. An edit may also be the way back, so it is called an edit alone. */
export function fileDifference(store: Store, asset: CatalogAsset): string | undefined {
  const { value: data } = store.data
  const how = data === undefined ? undefined : differenceOf(data, asset)
  return how === undefined ? undefined : fileWords[how]
}

function fact(term: string, value: unknown): TemplateResult {
  return html`<dt>${term}</dt><dd>${value}</dd>`
}

function version(store: Store, asset: CatalogAsset): TemplateResult {
  const { active_hash: live } = asset
  const difference = fileDifference(store, asset)
  if (live === null) return html`<span class="quiet">none is live</span>`
  return html`<code>${live.slice(0, 12)}</code>
    <button type="button" class="link" @click=${() => copy(store, live, 'The version hash')}>copy<span class="unseen"> version hash</span></button>
    ${liveFacts(asset, store.nowMs.value)}
    ${difference === undefined ? nothing : html`<span class="warn">${difference}</span>`}`
}

/** The status of a run in progress takes precedence; below the word stands what is behind it. */
function status(store: Store, asset: CatalogAsset, node: GraphNode | undefined): TemplateResult {
  if (node === undefined) return html``
  const live = store.live.value
  if (live.has(node.id)) return statusMark(withLive(node, live))
  const state = stateOfNode(node)
  if (state === 'Failed') return failedStatus(store, asset, node)
  return html`${statusMark(node)}${behind(store, asset, state)}${asset.repaired === undefined ? nothing : html`<div class="break"><span class="warn">! Made again in its last run</span>: ${asset.repaired}</div>`}`
}

function behind(store: Store, asset: CatalogAsset, state: AssetState): TemplateResult | typeof nothing {
  const warnings = asset.warnings?.length ?? 0
  switch (state) {
    case 'Held back':
      return html`<div class="break">${withPlaces(store, heldBackBy(store, asset))}</div>`
    case 'Gone':
      return html`<div class="break">${asset.gone}; the next run makes it again</div>`
    case 'File broken':
      return html` <span class="quiet">the next run leaves it out</span>`
    case 'Warned':
      return warnings === 0 ? nothing : html` <span class="quiet">${countOf(warnings, 'warning')}</span>`
    default:
      return nothing
  }
}

/** Returns why its last run did not try it. */
function heldBackBy(store: Store, { name }: CatalogAsset): string {
  const runs = store.data.value?.history.runs ?? []
  const own = runs.flatMap(({ kind, assets }) =>
    kind === 'preview' ? [] : assets.filter(each => each.name === name && each.status !== 'kept'),
  )[0]
  return own?.because ?? 'something that it reads had failed'
}

function failedStatus(store: Store, asset: CatalogAsset, node: GraphNode): TemplateResult {
  const now = store.nowMs.value
  const runs = store.data.value?.history.runs ?? []
  const run = store.failures.value.get(asset.name) ?? lastFailure(runs, asset.name)
  const reason = run === undefined ? undefined : reasonOf(asset, run)
  return html`${statusMark(node)}${run === undefined ? nothing : html` <span class="quiet">${agoOf(run.finished_at ?? run.started_at, now)}</span>`}${reason === undefined ? nothing : html`<div class="break">${withPlaces(store, reason)}</div>`}${run === undefined ? nothing : remedy(store, asset, run)}`
}

/** What to do, and where. */
function remedy(store: Store, asset: CatalogAsset, run: AttemptedRun): TemplateResult {
  const { hint, place } = remedyOf(asset, run)
  const said = hint === undefined ? retryAfterFix(store) : html`${withPlaces(store, hint)}`
  return html`<div class="break">${said}</div>${place === undefined ? nothing : html`<div class="break">${withPlaces(store, place)}</div>`}`
}

/** When what is live became live, and its rows: the last run may have come to something else. */
function liveFacts({ deployed_at: since = null, rows }: CatalogAsset, now: number): TemplateResult {
  const when =
    since === null ? nothing : html` · <time datetime=${since} title=${since}>${agoOf(since, now)}</time>`
  return html`${when}${rows === null ? nothing : html` · ${countOf(rows, 'row')}`}`
}

function lastRun(store: Store, asset: CatalogAsset, now: number): TemplateResult {
  const last = lastRunFacts(asset, store.data.value?.history.runs ?? [])
  if (last === undefined) return html`<span class="quiet">never</span>`
  return html`<time datetime=${last.at} title=${last.at}>${agoOf(last.at, now)}</time>${last.seconds === null ? nothing : html` · ${durationOf(last.seconds)}`}${last.rows === null ? nothing : html` · ${countOf(last.rows, 'row')}`}`
}

/** Names the clock that counts, and the other one if it is known. */
function clockText(store: Store, asset: CatalogAsset, now: number): TemplateResult {
  const clocks = clocksOf(asset)
  const loaded = clocks.loaded === null ? 'never loaded' : `loaded ${agoOf(clocks.loaded, now)}`
  if (clocks.column === null) return html`${loaded}; <span class="quiet">${rowsText(store, asset)};</span>`
  return html`${loaded}, newest row ${newestRow(clocks, now)};`
}

/** Without a column no clock watches the rows; a test of their age says what it found. */
function rowsText(store: Store, { name }: CatalogAsset): string {
  const tests = store.data.value?.quality.assets.find(each => each.name === name)?.tests ?? []
  const watching = tests.filter(({ kind }) => kind === 'fresh')
  if (watching.length === 0) return 'the age of its rows is not watched'
  const said = watching.map(({ name, status, message }) =>
    status === 'pass' ? `${name} passes` : `${name} fails${message === null ? '' : ` (${message})`}`,
  )
  return `of the age of its rows tests say: ${said.join(', ')}`
}

function limitsOf({ freshness }: CatalogAsset): string {
  const warn = freshness?.warn_after_seconds ?? null
  const error = freshness?.error_after_seconds ?? null
  return [
    warn === null ? '' : `warn after ${spanOf(warn)}`,
    error === null ? '' : `error after ${spanOf(error)}`,
  ]
    .filter(Boolean)
    .join(', ')
}

function file(store: Store, { path }: CatalogAsset): TemplateResult {
  if (!store.host.abilities.openFile) return html`<code>${path}</code>`
  return html`<button type="button" class="link" @click=${() => store.host.openFile(path, 1)}><code>${path}</code></button>`
}

function pastRuns(store: Store, { name }: CatalogAsset): TemplateResult | typeof nothing {
  const past = [...(store.data.value?.history.runs ?? [])].reverse().flatMap(run => {
    const own = run.assets.find(each => each.name === name)
    return own === undefined || own.status === 'kept' ? [] : [{ ...own, label: run.started_at }]
  })
  if (past.length < 2) return nothing
  const last = past.slice(-mostShown)
  return html`<section><h3>Runs</h3>
    ${barPlot(
      'Duration',
      last.map(each => ({ label: each.label, value: each.seconds, failed: each.status.includes('fail') })),
      { say: durationOf },
    )}
    <h3>Rows over time</h3>
    ${linePlot(
      'Rows',
      last.map(each => ({ label: each.label, value: each.rows })),
      { say: numberOf },
    )}</section>`
}

function columns(store: Store, { name, columns: all }: CatalogAsset): TemplateResult {
  const chosen = store.pathOf.value
  const isChosen = (column: Column) => chosen?.asset === name && chosen.column === column.name
  return html`<section><h3>Columns <span>${numberOf(all.length)}</span></h3>
    ${all.length === 0 ? html`<p class="quiet">None is known before the first run.</p>` : nothing}
    ${longList({
      what: 'column',
      of: name,
      items: all,
      nameOf: column => column.name,
      isKept: isChosen,
      draw: shown =>
        html`<ul class="columns">${shown.map(column => columnItem(store, name, column, isChosen(column)))}</ul>`,
    })}</section>`
}

type Column = CatalogAsset['columns'][number]

function columnItem(store: Store, asset: string, column: Column, isChosen: boolean): TemplateResult {
  const { name, description, term } = column
  return html`<li title=${description ?? nothing} class=${isChosen ? 'chosen' : ''}><button type="button" class="link" aria-pressed=${isChosen} title="Where it comes from and goes to" @click=${() => void showPath(store, asset, name)}><code>${name}</code></button>${column.pii ? html`<span class="chip warn" title="Personal data">pii</span>` : nothing}${term === undefined ? nothing : html`<span class="chip term" title=${termTitle(term)}>${term.name}</span>`}<em>${column.type ?? ''}${column.nullable ? nothing : html` <span class="quiet">not null</span>`}</em></li>`
}

/** Returns the glossary's description of a column, and its owner. */
export function termTitle({
  description,
  from,
}: NonNullable<CatalogAsset['columns'][number]['term']>): string {
  return from === null ? description : `${description} (from ${from})`
}

function targetsOf({ publishes = [] }: CatalogFile, { name }: CatalogAsset): string[] {
  return publishes.filter(each => each.asset === name).map(each => `publish:${each.name}`)
}

function exposuresOf(catalog: CatalogFile, { name }: CatalogAsset): string[] {
  return [
    ...new Set(catalog.exposures.filter(each => each.asset === name).map(each => `exposure:${each.name}`)),
  ]
}

function neighbours(
  store: Store,
  catalog: CatalogFile,
  asset: CatalogAsset,
  title: string,
  ids: readonly string[],
): TemplateResult {
  const model = store.model.value
  return html`<h3>${title} <span>${ids.length}</span></h3><ul class="neighbours">${ids.map(id => {
    const node = model?.nodes[model.indexOf.get(id) ?? -1]
    if (node === undefined) return nothing
    const used =
      title === 'Upstream' ? usedColumns(catalog, id, asset.name) : usedColumns(catalog, asset.name, id)
    return html`<li>${kindMark(node.kind)}<button type="button" class="link" @click=${() => openAsset(store, id)}>${node.name}</button><em>${used}</em></li>`
  })}</ul>`
}

function usedColumns({ lineage }: CatalogFile, from: string, to: string): string {
  const edge = lineage.find(each => each.from === from && each.to === to)
  const uses = edge?.uses?.map(({ column }) => column) ?? []
  const names = [...new Set([...(edge?.columns.map(column => column.from) ?? []), ...uses])]
  const more = names.length - mostUsed
  return more <= 0 ? names.join(', ') : `${names.slice(0, mostUsed).join(', ')} and ${numberOf(more)} more`
}

export function copy(store: Store, text: string, what: string): void {
  navigator.clipboard.writeText(text).then(
    () => (store.notice.value = `${what} is copied.`),
    () => (store.notice.value = `${what} could not be copied: the browser does not allow it here.`),
  )
}
