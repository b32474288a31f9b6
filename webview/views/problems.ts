/** The problems of the project's files, as `svc validate` says them: all of them, or those of one file. */
import { html, nothing, type TemplateResult } from 'lit'
import { byFile, type Problem, problemCounts, totalOf } from '../store/problems.ts'
import { openAsset, type Store } from '../store/store.ts'
import { agoOf, countOf } from '../store/words.ts'

export function problemsPage(store: Store): TemplateResult {
  const { problems, checked_at: at, failure } = store.problems.value
  return html`<div class="page" tabindex="0" role="region" aria-label="Problems"><h2>Problems</h2>
    <p class="sums">${problemsSum(problems)}${at === null ? nothing : html` <span class="quiet">checked ${agoOf(at, store.nowMs.value)}</span>`}</p>
    ${failure === null ? nothing : html`<p class="fail break">The files could not be checked: ${failure}</p>`}
    ${byFile(problems).map(
      ([path, list]) =>
        html`<section class="problems"><h3>${fileName(store, path)} <span>${list.length}</span></h3>${problemList(store, list)}</section>`,
    )}</div>`
}

/** Returns `2 errors in 1 file, 1 warning`. */
export function problemsSum(problems: readonly Problem[]): TemplateResult {
  const { errors, warnings, files } = totalOf(problemCounts(problems))
  if (errors + warnings === 0) return html`No problems were found.`
  const wrong =
    errors === 0
      ? nothing
      : html`<span class="fail">${countOf(errors, 'error')} in ${countOf(files, 'file')}</span>`
  const warned = warnings === 0 ? nothing : html`<span class="warn">${countOf(warnings, 'warning')}</span>`
  return html`${wrong}${errors > 0 && warnings > 0 ? ', ' : nothing}${warned}`
}

/** The asset that the file is known as opens beside the list. */
function fileName(store: Store, path: string): TemplateResult {
  const asset = store.data.value?.catalog.assets.find(each => each.path === path)
  if (asset === undefined) return html`<code>${path}</code>`
  return html`<button type="button" class="link" @click=${() => openAsset(store, asset.name)}><code>${path}</code></button>`
}

export function problemList(store: Store, problems: readonly Problem[]): TemplateResult {
  return html`<ul class="problem-list">${problems.map(problem => {
    const isError = problem.severity === 'error'
    const line = `line ${problem.line}`
    return html`<li><span class=${isError ? 'fail' : 'warn'}><span aria-hidden="true">${isError ? '✕' : '!'}</span><span class="unseen">${problem.severity}: </span></span>
      <span class="break">${problem.message} <code class="quiet">${problem.code}</code>${problem.hint === null ? nothing : html`<span class="quiet"> ${problem.hint}</span>`}</span>
      ${store.host.abilities.openFile ? html`<button type="button" class="link" @click=${() => store.host.openFile(problem.path, problem.line)}>${line}</button>` : html`<span class="quiet">${line}</span>`}</li>`
  })}</ul>`
}
