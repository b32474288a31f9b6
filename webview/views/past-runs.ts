/** The runs of the environment, newest first, with a plot of their durations. */

import { verdictLook, verdictWords } from '@svc/server/verdicts'
import { html, nothing, type TemplateResult } from 'lit'
import type { AttemptedRun } from '../protocol.ts'
import { mayRollBack } from '../store/roll-back.ts'
import { showPastRun } from '../store/runs.ts'
import { openAsset, type Store } from '../store/store.ts'
import { agoOf, countOf, durationOf } from '../store/words.ts'
import { withPlaces } from './places.ts'
import { barPlot } from './plots.ts'
import { warningList } from './warnings.ts'

const mostBars = 60

export function pastRuns(store: Store): TemplateResult {
  const runs = store.data.value?.history.runs ?? []
  if (runs.length === 0) {
    return html`<div class="page"><h2>Runs</h2><p class="quiet">No run is known yet. <code>svc run --all</code> makes the first.</p></div>`
  }
  const bars = runs.slice(0, mostBars).reverse()
  return html`<div class="page" tabindex="0" role="region" aria-label="Past runs"><div class="head"><h2>Runs</h2>${mayRollBack(store) ? html`<button type="button" class="quiet-button" @click=${() => (store.rollbackOf.value = [])}>Roll back…</button>` : nothing}</div>
    ${barPlot(
      'Duration',
      bars.map(run => ({
        label: `${run.run_id}, ${run.started_at}`,
        value: secondsOf(run),
        failed: verdictLook(run.verdict, run.warned).role === 'fail',
      })),
      { say: durationOf, height: 72 },
    )}
    <table class="runs"><thead><tr><th scope="col">Run</th><th scope="col">What</th><th scope="col">Began</th><th scope="col" class="number">Took</th><th scope="col">Status</th></tr></thead>
    <tbody>${runs.map(run => row(store, run, store.nowMs.value))}</tbody></table></div>`
}

function secondsOf(run: AttemptedRun): number | null {
  return run.finished_at === null ? null : (Date.parse(run.finished_at) - Date.parse(run.started_at)) / 1000
}

/** Returns the mark and the word for how a run ended. */
export function endingOf({ verdict, warned }: AttemptedRun): readonly [role: string, words: string] {
  const { glyph, role } = verdictLook(verdict, warned)
  return [role, `${glyph} ${verdictWords(verdict, warned)}`]
}

function row(store: Store, run: AttemptedRun, now: number): TemplateResult {
  const [role, word] = endingOf(run)
  const took = secondsOf(run)
  const touched = run.assets.filter(asset => asset.status !== 'kept' || asset.deployed === true)
  return html`<tr><td><code>${run.run_id}</code></td><td>${run.kind} ${run.selector === null ? nothing : html`<code>${run.selector}</code>`}</td>
    <td><time datetime=${run.started_at} title=${run.started_at}>${agoOf(run.started_at, now)}</time></td>
    <td class="number">${took === null ? '' : durationOf(took)}</td>
    <td class="wrap"><span class=${role}>${word}</span> ${run.has_log ? html`<button type="button" class="link" @click=${() => void showPastRun(store, run)}>lines<span class="unseen"> of ${run.run_id}</span></button>` : nothing}${madeAgain(touched)}${warnings(store, run)}${assets(store, touched)}${causes(store, run)}</td></tr>`
}

/** Returns all that failed, each with its asset and its place. */
export function causes(
  store: Store,
  { causes: all, more_causes: more }: AttemptedRun,
): TemplateResult | typeof nothing {
  if (all.length === 0) return nothing
  return html`<ul class="causes">${all.map(each => html`<li class="break">${cause(store, each)}</li>`)}${more === 0 ? nothing : html`<li class="quiet">and ${countOf(more, 'more failure')}</li>`}</ul>`
}

function cause(store: Store, { asset, message, place }: AttemptedRun['causes'][number]): TemplateResult {
  const isKnown = asset !== null && store.model.value?.indexOf.has(asset) === true
  const who = isKnown
    ? html`<button type="button" class="link" @click=${() => openAsset(store, asset)}>${asset}</button>: `
    : nothing
  return html`${who}${withPlaces(store, message)}${place === null ? nothing : html` ${withPlaces(store, place)}`}`
}

/** Readers of production may have met errors or other rows until that run. */
function madeAgain(touched: AttemptedRun['assets']): TemplateResult | typeof nothing {
  const repaired = touched.filter(each => each.repaired !== undefined)
  if (repaired.length === 0) return nothing
  const [first] = repaired
  const what = repaired.length === 1 ? first?.name : countOf(repaired.length, 'asset')
  return html`<div><span class="warn">! made ${what} again</span></div>`
}

/** Returns what the run warned of, folded behind its number. */
function warnings(store: Store, { warnings: own = [] }: AttemptedRun): TemplateResult | typeof nothing {
  if (own.length === 0) return nothing
  return html`<details><summary>${countOf(own.length, 'warning')}</summary>${warningList(store, own, true)}</details>`
}

/** Returns what the run did with each asset, folded behind their number. */
function assets(store: Store, touched: AttemptedRun['assets']): TemplateResult | typeof nothing {
  if (touched.length === 0) return nothing
  return html`<details><summary>${countOf(touched.length, 'asset')}</summary>
    <ul>${touched.map(each => {
      const role = each.status.includes('fail') ? 'fail' : 'quiet'
      const facts = [
        each.rows === null ? '' : countOf(each.rows, 'row'),
        each.seconds === null ? '' : durationOf(each.seconds),
      ]
      return html`<li><button type="button" class="link" @click=${() => openAsset(store, each.name)}>${each.name}</button>
        <span class=${role}>${each.status === 'kept' ? 'now live' : each.status.replaceAll('_', ' ')}</span> <span class="quiet">${facts.filter(Boolean).join(', ')}</span>${each.repaired === undefined ? nothing : html`<div class="break"><span class="warn">! made again</span>: ${each.repaired}</div>`}</li>`
    })}</ul></details>`
}
