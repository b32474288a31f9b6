/** The rollback dialog: shows what would change, asks, then runs it. */
import { html, nothing, type TemplateResult } from 'lit'
import type { RollbackPreview } from '../protocol.ts'
import { sentence, startRollback } from '../store/runs.ts'
import { asHostError } from '../store/store.ts'
import { agoOf, countOf } from '../store/words.ts'
import { SignalElement } from './signal-element.ts'

export class Rollback extends SignalElement {
  static override properties = {
    ...SignalElement.properties,
    preview: { state: true },
    problem: { state: true },
  }
  declare preview: RollbackPreview | undefined
  declare problem: string | undefined
  private asked: readonly string[] | null = null

  override render(): TemplateResult {
    const names = this.store.rollbackOf.value
    return html`<dialog class="rollback" aria-labelledby="rollback-title" @close=${() => (this.store.rollbackOf.value = null)}>
      <h2 id="rollback-title">Roll back ${names === null || names.length === 0 ? 'everything' : names.join(', ')}?</h2>
      ${this.problem !== undefined ? html`<p class="fail" role="alert">${this.problem}</p>` : this.preview === undefined ? html`<p role="status">Looking up what would change…</p>` : this.changes(this.preview)}
      <div class="bar"><span class="grow"></span>
        <vscode-button appearance="secondary" @click=${() => (this.store.rollbackOf.value = null)}>Keep as it is</vscode-button>
        ${this.preview === undefined || this.preview.assets.length === 0 ? nothing : html`<vscode-button @click=${this.confirmed}>Roll back ${countOf(this.preview.assets.length, 'asset')}</vscode-button>`}
      </div></dialog>`
  }

  override updated(): void {
    const names = this.store.rollbackOf.peek()
    const dialog = this.querySelector('dialog')
    if (names !== null && dialog?.open === false) dialog.showModal()
    if (names === null && dialog?.open === true) dialog.close()
    if (names === this.asked) return
    this.asked = names
    this.preview = undefined
    this.problem = undefined
    if (names !== null) void this.look(names)
  }

  private async look(names: readonly string[]): Promise<void> {
    try {
      const preview = await this.store.host.rollbackPreview(names)
      if (this.asked === names) this.preview = preview
    } catch (error) {
      if (this.asked === names) this.problem = sentence(asHostError(error))
    }
  }

  private changes({ assets }: RollbackPreview): TemplateResult {
    if (assets.length === 0)
      return html`<p>Nothing would change: there is no earlier version to go back to.</p>`
    return html`<p>Readers of ${this.store.data.value?.catalog.environment ?? 'the environment'} see these versions at once. Rolling back again undoes it.</p>
      <div class="scroll" tabindex="0" role="region" aria-label="What changes"><table><thead><tr><th scope="col">Asset</th><th scope="col">From</th><th scope="col">To</th><th scope="col">Deployed</th></tr></thead>
      <tbody>${assets.map(
        each =>
          html`<tr><td>${each.name}</td><td><code>${each.from ?? 'none'}</code></td><td><code>${each.to ?? 'none'}</code></td><td>${each.deployed_at === null ? '' : agoOf(each.deployed_at, this.store.nowMs.value)}</td></tr>`,
      )}</tbody></table></div>`
  }

  private confirmed(): void {
    const names = this.store.rollbackOf.value
    this.store.rollbackOf.value = null
    if (names !== null) void startRollback(this.store, names, requestAnimationFrame)
  }
}
