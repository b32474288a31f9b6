/** The details of the selected asset: beside the graph, or over the whole width with the same tabs. */
import { html, nothing, type TemplateResult } from 'lit'
import type { GraphNode } from '../graph/model.ts'
import type { CatalogExposure } from '../protocol.ts'
import type { Store, Tab } from '../store/store.ts'
import { iconButton } from './icon.ts'
import { kindMark } from './marks.ts'
import { overview } from './overview.ts'
import { publishTarget, upstream } from './publish-target.ts'
import { quality } from './quality.ts'

const tabs: readonly (readonly [Tab, string])[] = [
  ['overview', 'Overview'],
  ['code', 'Code'],
  ['quality', 'Quality'],
]

export function drawer(store: Store): TemplateResult | typeof nothing {
  const id = store.selected.value
  const model = store.model.value
  const node = id === null ? undefined : model?.nodes[model.indexOf.get(id) ?? -1]
  if (node === undefined) return nothing
  const isWide = store.wide.value
  return html`<div role=${isWide ? 'main' : 'complementary'} class=${isWide ? 'drawer wide' : 'drawer'} .style=${isWide ? '' : `--drawer: ${store.drawerWidth.value}px`} aria-label="Details of ${node.name}" tabindex="-1">
    ${isWide ? nothing : html`<svc-drawer-edge .store=${store}></svc-drawer-edge>`}
    <div class="body"><div class="head">
      <h2>${kindMark(node.kind)}<span class="break">${node.name}</span></h2>
      ${node.asset === undefined ? nothing : html`<svc-run-button .store=${store} .name=${node.name}></svc-run-button>`}
      ${node.asset === undefined ? nothing : iconButton(isWide ? 'narrow' : 'wide', isWide ? 'Show beside the graph' : 'Show over the whole width', () => (store.wide.value = !isWide))}
      ${iconButton('close', 'Close the details', () => closeDrawer(store))}
    </div>
    <p class="quiet about">${aboutText(store, node)}</p>
    ${node.asset !== undefined ? tabbed(store) : node.kind === 'publish' ? publishTarget(store, node) : exposure(store, node)}</div>
  </div>`
}

export function closeDrawer(store: Store): void {
  // On a narrow page the details only give way to the graph, in which the card stays selected.
  if (store.details.peek() && matchMedia('(max-width: 700px)').matches) store.details.value = false
  else store.selected.value = null
  store.wide.value = false
  // The pressed button is gone, so the keyboard focus moves to the list.
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) document.querySelector<HTMLElement>('.tree')?.focus()
  })
}

function tabbed(store: Store): TemplateResult | typeof nothing {
  const asset = store.asset.value
  if (asset === undefined) return nothing
  const tab = store.tab.value
  return html`<div class="tabs" role="tablist" aria-label="Details" @keydown=${(event: KeyboardEvent) => arrows(store, event)}>
      ${tabs.map(
        ([each, word]) =>
          html`<button type="button" role="tab" id="tab-${each}" aria-selected=${tab === each} aria-controls="tab-panel" tabindex=${tab === each ? 0 : -1} @click=${() => (store.tab.value = each)}>${word}</button>`,
      )}
    </div>
    <div id="tab-panel" role="tabpanel" aria-labelledby="tab-${tab}" tabindex="0">
      ${tab === 'overview' ? overview(store, asset) : tab === 'quality' ? quality(store, asset) : html`<svc-code .store=${store}></svc-code>`}
    </div>`
}

function arrows(store: Store, event: KeyboardEvent): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  if (step === undefined) return
  const at = tabs.findIndex(([tab]) => tab === store.tab.value)
  const next = tabs[(at + step + tabs.length) % tabs.length]?.[0] ?? 'overview'
  store.tab.value = next
  event.preventDefault()
  requestAnimationFrame(() => document.getElementById(`tab-${next}`)?.focus())
}

function aboutText(store: Store, node: GraphNode): string {
  if (node.asset !== undefined) return node.asset.description ?? 'No description'
  if (node.kind === 'publish') return 'Publish target: rows are sent there by svc publish'
  return exposuresOf(store, node)[0]?.description ?? 'Exposure'
}

/** Returns one entry for each asset that the exposure shows. */
function exposuresOf(store: Store, { name }: GraphNode): readonly CatalogExposure[] {
  return store.data.value?.catalog.exposures.filter(each => each.name === name) ?? []
}

function exposure(store: Store, node: GraphNode): TemplateResult {
  const all = exposuresOf(store, node)
  const first = all[0]
  return html`<dl class="facts">
      <dt>Type</dt><dd>${first?.type ?? ''}</dd>
      ${first?.owner == null ? nothing : html`<dt>Owner</dt><dd>${first.owner}</dd>`}
      ${first?.url == null ? nothing : html`<dt>Address</dt><dd class="break">${address(first.url)}</dd>`}
    </dl>
    ${upstream(store, all)}`
}

/** A project file may contain any text here, so only web addresses become links. */
function address(url: string): TemplateResult {
  return /^https?:\/\//i.test(url)
    ? html`<a href=${url} target="_blank" rel="noopener noreferrer">${url}</a>`
    : html`${url}`
}
