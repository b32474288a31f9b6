/** The Run button in three modes: the asset alone, and a menu with its upstream or its downstream. */
import { html, nothing, type TemplateResult } from 'lit'
import type { RunMode } from '../protocol.ts'
import { startRun } from '../store/runs.ts'
import { SignalElement } from './signal-element.ts'

const modes: readonly (readonly [RunMode, string, (name: string) => string])[] = [
  ['asset', 'This asset only', name => name],
  ['upstream', 'With upstreams', name => `+${name}`],
  ['downstream', 'With downstreams', name => `${name}+`],
]

export class RunButton extends SignalElement {
  static override properties = { ...SignalElement.properties, name: {}, open: { state: true } }
  declare name: string
  declare open: boolean

  override render(): TemplateResult | typeof nothing {
    if (!this.store.canRun.value) return nothing
    return html`<div class="split" @focusout=${this.left} @keydown=${this.pressed}>
      <vscode-button @click=${() => this.run('asset')}>▶ Run</vscode-button
      ><vscode-button class="more" aria-label="More ways to run" aria-haspopup="menu" aria-expanded=${this.open === true}
        @click=${() => this.toggle()}>▾</vscode-button>
      ${this.open === true ? this.menu() : nothing}
    </div>`
  }

  private menu(): TemplateResult {
    return html`<div class="menu" role="menu" aria-label="Ways to run">
      ${modes.map(
        ([mode, word, selector]) =>
          html`<button type="button" role="menuitem" tabindex="-1" @click=${() => this.run(mode)}>${word} <code>${selector(this.name)}</code></button>`,
      )}
      ${this.store.canRollback.value ? html`<button type="button" role="menuitem" tabindex="-1" @click=${() => this.rollBack()}>Roll back…</button>` : nothing}
    </div>`
  }

  private toggle(): void {
    this.open = this.open !== true
    if (this.open)
      void this.updateComplete.then(() => this.querySelector<HTMLElement>('[role=menuitem]')?.focus())
  }

  private run(mode: RunMode): void {
    this.open = false
    void startRun(this.store, this.name, mode, requestAnimationFrame)
  }

  private rollBack(): void {
    this.open = false
    this.store.rollbackOf.value = [this.name]
  }

  private left(event: FocusEvent): void {
    if (!(event.relatedTarget instanceof Node && this.contains(event.relatedTarget))) this.open = false
  }

  private pressed(event: KeyboardEvent): void {
    if (this.open !== true) return
    const items = [...this.querySelectorAll<HTMLElement>('[role=menuitem]')]
    const at = items.indexOf(document.activeElement as HTMLElement)
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Escape') {
      this.open = false
      this.querySelector<HTMLElement>('.more')?.focus()
    } else if (step !== undefined) items[(at + step + items.length) % items.length]?.focus()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
}
