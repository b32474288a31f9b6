/** The command palette: an input with a list below it; arrows move, Enter opens or executes. */
import { signal } from '@preact/signals-core'
import { html, type TemplateResult } from 'lit'
import { type RunMode, runModes, selectorOf } from '../protocol.ts'
import { type PaletteHit, type PaletteItem, paletteHits } from '../store/palette.ts'
import { mayRollBack } from '../store/roll-back.ts'
import { startRun } from '../store/runs.ts'
import { openAsset, reload, type Store } from '../store/store.ts'
import { hasGlossary } from './glossary.ts'
import { kindMark } from './marks.ts'
import { SignalElement } from './signal-element.ts'

interface Action extends PaletteItem {
  readonly act: () => void
}

export class Palette extends SignalElement {
  private readonly typed = signal('')
  private readonly active = signal(0)

  override render(): TemplateResult {
    const isOpen = this.store.paletteOpen.value
    const typed = this.typed.value
    const hits = isOpen
      ? paletteHits([...assetItems(this.store), ...actions(this.store)], typed, this.store.recent.value)
      : []
    const active = Math.min(this.active.value, Math.max(0, hits.length - 1))
    return html`<dialog class="palette" aria-label="Search assets and actions" @close=${this.closed} @click=${this.outside}>
      <input type="text" role="combobox" aria-expanded="true" aria-controls="palette-list" aria-autocomplete="list" autocomplete="off" spellcheck="false"
        aria-label="Search by name or description" placeholder="Search by name or description" aria-activedescendant=${hits.length === 0 ? '' : `hit-${active}`}
        .value=${typed} @input=${this.changed} @keydown=${(event: KeyboardEvent) => this.pressed(event, hits, active)} />
      <div id="palette-list" role="listbox" aria-label="Found">${hits.map((hit, at) => this.hit(hit, at, at === active))}</div>
      ${hits.length === 0 && isOpen ? html`<p class="quiet empty">No name or description matches.</p>` : ''}
      <span class="unseen" role="status">${isOpen && typed !== '' ? `${hits.length} found` : ''}</span>
    </dialog>`
  }

  override updated(): void {
    const dialog = this.querySelector('dialog')
    const isWanted = this.store.paletteOpen.peek()
    if (isWanted && dialog?.open === false) {
      dialog.showModal()
      this.querySelector('input')?.select()
    } else if (!isWanted && dialog?.open === true) dialog.close()
    this.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }

  private hit({ item, marks }: PaletteHit, at: number, isActive: boolean): TemplateResult {
    return html`<div id="hit-${at}" role="option" aria-selected=${isActive} @click=${() => this.choose(item)}>
      ${item.kind === 'action' ? html`<span class="kind action" aria-hidden="true">▸</span>` : kindMark(item.kind)}
      <span class="label">${marked(item.label, marks)}</span><span class="unseen">, ${item.kind}</span><span class="detail">${item.detail}</span>
    </div>`
  }

  private changed(event: Event): void {
    this.typed.value = (event.target as HTMLInputElement).value
    this.active.value = 0
  }

  private closed(): void {
    this.store.paletteOpen.value = false
    this.typed.value = ''
    this.active.value = 0
  }

  private outside(event: Event): void {
    if (event.target === event.currentTarget) this.store.paletteOpen.value = false
  }

  private pressed(event: KeyboardEvent, hits: readonly PaletteHit[], active: number): void {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key]
    const hit = hits[active]
    if (step !== undefined && hits.length > 0) {
      const isOne = Math.abs(step) === 1
      this.active.value = isOne
        ? (active + step + hits.length) % hits.length
        : Math.max(0, Math.min(hits.length - 1, active + step))
    } else if (event.key === 'Enter' && hit !== undefined) this.choose(hit.item)
    else return
    event.preventDefault()
  }

  private choose(item: PaletteItem): void {
    this.store.paletteOpen.value = false
    const action = actions(this.store).find(each => each.id === item.id)
    if (action !== undefined) action.act()
    else openAsset(this.store, item.id)
  }
}

function assetItems(store: Store): PaletteItem[] {
  const catalog = store.data.value?.catalog
  const details = new Map<string, string>([
    ...(catalog?.exposures ?? []).map(each => [`exposure:${each.name}`, each.description ?? ''] as const),
    ...(catalog?.publishes ?? []).map(each => [`publish:${each.name}`, each.resource ?? ''] as const),
  ])
  return (store.model.value?.nodes ?? []).map(node => ({
    id: node.id,
    label: node.name,
    detail: node.asset?.description ?? details.get(node.id) ?? '',
    kind: node.kind,
  }))
}

function actions(store: Store): Action[] {
  const action = (label: string, detail: string, act: () => void): Action => ({
    id: `action:${label}`,
    label,
    detail,
    kind: 'action',
    act,
  })
  const name = store.asset.value?.name
  const run = (asset: string, mode: RunMode) =>
    action(
      `Run ${selectorOf(asset, mode)}`,
      'Builds, tests and promotes',
      () => void startRun(store, asset, mode),
    )
  return [
    ...(name === undefined || !store.canRun.value ? [] : runModes.map(mode => run(name, mode))),
    action('Show the graph', 'View', () => (store.panel.value = 'graph')),
    action('Show the table', 'View', () => (store.panel.value = 'table')),
    action('Show past runs', 'View', () => (store.panel.value = 'runs')),
    action('Show freshness', 'View', () => (store.panel.value = 'freshness')),
    ...(hasGlossary(store)
      ? [action('Show the glossary', 'View', () => (store.panel.value = 'glossary'))]
      : []),
    action('Reload the catalogue', 'Reads what the last run wrote', () => void reload(store)),
    ...(mayRollBack(store)
      ? [action('Roll back…', 'Shows first what would change', () => (store.rollbackOf.value = []))]
      : []),
  ]
}

function marked(label: string, marks: PaletteHit['marks']): unknown[] {
  const parts: unknown[] = []
  let at = 0
  for (const [from, to] of marks) {
    parts.push(label.slice(at, from), html`<mark>${label.slice(from, to)}</mark>`)
    at = to
  }
  return [...parts, label.slice(at)]
}
