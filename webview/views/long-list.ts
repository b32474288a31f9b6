/**
 * A list of which a page is drawn at first, with a field that finds items by their names: a table may have two thousand columns,
 * each with a test, and drawing them all again at each change takes longer than one waits.
 */
import { signal } from '@preact/signals-core'
import { html, nothing, type TemplateResult } from 'lit'
import { numberOf } from '../store/words.ts'
import { SignalElement } from './signal-element.ts'

const page = 100

export interface LongListOf<T> {
  /** What the items are, in the singular. */
  readonly what: string
  /** What they are of: of something else it begins anew. */
  readonly of: string
  readonly items: readonly T[]
  readonly nameOf: (item: T) => string
  /** Whether an item is drawn wherever it stands. */
  readonly isKept?: (item: T) => boolean
  readonly draw: (items: readonly T[]) => TemplateResult
}

export class LongList extends SignalElement {
  static override properties = { ...SignalElement.properties, list: { attribute: false } }
  declare list: LongListOf<unknown> | undefined
  private readonly wanted = signal('')
  private readonly count = signal(page)
  private about = ''

  override render(): TemplateResult | typeof nothing {
    const { list } = this
    if (list === undefined) return nothing
    this.beginAnew(`${list.what} ${list.of}`)
    const { items, what, isKept } = list
    if (items.length <= page) return list.draw(items)
    const wanted = this.wanted.value.trim().toLowerCase()
    const found = items.filter(item => list.nameOf(item).toLowerCase().includes(wanted))
    const count = this.count.value
    const shown = found.filter((item, at) => at < count || isKept?.(item) === true)
    const rest = found.length - shown.length
    return html`<input class="find" type="text" spellcheck="false" autocomplete="off" placeholder="Find a ${what}" aria-label="Find a ${what}" .value=${this.wanted.value}
        @input=${(event: Event) => (this.wanted.value = (event.target as HTMLInputElement).value)} />
      ${found.length === 0 ? html`<p class="quiet">No ${what} is called so.</p>` : list.draw(shown)}
      ${rest === 0 ? nothing : html`<p class="quiet">${numberOf(shown.length)} of ${numberOf(found.length)} ${what}s. <button type="button" class="link" @click=${() => (this.count.value += page)}>Show ${numberOf(Math.min(page, rest))} more</button></p>`}`
  }

  private beginAnew(about: string): void {
    if (this.about === about) return
    this.about = about
    this.wanted.value = ''
    this.count.value = page
  }
}

export function longList<T>(list: LongListOf<T>): TemplateResult {
  return html`<svc-long-list .list=${list}></svc-long-list>`
}
