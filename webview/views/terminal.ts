/**
 * The lines of a run as they arrive: colours, follow, search, copy, save, filter by asset, cancel. Only
 * visible lines are rendered.
 */
import { signal } from '@preact/signals-core'
import { verdictLook } from '@svc/server/verdicts'
import { html, nothing, type TemplateResult } from 'lit'
import { classMap } from 'lit/directives/class-map.js'
import { type LogLine, linesWith, type RunLog, summaryOf, textOf, titleOf } from '../store/run-log.ts'
import { cancelRun } from '../store/runs.ts'
import type { Store } from '../store/store.ts'
import { piecesOf } from '../store/terminal-text.ts'
import { durationOf } from '../store/words.ts'
import { iconButton } from './icon.ts'
import { copy } from './overview.ts'
import { withPlaces } from './places.ts'
import { SignalElement } from './signal-element.ts'

const rowHeight = 18
const spare = 12

export class Terminal extends SignalElement {
  private readonly typed = signal('')
  private readonly only = signal<string | null>(null)
  private readonly follow = signal(true)
  private top = 0

  override render(): TemplateResult | typeof nothing {
    const { value: id } = this.store.shownRun
    const run = this.store.runs.value.find(each => each.runId === id)
    if (run === undefined) return nothing
    const lines = linesWith(run, this.only.value, this.typed.value)
    return html`<section class="terminal" aria-label="Lines of a run" tabindex="-1">
      ${this.bar(run, lines)}
      ${run.connection === 'lost' ? html`<p class="warn notice" role="status">The connection is lost. Reconnecting… the run goes on, nothing is started twice.</p>` : nothing}
      ${this.log(lines)}
    </section>`
  }

  override updated(): void {
    const log = this.querySelector('.log')
    if (this.follow.peek() && log !== null) log.scrollTop = log.scrollHeight
  }

  private bar(run: RunLog, lines: readonly LogLine[]): TemplateResult {
    const { end } = run
    const { role, glyph } =
      end === undefined ? { role: '', glyph: '◐' } : verdictLook(end.verdict, end.warned)
    return html`<div class="bar">${this.heading(run)}
      <span class=${role} role="status"><span aria-hidden="true">${glyph}</span> ${shortSummary(run)}</span>
      <span class="grow"></span>
      ${this.assets(run)}
      <input type="text" placeholder="Find" aria-label="Find in the lines" .value=${this.typed.value} @input=${(event: Event) => (this.typed.value = (event.target as HTMLInputElement).value)} />
      <label class="check"><input type="checkbox" .checked=${this.follow.value} @change=${(event: Event) => (this.follow.value = (event.target as HTMLInputElement).checked)} /> Follow</label>
      ${iconButton('copy', 'Copy the lines', () => copy(this.store, textOf(lines), 'The log'))}
      ${iconButton('save', 'Save the lines as a file', () => save(`${run.runId}.log`, textOf(lines)))}
      ${run.end === undefined ? html`<button type="button" class="quiet-button" @click=${() => void cancelRun(this.store, run.runId)}>Cancel run</button>` : nothing}
      ${iconButton('close', run.end === undefined ? 'Close the lines; the run goes on' : 'Close the lines of the run', () => (this.store.shownRun.value = null))}
    </div>`
  }

  /** Returns the name of the run, or a choice of the watched runs. */
  private heading(run: RunLog): TemplateResult {
    const { value: runs } = this.store.runs
    if (runs.length < 2) return html`<b>${titleOf(run)}</b>`
    return html`<select class="runs-choice" aria-label="Run" @change=${(event: Event) => (this.store.shownRun.value = (event.target as HTMLSelectElement).value)}>
      ${runs.map(each => html`<option value=${each.runId} .selected=${each.runId === run.runId}>${titleOf(each)}${each.end === undefined ? ' (running)' : ''}</option>`)}</select>`
  }

  private assets(run: RunLog): TemplateResult | typeof nothing {
    const names = [...new Set([...run.steps.keys(), ...run.lines.flatMap(line => line.asset ?? [])])].sort()
    if (names.length < 2) return nothing
    return html`<select aria-label="Lines of one asset" @change=${(event: Event) => (this.only.value = (event.target as HTMLSelectElement).value || null)}>
      <option value="">All assets</option>${names.map(name => html`<option value=${name} ?selected=${this.only.value === name}>${name}</option>`)}</select>`
  }

  private log(lines: readonly LogLine[]): TemplateResult {
    const count = Math.ceil((this.querySelector('.log')?.clientHeight ?? 400) / rowHeight) + 2 * spare
    const end = Math.max(0, lines.length - count)
    const first = this.follow.value
      ? end
      : Math.min(end, Math.max(0, Math.floor(this.top / rowHeight) - spare))
    return html`<div class="log" role="log" aria-live="off" aria-label="Log" tabindex="0" @scroll=${this.scrolled}>
      <div class="space" .style=${`height:${lines.length * rowHeight}px`}>
        ${lines.slice(first, first + count).map((line, at) => html`<div class="line" .style=${`top:${(first + at) * rowHeight}px`}>${pieces(this.store, line)}</div>`)}
      </div></div>`
  }

  /**
   * Scrolling away from the end stops following, scrolling back to it starts again. If a log became shorter,
   * its position changes too although the user did nothing.
   */
  private scrolled(event: Event): void {
    const log = event.target as HTMLElement
    const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < rowHeight
    if (log.scrollTop < this.top && !isAtEnd) this.follow.value = false
    if (log.scrollTop > this.top && isAtEnd) this.follow.value = true
    this.top = log.scrollTop
    if (!this.follow.value) this.requestUpdate()
  }
}

/** Returns how it stands and what it took; the reason of a failure is in its own line. */
function shortSummary(run: RunLog): string {
  const { end } = run
  if (end === undefined) return summaryOf(run)
  return `${summaryOf({ ...run, end: { ...end, reason: null } })}${end.seconds === null ? '' : ` in ${durationOf(end.seconds)}`}`
}

function pieces(store: Store, { text }: LogLine): unknown[] {
  return piecesOf(text).map(({ text, colour, bold, dim, underline }) => {
    const shown = withPlaces(store, text)
    if (colour === undefined && !bold && !dim && !underline) return shown
    const style = classMap({ [`ansi-${colour}`]: colour !== undefined, bold, quiet: dim, underline })
    return html`<span class=${style}>${shown}</span>`
  })
}

function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
