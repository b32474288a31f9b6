/**
 * Exports the whole glossary as one document (interface.md 2.7), for `svc glossary export` and
 * `.svc/glossary.json`.
 */
import type { GlossaryFile, GlossaryTerm } from '../../contract/index.ts'
import { getOrInsertComputed } from '../get-or-insert.ts'
import type { Asset } from '../project/project.ts'
import type { Glossary, Term, TermLink } from './glossary.ts'
import { findTerm } from './terms.ts'

/** The project number: a new hosted store gives 1 to its first project. */
const localProject = 1

/**
 * Exports in the order of the file, then the links that assets have in their own files (`columns.<name>.term`). The
 * same files give the same document.
 */
export function exportGlossary(
  glossary: Glossary,
  projectName: string,
  assets: Iterable<Pick<Asset, 'name' | 'definition'>>,
): GlossaryFile {
  const own = columnLinks(glossary, assets)
  return {
    project: { id: localProject, name: projectName },
    terms: glossary.terms.map((term, index) => exportedTerm(glossary, own, term, index)),
    metrics: glossary.metrics.map((metric, index) => ({
      id: index + 1,
      identifier: metric.id,
      name: metric.name,
      description: metric.description,
      sql_definition: metric.expression ?? null,
      time_grain: metric.timeGrain ?? null,
      source_assets: metric.sourceAssets,
      owner: metric.owner ?? null,
    })),
    dimensions: glossary.dimensions.map((dimension, index) => ({
      id: index + 1,
      identifier: dimension.id,
      name: dimension.name,
      description: dimension.description,
      values: dimension.values,
      type: dimension.type,
    })),
    policies: glossary.policies.map((policy, index) => ({
      id: index + 1,
      name: policy.name,
      rule: policy.rule,
      pii_columns: policy.piiColumns,
      applies_to: policy.appliesTo,
      enforcement: policy.enforcement,
      derived: policy.derived,
    })),
  }
}

type Link = GlossaryTerm['links'][number]

/** Returns the links in the files of assets, by term. */
function columnLinks(
  glossary: Glossary,
  assets: Iterable<Pick<Asset, 'name' | 'definition'>>,
): ReadonlyMap<Term, readonly Link[]> {
  const links = new Map<Term, Link[]>()
  for (const { name: asset, definition } of assets) {
    for (const [column, doc] of Object.entries(definition.columns)) {
      const term = doc.term === undefined ? undefined : findTerm(glossary, doc.term)
      if (term === undefined) continue
      getOrInsertComputed(links, term, () => []).push({ asset, column, role: doc.role ?? null })
    }
  }
  return links
}

function exportedTerm(
  glossary: Glossary,
  own: ReadonlyMap<Term, readonly Link[]>,
  term: Term,
  index: number,
): GlossaryTerm {
  const { id: identifier, name, description, synonyms, owner } = term
  const written = glossary.links.filter(link => findTerm(glossary, link.term) === term).map(exportedLink)
  const isNew = (link: Link) => !written.some(each => isSamePlace(each, link))
  const links = [...written, ...(own.get(term) ?? []).filter(isNew)]
  return { id: index + 1, identifier, name, description, synonyms, owner: owner ?? null, links }
}

function isSamePlace(a: Link, b: Link): boolean {
  return a.asset === b.asset && a.column?.toLowerCase() === b.column?.toLowerCase()
}

function exportedLink({ asset, column, role }: TermLink): GlossaryTerm['links'][number] {
  return { asset, column: column ?? null, role: role ?? null }
}
