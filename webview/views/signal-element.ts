/**
 * A component that renders again when a signal that it read has changed. It renders into the page itself, so
 * that one stylesheet applies, labels can refer to other components, and nothing violates a strict content
 * policy.
 */
import { effect } from '@preact/signals-core'
import { LitElement } from 'lit'
import type { Store } from '../store/store.ts'

export abstract class SignalElement extends LitElement {
  static override properties = { store: { attribute: false } }
  declare store: Store
  private stop: (() => void) | undefined

  protected override createRenderRoot(): HTMLElement {
    return this
  }

  protected override performUpdate(): void {
    if (!this.isUpdatePending) return
    this.stop?.()
    let isFirst = true
    this.stop = effect(() => {
      if (!isFirst) return this.requestUpdate()
      isFirst = false
      super.performUpdate()
    })
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.requestUpdate()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.stop?.()
    this.stop = undefined
  }
}
