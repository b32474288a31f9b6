/** The Run button in three modes: the asset alone, and a menu with its upstream or its downstream. */
import { signal } from '@preact/signals-core'
import { html, nothing, type TemplateResult } from 'lit'
import { type RunMode, runModes, selectorOf } from '../protocol.ts'
import { mayRollBack } from '../store/roll-back.ts'
import { startRun } from '../store/runs.ts'
import { SignalElement } from './signal-element.ts'

const words: Readonly<Record<RunMode, string>> = {
  asset: 'This asset only',
  upstream: 'With upstreams',
  downstream: 'With downstreams',
}

export class RunButton extends SignalElement {
  static override properties = { ...SignalElement.properties, name: {} }
  declare name: string
  private readonly open = signal(false)

  override render(): TemplateResult | typeof nothing {
    if (!this.store.canRun.value) return nothing
    return html`<div class="split" @focusout=${this.left} @keydown=${this.pressed}>
      <vscode-button @click=${() => this.run('asset')}>▶ Run</vscode-button
      ><vscode-button class="more" aria-label="More ways to run" aria-haspopup="menu" aria-expanded=${this.open.value}
        @click=${() => this.toggle()}>▾</vscode-button>
      ${this.open.value ? this.menu() : nothing}
    </div>`
  }

  private menu(): TemplateResult {
    return html`<div class="menu" role="menu" aria-label="Ways to run">
      ${runModes.map(
        mode =>
          html`<button type="button" role="menuitem" tabindex="-1" @click=${() => this.run(mode)}>${words[mode]} <code>${selectorOf(this.name, mode)}</code></button>`,
      )}
      ${mayRollBack(this.store) ? html`<button type="button" role="menuitem" tabindex="-1" @click=${() => this.rollBack()}>Roll back…</button>` : nothing}
    </div>`
  }

  private toggle(): void {
    this.open.value = !this.open.value
    if (this.open.value)
      void this.updateComplete.then(() => this.querySelector<HTMLElement>('[role=menuitem]')?.focus())
  }

  private run(mode: RunMode): void {
    this.open.value = false
    void startRun(this.store, this.name, mode)
  }

  private rollBack(): void {
    this.open.value = false
    this.store.rollbackOf.value = [this.name]
  }

  private left(event: FocusEvent): void {
    if (!(event.relatedTarget instanceof Node && this.contains(event.relatedTarget))) this.open.value = false
  }

  private pressed(event: KeyboardEvent): void {
    if (!this.open.value) return
    const items = [...this.querySelectorAll<HTMLElement>('[role=menuitem]')]
    const at = items.indexOf(document.activeElement as HTMLElement)
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Escape') {
      this.open.value = false
      this.querySelector<HTMLElement>('.more')?.focus()
    } else if (step !== undefined) items[(at + step + items.length) % items.length]?.focus()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
}
