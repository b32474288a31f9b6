/** The filter: an input for selectors, and a panel with buttons for kinds, states and tags. */
import { signal } from '@preact/signals-core'
import { html, nothing, type TemplateResult } from 'lit'
import { hiddenKey } from '../graph/filter.ts'
import { entryOf, type Lens, legendOf } from '../graph/lens.ts'
import { hasWord, tagWord, toggledWord } from '../store/filter-text.ts'
import { clearFilters, type Store } from '../store/store.ts'
import { numberOf } from '../store/words.ts'
import { icon } from './icon.ts'
import { withLive } from './marks.ts'
import { SignalElement } from './signal-element.ts'

const groups: readonly (readonly [Lens, string])[] = [
  ['kind', 'Kind'],
  ['status', 'Status'],
  ['freshness', 'Freshness'],
  ['tests', 'Tests'],
]

export class Filters extends SignalElement {
  private readonly open = signal(false)

  override render(): TemplateResult {
    const { store } = this
    const filtered = store.filtered.value
    const problem = 'problem' in filtered ? filtered.problem : undefined
    const isOpen = this.open.value
    const count = store.hidden.value.size
    return html`<div class="filters" @focusout=${this.left} @keydown=${this.pressed}>
      <input class="filter" type="text" spellcheck="false" autocomplete="off" placeholder="Filter: name, +name, tag:…" aria-label="Filter assets"
        aria-invalid=${problem !== undefined} aria-describedby=${problem === undefined ? nothing : 'filter-problem'}
        title="The selectors of svc run, or a part of a name" .value=${store.filter.value}
        @input=${(event: Event) => (store.filter.value = (event.target as HTMLInputElement).value)} />
      <button type="button" class="icon funnel" aria-expanded=${isOpen} aria-controls="filter-panel" title="Filter by kind, status, tags"
        aria-label="Filter by kind, status, tags${count === 0 ? '' : `: ${count} hidden`}" @click=${() => (this.open.value = !isOpen)}>${icon('filter')}${count === 0 ? nothing : html`<span class="badge">${count}</span>`}</button>
      ${problem === undefined ? nothing : html`<p id="filter-problem" class="unseen">${problem}</p>`}
      <div id="filter-panel" class="panel" role="group" tabindex="-1" aria-label="Filters" ?hidden=${!isOpen}>${isOpen ? this.panel() : nothing}</div>
    </div>`
  }

  private panel(): TemplateResult {
    const { store } = this
    const tags = tagsOf(store)
    const isFiltered = store.hidden.value.size > 0 || store.filter.value.trim() !== ''
    return html`${groups.map(([lens, word]) => this.group(lens, word))}
      ${tags.size === 0 ? nothing : html`<fieldset><legend>Tags</legend>${[...tags].map(([tag, count]) => this.tag(tag, count))}</fieldset>`}
      <button type="button" class="quiet-button" ?disabled=${!isFiltered} @click=${() => clearFilters(store)}>Show everything</button>`
  }

  private group(lens: Lens, word: string): TemplateResult {
    const { hidden } = this.store
    const counts = entryCounts(this.store, lens)
    return html`<fieldset><legend>${word}</legend>${legendOf(
      lens,
      this.store.model.value?.kinds ?? new Set(),
    ).map(entry => {
      const key = hiddenKey(lens, entry.key)
      return html`<div class="entry"><label><input type="checkbox" .checked=${!hidden.value.has(key)} @change=${() => {
        const next = new Set(hidden.value)
        if (!next.delete(key)) next.add(key)
        hidden.value = next
      }} />${lens === 'kind' ? html`<span class="kind ${entry.key}" aria-hidden="true"></span>` : html`<span class="glyph ${entry.role}" aria-hidden="true">${entry.glyph}</span>`}${entry.word}</label><span class="count">${numberOf(counts.get(entry.key) ?? 0)}</span></div>`
    })}</fieldset>`
  }

  private tag(tag: string, count: number): TemplateResult {
    const { filter } = this.store
    const word = tagWord(tag)
    return html`<div class="entry"><label><input type="checkbox" .checked=${hasWord(filter.value, word)} @change=${() => (filter.value = toggledWord(filter.value, word))} />${tag}</label><span class="count">${numberOf(count)}</span></div>`
  }

  private left(event: FocusEvent): void {
    if (!(event.relatedTarget instanceof Node && this.contains(event.relatedTarget))) this.open.value = false
  }

  private pressed(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || !this.open.value) return
    this.open.value = false
    this.querySelector<HTMLElement>('.funnel')?.focus()
    event.stopPropagation()
  }
}

/** Returns the number of assets with each tag, by tag. */
function tagsOf(store: Store): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const tag of (store.data.value?.catalog.assets ?? []).flatMap(asset => asset.tags))
    counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return new Map([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Returns how many of all assets belong to each entry of the legend. */
function entryCounts(store: Store, lens: Lens): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const node of store.model.value?.nodes ?? []) {
    if (node.asset === undefined && lens !== 'kind') continue
    const { key } = entryOf(lens, withLive(node, store.live.value))
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}
