/** The tests of an asset: the pass rate, the result and duration of each, and earlier results. */
import { html, nothing, type TemplateResult } from 'lit'
import type { CatalogAsset, QualityTest } from '../protocol.ts'
import type { Store } from '../store/store.ts'
import { agoOf, countOf, durationOf, percentOf } from '../store/words.ts'
import { longList } from './long-list.ts'

export function quality(store: Store, asset: CatalogAsset): TemplateResult {
  const results = store.data.value?.quality.assets.find(each => each.name === asset.name)
  if (results === undefined || results.tests.length === 0) {
    return html`<p class="quiet">${asset.status === null ? 'Tests run with the asset: it has never run.' : 'This asset has no tests. Write them under tests: in its file.'}</p>`
  }
  const { summary, last_run: at } = results
  const failed = summary.failed > 0
  const onlyWarns = failed && !results.tests.some(test => test.status === 'fail' && test.severity === 'error')
  const [glyph, role] = !failed ? ['✓', 'pass'] : onlyWarns ? ['!', 'warn'] : ['✕', 'fail']
  return html`<p class="rate"><b class=${role}>${glyph} ${percentOf(summary.pass_rate)} pass</b>
      <span class="quiet"> ${summary.passed} of ${summary.total}${at === null ? nothing : html`, last run <time datetime=${at} title=${at}>${agoOf(at, store.nowMs.value)}</time>`}</span></p>
    ${longList({
      what: 'test',
      of: asset.name,
      items: [...results.tests].sort((a, b) => rank(a) - rank(b)),
      nameOf: test => test.name,
      draw: tests =>
        html`<table class="tests"><thead><tr><th scope="col"><span class="unseen">Result</span></th><th scope="col">Test</th><th scope="col">Before</th><th scope="col" class="number">Time</th></tr></thead>
          <tbody>${tests.map(row)}</tbody></table>`,
    })}`
}

function rank(test: QualityTest): number {
  return test.status === 'fail' ? 0 : 1
}

function row(test: QualityTest): TemplateResult {
  const role = test.status === 'pass' ? 'pass' : test.severity === 'warn' ? 'warn' : 'fail'
  const isWarning = test.status === 'fail' && test.severity === 'warn'
  return html`<tr><td class=${role}><span aria-hidden="true">${test.status === 'pass' ? '✓' : isWarning ? '!' : '✕'}</span><span class="unseen">${test.status}</span></td>
    <td class="break">${test.name}${isWarning ? html` <span class="chip warn">warns only</span>` : nothing}${test.message === null ? nothing : html`<div class="quiet">${test.message}</div>`}</td>
    <td>${before(test)}</td><td class="number">${time(test)}</td></tr>`
}

/** Tests that one scan computed have its time, which is no time of any of them. */
function time({ execution_time: seconds, scan }: QualityTest): TemplateResult {
  if (scan === undefined) return html`${durationOf(seconds)}`
  const together = `one scan of ${countOf(scan.tests, 'test')} took ${durationOf(seconds)}`
  return html`<span title=${together}>${durationOf(seconds)}<span class="quiet"> / ${scan.tests}<span class="unseen">: ${together}</span></span></span>`
}

function before({ history, severity }: QualityTest): TemplateResult {
  const failures = history.filter(each => each.status === 'fail').length
  const shown = history.slice(0, 12).reverse()
  return html`<span class="ticks" aria-hidden="true">${shown.map(each => html`<i class=${each.status === 'fail' && severity === 'warn' ? 'fail warns' : each.status} title="${each.at}: ${each.status}"></i>`)}</span
    ><span class="unseen">${failures} of the last ${history.length} failed</span>`
}
