/** Connects the graph with the store: passes its state in and the user's actions out. */
import { effect } from '@preact/signals-core'
import { html, type TemplateResult } from 'lit'
import type { GraphOptions } from '../graph/graph.ts'
import type { GraphView } from '../graph/graph-view.ts'
import type { GraphModel } from '../graph/model.ts'
import { mountGraph } from '../graph/mount.ts'
import type { GraphInput } from '../graph/stage.ts'
import { type Store, showPath } from '../store/store.ts'
import { SignalElement } from './signal-element.ts'

export class GraphSlot extends SignalElement {
  private graph: GraphView | undefined
  private end: (() => void) | undefined

  override render(): TemplateResult {
    return html`<div class="graph-slot"></div>`
  }

  override firstUpdated(): void {
    const slot = this.querySelector<HTMLElement>('.graph-slot')
    if (slot !== null) this.end = effect(() => this.show(slot))
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.end?.()
    this.graph?.destroy()
    this.graph = undefined
  }

  private show(slot: HTMLElement): void {
    const model = this.store.model.value
    if (model === undefined) return
    const input = inputOf(this.store, model)
    if (this.graph === undefined) this.graph = mountGraph(slot, optionsOf(this.store, input))
    else this.graph.update(input)
  }
}

function inputOf(store: Store, model: GraphModel): GraphInput {
  const filtered = store.filtered.value
  return {
    model,
    kept: 'kept' in filtered ? filtered.kept : undefined,
    selected: store.selected.value,
    focus: store.focus.value,
    scope: store.scope.value,
    expanded: store.graph.value.expanded,
    moved: store.graph.value.moved,
    lens: store.lens.value,
    hidden: store.hidden.value,
    live: store.live.value,
    path: store.path.value ?? null,
    wholePath: store.wholePath.value,
  }
}

function optionsOf(store: Store, input: GraphInput): GraphOptions {
  const keep = (change: Partial<typeof store.graph.value>) => {
    store.graph.value = { ...store.graph.peek(), ...change }
  }
  return {
    input,
    camera: store.graph.peek().camera,
    elkUrl: store.elkUrl,
    onSelect: id => {
      store.selected.value = id
      store.details.value = false
    },
    onOpen: () => {
      store.details.value = true
      document.querySelector<HTMLElement>('.drawer')?.focus()
    },
    onFocus: id => (store.focus.value = store.focus.peek() === id ? null : id),
    onScope: scope => (store.scope.value = scope),
    onExpanded: expanded => keep({ expanded }),
    onMoved: moved => keep({ moved }),
    onHidden: hidden => (store.hidden.value = hidden),
    onColumn: (asset, column) => void showPath(store, asset, column),
    onPathShown: columns => (store.pathShown.value = columns),
    onLens: lens => (store.lens.value = lens),
    onCamera: camera => keep({ camera }),
  }
}
