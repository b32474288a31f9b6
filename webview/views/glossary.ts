/** The glossary: terms with their columns, metrics, dimensions, policies. */
import { html, nothing, type TemplateResult } from 'lit'
import type { GlossaryFile, GlossaryTerm } from '../protocol.ts'
import { openAsset, type Store } from '../store/store.ts'
import { countOf } from '../store/words.ts'

export function hasGlossary(store: Store): boolean {
  const glossary = store.data.value?.glossary
  if (glossary === undefined) return false
  const { terms, metrics, dimensions, policies } = glossary
  return terms.length + metrics.length + dimensions.length + policies.length > 0
}

export function glossaryPage(store: Store): TemplateResult {
  const glossary = store.data.value?.glossary
  if (glossary === undefined || !hasGlossary(store)) {
    return html`<div class="page"><h2>Glossary</h2><p class="quiet">There is no glossary yet: <code>svc glossary add-term Customer</code> starts one.</p></div>`
  }
  const { terms, metrics, dimensions, policies } = glossary
  return html`<div class="page" tabindex="0" role="region" aria-label="Glossary"><h2>Glossary</h2>
    ${table(
      countOf(terms.length, 'term'),
      ['Term', 'Meaning', 'Stands for', 'Owner'],
      terms.map(term => termRow(store, term)),
    )}
    ${table(
      countOf(metrics.length, 'metric'),
      ['Metric', 'Meaning', 'Computed as', 'From'],
      metrics.map(metric => metricRow(store, metric)),
    )}
    ${table(countOf(dimensions.length, 'dimension'), ['Dimension', 'Meaning', 'Type', 'Values'], dimensions.map(dimensionRow))}
    ${table(policies.length === 1 ? '1 policy' : `${policies.length} policies`, ['Policy', 'Rule', 'Applies to', 'Columns', 'Enforcement'], policies.map(policyRow))}
  </div>`
}

function table(
  title: string,
  heads: readonly string[],
  rows: readonly TemplateResult[],
): TemplateResult | typeof nothing {
  if (rows.length === 0) return nothing
  return html`<h3>${title}</h3><table class="glossary"><thead><tr>${heads.map(head => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table>`
}

function termRow(store: Store, term: GlossaryTerm): TemplateResult {
  const { name, synonyms, description, owner, links } = term
  return html`<tr><th scope="row">${name}${synonyms.length === 0 ? nothing : html`<br /><span class="quiet">also ${synonyms.join(', ')}</span>`}</th>
    <td>${description}</td>
    <td>${links.map(({ asset, column }) => html`<div>${assetLink(store, asset)}${column === null ? nothing : html`<code>.${column}</code>`}</div>`)}</td>
    <td>${owner ?? ''}</td></tr>`
}

function metricRow(store: Store, metric: GlossaryFile['metrics'][number]): TemplateResult {
  const { name, description, sql_definition: sql, time_grain: grain, source_assets: assets } = metric
  return html`<tr><th scope="row">${name}</th><td>${description}</td>
    <td>${sql === null ? nothing : html`<code>${sql}</code>`}${grain === null ? nothing : html` <span class="quiet">by ${grain}</span>`}</td>
    <td>${assets.map(asset => html`<div>${assetLink(store, asset)}</div>`)}</td></tr>`
}

function dimensionRow({
  name,
  description,
  type,
  values,
}: GlossaryFile['dimensions'][number]): TemplateResult {
  return html`<tr><th scope="row">${name}</th><td>${description}</td><td>${type}</td><td>${values.map(String).join(', ')}</td></tr>`
}

function policyRow(policy: GlossaryFile['policies'][number]): TemplateResult {
  const { name, rule, applies_to: places, pii_columns: columns, enforcement } = policy
  return html`<tr><th scope="row">${name}</th><td>${rule}</td><td>${places.join(', ')}</td>
    <td>${columns.length === 0 ? html`<span class="quiet">all personal ones</span>` : columns.join(', ')}</td><td>${enforcement}</td></tr>`
}

/** A name that is not an asset (any more) is shown without a link. */
function assetLink(store: Store, name: string): TemplateResult {
  if (store.model.value?.indexOf.has(name) !== true) return html`${name}`
  return html`<button type="button" class="link" @click=${() => openAsset(store, name)}>${name}</button>`
}
