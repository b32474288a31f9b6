/** The details of a publish target: which assets are sent there, how, and what became of it last. */
import { html, nothing, type TemplateResult } from 'lit'
import type { GraphNode } from '../graph/model.ts'
import type { CatalogPublish } from '../protocol.ts'
import { openAsset, type Store } from '../store/store.ts'
import { kindMark } from './marks.ts'
import { warningList } from './warnings.ts'

export function publishTarget(store: Store, { name }: GraphNode): TemplateResult {
  const all = (store.data.value?.catalog.publishes ?? []).filter(each => each.name === name)
  return html`${upstream(store, all)}
    ${all.map(each => facts(store, each))}`
}

/** The assets that something outside the project is made of. */
export function upstream(store: Store, all: readonly { readonly asset: string }[]): TemplateResult {
  return html`<h3>Upstream <span>${all.length}</span></h3>
    <ul class="neighbours">${all.map(
      ({ asset }) =>
        html`<li>${kindMark('model')}<button type="button" class="link" @click=${() => openAsset(store, asset)}>${asset}</button></li>`,
    )}</ul>`
}

function facts(store: Store, publish: CatalogPublish): TemplateResult {
  const { asset, type, resource, mode, fields, last } = publish
  return html`<h3>${asset}</h3>
    <dl class="facts">
      <dt>Type</dt><dd>${type ?? 'not known'}</dd>
      ${resource === null ? nothing : html`<dt>Resource</dt><dd class="break">${resource}</dd>`}
      ${mode === null ? nothing : html`<dt>Mode</dt><dd>${mode}</dd>`}
      <dt>Fields</dt><dd class="break">${fields === null ? 'all columns' : Object.keys(fields).join(', ')}</dd>
      <dt>Last</dt><dd>${last === null ? 'never published' : lastText(last)}</dd>
      ${last?.error == null ? nothing : html`<dt>Error</dt><dd class="break">${last.error}</dd>`}
    </dl>
    ${warningsOf(store, last?.warnings ?? [])}
    <p class="quiet"><code>svc publish ${asset} --to ${publish.name}</code></p>`
}

function warningsOf(store: Store, own: Parameters<typeof warningList>[1]): TemplateResult | typeof nothing {
  if (own.length === 0) return nothing
  return html`<h3>Warnings of its last publish <span>${own.length}</span></h3>${warningList(store, own)}`
}

function lastText({ status, at, rows, untaken }: NonNullable<CatalogPublish['last']>): string {
  const counts = [
    ...(rows === null ? [] : [`${rows.toLocaleString('en')} rows acknowledged`]),
    ...(untaken === null || untaken === 0 ? [] : [`${untaken.toLocaleString('en')} not taken`]),
  ]
  return [`${status} ${at.slice(0, 16).replace('T', ' ')} UTC`, ...counts].join(', ')
}
