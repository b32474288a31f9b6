/**
 * The edge between the graph and the details: dragged with a pointer, moved with arrows, reset with a double
 * click.
 */
import { html, type TemplateResult } from 'lit'
import { drawerWidths } from '../host/view-state.ts'
import { drawerWithin } from '../store/store.ts'
import { SignalElement } from './signal-element.ts'

const step = 24

export class DrawerEdge extends SignalElement {
  override render(): TemplateResult {
    return html`<div class="drawer-edge" role="separator" tabindex="0" aria-orientation="vertical" aria-label="Width of the details"
      title="Drag, or arrow keys" aria-valuemin=${drawerWidths.least} aria-valuemax=${drawerWidths.most} aria-valuenow=${this.store.drawerWidth.value}
      @pointerdown=${this.grabbed} @pointermove=${this.dragged} @keydown=${this.pressed} @dblclick=${() => this.set(drawerWidths.usual)}></div>`
  }

  private grabbed(event: PointerEvent): void {
    if (event.button === 0) (event.target as HTMLElement).setPointerCapture(event.pointerId)
  }

  private dragged(event: PointerEvent): void {
    if ((event.target as HTMLElement).hasPointerCapture(event.pointerId)) this.set(innerWidth - event.clientX)
  }

  private pressed(event: KeyboardEvent): void {
    const { value } = this.store.drawerWidth
    const widths: Readonly<Record<string, number>> = {
      ArrowLeft: value + step,
      ArrowRight: value - step,
      Home: drawerWidths.least,
      End: drawerWidths.most,
    }
    const width = widths[event.key]
    if (width === undefined) return
    this.set(width)
    event.preventDefault()
  }

  private set(width: number): void {
    this.store.drawerWidth.value = drawerWithin(width)
  }
}
