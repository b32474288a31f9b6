/** Checks `glossary.yaml`: the parser's findings, and names that the project does not have. */
import type { ProjectAnalysis } from '../analysis.ts'
import { type Glossary, glossaryPath, type TermLink } from '../glossary/glossary.ts'
import { findTerm, termNames } from '../glossary/terms.ts'
import type { Project } from '../project/project.ts'
import type { Diagnostic } from '../text/diagnostic.ts'
import { hasColumn, knownColumns } from './columns.ts'
import { metricProblems } from './metrics.ts'
import { policyColumnProblems } from './policy-columns.ts'
import { policyPatternProblems } from './policy-patterns.ts'
import { suggestName, unknownColumn } from './suggestion.ts'
import { unknownAsset } from './unknown-glossary-asset.ts'

/** Returns diagnostics in no order. Columns are not checked if `analysis` is undefined. */
export function checkGlossary(
  project: Project,
  analysis: ProjectAnalysis | undefined,
): readonly Diagnostic[] {
  const { glossary } = project
  return [
    ...glossary.diagnostics,
    ...glossary.links.flatMap(link => linkProblems(project, analysis, link)),
    ...glossary.metrics.flatMap(metric => metricProblems(project, analysis, metric)),
    ...policyPatternProblems(project),
    ...policyColumnProblems(project, analysis),
  ]
}

function linkProblems(
  project: Project,
  analysis: ProjectAnalysis | undefined,
  link: TermLink,
): readonly Diagnostic[] {
  const problems: Diagnostic[] = []
  if (findTerm(project.glossary, link.term) === undefined) problems.push(unknownTerm(project.glossary, link))
  if (!project.byName.has(link.asset))
    return [...problems, unknownAsset(project, link.asset, link.assetRange)]
  const columns = knownColumns(analysis?.of(link.asset))
  const { column, columnRange: range } = link
  if (
    column === undefined ||
    range === undefined ||
    columns === undefined ||
    hasColumn(columns, column, project.engine)
  )
    return problems
  const place = { path: glossaryPath, range }
  const finding = unknownColumn(column, place, { owner: link.asset, columns })
  return [...problems, { code: 'glossary-unknown-column', severity: 'error', path: glossaryPath, ...finding }]
}

function unknownTerm(glossary: Glossary, { term, termRange }: TermLink): Diagnostic {
  const place = { path: glossaryPath, range: termRange }
  return {
    code: 'glossary-unknown-term',
    severity: 'error',
    ...place,
    message: `no term is called "${term}"`,
    hint: '"svc glossary add-term" makes one.',
    ...suggestName(term, termNames(glossary), place, ''),
  }
}
