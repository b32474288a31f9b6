/** Renders the results of the glossary commands. */
import type { JsonOf } from '@svc/server/contract'
import type { FoundEntry, Glossary, NewLink, NewTerm, Term } from '@svc/server/language'
import { countOf } from './numbers.ts'
import type { Style } from './style.ts'
import { renderTable } from './table.ts'

export function renderAddedTerm({ id, name }: NewTerm, style: Style): string[] {
  return [
    `Added the term ${style.bold(name)} (${id}) to glossary.yaml`,
    '',
    `Next: svc glossary link-term ${id} --asset <asset> --column <column>`,
  ]
}

export function addedTermJson({ id, name, description }: NewTerm): JsonOf<'glossary-add-term'> {
  return { success: true, path: 'glossary.yaml', term: { id, name, description } }
}

export function renderLinkedTerm({ name }: Term, link: NewLink, isNew: boolean, style: Style): string[] {
  const place = `${link.asset}${link.column === undefined ? '' : `.${link.column}`}`
  const role = link.role === undefined ? '' : ` as ${link.role}`
  return [`${isNew ? 'Linked' : 'There is a link from'} ${style.bold(name)} to ${place}${role}`]
}

export function linkedTermJson(
  { id, name }: Term,
  link: NewLink,
  isNew: boolean,
): JsonOf<'glossary-link-term'> {
  const { asset, column, role } = link
  return {
    success: true,
    path: 'glossary.yaml',
    created: isNew,
    link: { term: id, term_name: name, asset, column: column ?? null, role: role ?? null },
  }
}

const shownTerms = 10

export function renderGlossaryList(glossary: Glossary, style: Style): string[] {
  const { terms, metrics, dimensions, policies } = glossary
  const rows = terms.slice(0, shownTerms).map(term => [term.name, term.id, term.description])
  const table =
    rows.length === 0
      ? []
      : renderTable([{ title: 'Term' }, { title: 'Id' }, { title: 'Meaning' }], rows, style)
  const more = terms.length - rows.length
  return [
    countOf(terms.length, 'term'),
    ...(rows.length === 0 ? [] : ['', ...table]),
    ...(more > 0 ? [`… and ${more} more`] : []),
    '',
    [
      countOf(metrics.length, 'metric'),
      countOf(dimensions.length, 'dimension'),
      policies.length === 1 ? '1 policy' : `${policies.length} policies`,
    ].join(', '),
  ]
}

export function glossaryListJson({
  terms,
  metrics,
  dimensions,
  policies,
  links,
}: Glossary): JsonOf<'glossary-list'> {
  return {
    terms: {
      count: terms.length,
      first: terms.slice(0, shownTerms).map(({ id, name, description }) => ({ id, name, description })),
      more: terms.length > shownTerms,
    },
    metrics: metrics.length,
    dimensions: dimensions.length,
    policies: policies.length,
    links: links.length,
  }
}

export function renderFound(found: readonly FoundEntry[], words: string, style: Style): string[] {
  if (found.length === 0) return [`Nothing in glossary.yaml has "${words}"`]
  const rows = found.map(({ kind, name, id, description }) => [kind, name, id, description])
  const columns = [{ title: 'Kind' }, { title: 'Name' }, { title: 'Id' }, { title: 'Meaning' }]
  return renderTable(columns, rows, style)
}

export function foundJson(found: readonly FoundEntry[]): JsonOf<'glossary-search'> {
  return { count: found.length, found }
}
