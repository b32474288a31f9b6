/**
 * Exports the whole glossary as one document (interface.md 2.7), for `svc glossary export` and
 * `.svc/glossary.json`.
 */
import type { GlossaryFile, GlossaryTerm } from '../../contract/index.ts'
import type { Glossary, Term, TermLink } from './glossary.ts'
import { findTerm } from './terms.ts'

/** The project number: a new hosted store gives 1 to its first project. */
const localProject = 1

/** Exports in the order of the file; the same file gives the same document. */
export function exportGlossary(glossary: Glossary, projectName: string): GlossaryFile {
  return {
    project: { id: localProject, name: projectName },
    terms: glossary.terms.map((term, index) => exportedTerm(glossary, term, index)),
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
    })),
  }
}

function exportedTerm(glossary: Glossary, term: Term, index: number): GlossaryTerm {
  const { id: identifier, name, description, synonyms, owner } = term
  const links = glossary.links.filter(link => findTerm(glossary, link.term) === term).map(exportedLink)
  return { id: index + 1, identifier, name, description, synonyms, owner: owner ?? null, links }
}

function exportedLink({ asset, column, role }: TermLink): GlossaryTerm['links'][number] {
  return { asset, column: column ?? null, role: role ?? null }
}
