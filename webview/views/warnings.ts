/** The warnings of a run, or of what is live: each with what to do. */
import { html, nothing, type TemplateResult } from 'lit'
import type { CatalogAsset } from '../protocol.ts'
import type { Store } from '../store/store.ts'
import { withPlaces } from './places.ts'

type Warnings = NonNullable<CatalogAsset['warnings']>

/** `asset`: whether each names its asset, where the list is about several. */
export function warningList(store: Store, warnings: Warnings, asset = false): TemplateResult {
  return html`<ul class="warnings">${warnings.map(
    each =>
      html`<li><span class="warn" aria-hidden="true">!</span><div class="break">${asset && each.asset !== null ? html`<b>${each.asset}</b>: ` : nothing}${withPlaces(store, each.message)} <code class="quiet">${each.code}</code>${each.hint ? html`<div class="quiet">${withPlaces(store, each.hint)}</div>` : nothing}</div></li>`,
  )}</ul>`
}
