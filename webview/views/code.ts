/** The SQL of an asset, as written or compiled, and its columns as a schema. */
import { signal } from '@preact/signals-core'
import { html, nothing, type TemplateResult } from 'lit'
import type { CatalogAsset } from '../protocol.ts'
import { sqlTokens } from '../store/sql-tokens.ts'
import type { Store } from '../store/store.ts'
import { agoOf } from '../store/words.ts'
import { longList } from './long-list.ts'
import { copy, fileDifference, termTitle } from './overview.ts'
import { SignalElement } from './signal-element.ts'

export class Code extends SignalElement {
  private readonly raw = signal(false)

  override render(): TemplateResult | typeof nothing {
    const asset = this.store.asset.value
    if (asset === undefined) return nothing
    const isRaw = this.raw.value
    const difference = fileDifference(this.store, asset)
    const text = isRaw ? asset.raw_sql : asset.compiled_sql
    return html`<div class="bar">
        <div class="choice" role="group" aria-label="Which SQL">
          <button type="button" aria-pressed=${isRaw} @click=${() => (this.raw.value = true)}>Raw</button
          ><button type="button" aria-pressed=${!isRaw} @click=${() => (this.raw.value = false)}>Compiled</button>
        </div>
        <span class="grow"></span>
        ${text === '' ? nothing : html`<button type="button" class="link" @click=${() => copy(this.store, text, 'The SQL')}>Copy</button>`}
        ${this.store.host.abilities.openFile ? html`<button type="button" class="link" @click=${() => this.store.host.openFile(asset.path, 1)}>Open file</button>` : nothing}
      </div>
      <p class="quiet">${difference === undefined ? nothing : html`<span class="warn">${difference.charAt(0).toUpperCase()}${difference.slice(1)}.</span> `}This is the file as the last run read it${at(this.store)}.</p>
      ${text === '' ? html`<p class="quiet">${asset.raw_sql === '' ? 'This asset has no SQL: its rows are taken as they come.' : 'It does not compile: svc validate says why.'}</p>` : html`<pre class="sql" tabindex="0" role="region" aria-label="SQL">${sqlTokens(text).map(token => (token.kind === 'plain' ? token.text : html`<span class="sql-${token.kind}">${token.text}</span>`))}</pre>`}
      <h3>Schema</h3>
      ${longList({
        what: 'column',
        of: asset.name,
        items: asset.columns,
        nameOf: column => column.name,
        draw: schema,
      })}`
  }
}

function schema(columns: CatalogAsset['columns']): TemplateResult {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Schema"><table><thead><tr><th scope="col">Column</th><th scope="col">Type</th><th scope="col">Null</th><th scope="col">Description</th></tr></thead>
        <tbody>${columns.map(
          column =>
            html`<tr><td><code>${column.name}</code></td><td><code>${column.type ?? ''}</code></td><td>${column.nullable ? 'yes' : 'no'}</td><td>${column.description ?? ''}${column.term === undefined ? nothing : html`<div class="quiet"><b>${column.term.name}</b>: ${termTitle(column.term)}</div>`}${column.pii ? html` <span class="chip warn">pii</span>` : nothing}</td></tr>`,
        )}</tbody></table></div>`
}

/** Returns when the files were read; nothing is known of a project that has not run. */
function at({ data, nowMs }: Store): string {
  const catalog = data.value?.catalog
  return catalog === undefined ? '' : `, ${agoOf(catalog.generated_at, nowMs.value)}`
}
