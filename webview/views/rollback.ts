/** The rollback dialog: shows what would change, asks, then runs it. */
import { signal } from '@preact/signals-core'
import { html, nothing, type TemplateResult } from 'lit'
import type { RollbackPreview } from '../protocol.ts'
import { sentence, startRollback } from '../store/runs.ts'
import { asHostError } from '../store/store.ts'
import { agoOf, countOf, numberOf } from '../store/words.ts'
import { SignalElement } from './signal-element.ts'

export class Rollback extends SignalElement {
  private readonly preview = signal<RollbackPreview | undefined>(undefined)
  private readonly problem = signal<string | undefined>(undefined)
  private asked: readonly string[] | null = null

  override render(): TemplateResult {
    const names = this.store.rollbackOf.value
    const [preview, problem] = [this.preview.value, this.problem.value]
    return html`<dialog class="rollback" aria-labelledby="rollback-title" @close=${() => (this.store.rollbackOf.value = null)}>
      <h2 id="rollback-title">Roll back ${names === null || names.length === 0 ? 'everything' : names.join(', ')}?</h2>
      ${problem !== undefined ? html`<p class="fail" role="alert">${problem}</p>` : preview === undefined ? html`<p role="status">Looking up what would change…</p>` : this.changes(preview)}
      <div class="bar"><span class="grow"></span>
        <vscode-button appearance="secondary" @click=${() => (this.store.rollbackOf.value = null)}>Keep as it is</vscode-button>
        ${preview === undefined || preview.assets.length === 0 ? nothing : html`<vscode-button @click=${this.confirmed}>Roll back ${countOf(preview.assets.length, 'asset')}</vscode-button>`}
      </div></dialog>`
  }

  override updated(): void {
    const names = this.store.rollbackOf.peek()
    const dialog = this.querySelector('dialog')
    if (names !== null && dialog?.open === false) dialog.showModal()
    if (names === null && dialog?.open === true) dialog.close()
    if (names === this.asked) return
    this.asked = names
    this.preview.value = undefined
    this.problem.value = undefined
    if (names !== null) void this.look(names)
  }

  private async look(names: readonly string[]): Promise<void> {
    try {
      const preview = await this.store.host.rollbackPreview(names)
      if (this.asked === names) this.preview.value = preview
    } catch (error) {
      if (this.asked === names) this.problem.value = sentence(asHostError(error))
    }
  }

  private changes({ assets }: RollbackPreview): TemplateResult {
    if (assets.length === 0)
      return html`<p>Nothing would change: there is no earlier version to go back to.</p>`
    const other = assets.filter(each => each.from !== each.to)
    const rebuilt = assets.filter(each => each.from === each.to)
    return html`<p>Readers of ${this.store.data.value?.catalog.environment ?? 'the environment'} see these versions at once. Rolling back again undoes it.</p>
      <div class="scroll" tabindex="0" role="region" aria-label="What changes">
      ${other.length === 0 ? nothing : this.table('Another definition', other)}
      ${rebuilt.length === 0 ? nothing : html`<details ?open=${other.length === 0}><summary>${countOf(rebuilt.length, 'asset')} with the same definition, as built before from other data</summary>${this.table('The same definition', rebuilt)}</details>`}</div>`
  }

  private table(caption: string, assets: RollbackPreview['assets']): TemplateResult {
    const hasVersions = assets.some(each => each.from !== each.to)
    return html`<table><caption class="unseen">${caption}</caption><thead><tr><th scope="col">Asset</th>${hasVersions ? html`<th scope="col">From</th><th scope="col">To</th>` : nothing}<th scope="col">Built</th><th scope="col" class="number">Rows</th></tr></thead>
      <tbody>${assets.map(
        each =>
          html`<tr><td>${each.name}${differences(each)}</td>${hasVersions ? html`<td><code>${each.from ?? 'not live'}</code></td><td><code>${each.to ?? 'not live'}</code></td>` : nothing}<td>${each.deployed_at === null ? '' : agoOf(each.deployed_at, this.store.nowMs.value)}</td><td class="number">${rowsText(each.rows)}</td></tr>`,
      )}</tbody></table>`
  }

  private confirmed(): void {
    const names = this.store.rollbackOf.value
    this.store.rollbackOf.value = null
    if (names !== null) void startRollback(this.store, names)
  }
}

type Change = RollbackPreview['assets'][number]

/** Returns `1,200 → 1,180`, or one number if it stays. */
function rowsText({ from, to }: Change['rows']): string {
  const text = (rows: number | null) => (rows === null ? '–' : numberOf(rows))
  return from === to ? text(from) : `${text(from)} → ${text(to)}`
}

/** What differs in the definition: keys, columns, and the SQL line by line. */
function differences({ changes, columns, sql_diff: lines }: Change): TemplateResult | typeof nothing {
  const { added, removed } = columns
  const said = [
    ...changes,
    ...(added.length === 0 ? [] : [`columns that come back: ${added.join(', ')}`]),
    ...(removed.length === 0 ? [] : [`columns that go: ${removed.join(', ')}`]),
  ]
  if (said.length === 0 && lines.length === 0) return nothing
  const roles: Readonly<Record<string, string>> = { '+': 'pass', '-': 'fail' }
  return html`<details><summary>${said.join('; ')}</summary>
    <pre class="sql">${lines.map(line => html`<span class=${roles[line.charAt(0)] ?? ''}>${line}\n</span>`)}</pre></details>`
}
