/** Codes of the diagnostics of `glossary.yaml`. */
import { pathAt } from '../project/path-at.ts'
import { removeAt } from '../project/yaml-edits.ts'
import { codesOf } from './diagnostic-code.ts'
import { type Problem, type Remedy, remedy } from './fix.ts'
import { addTerm } from './glossary-fixes.ts'

export const glossaryCodes = codesOf({
  'glossary-duplicate': {
    doc: 'Two entries of `glossary.yaml` have the same name or identifier.',
    fix: problem => removeEntry(problem, 'Remove this one'),
  },
  'glossary-unknown-asset': {
    doc: '`glossary.yaml` names an asset that the project does not have.',
    fix: problem => removeEntry(problem, 'Remove it'),
  },
  'glossary-unknown-column': {
    doc: 'A link in `glossary.yaml` names a column that the asset does not deliver.',
    fix: problem => removeEntry(problem, 'Remove the link'),
  },
  'glossary-unknown-term': {
    doc: 'A link in `glossary.yaml` names a term that is not there.',
    fix: problem => [...addTerm(problem), ...removeEntry(problem, 'Remove the link')],
  },
  'metric-source-assets': {
    doc: 'The `source_assets` of a metric are not the assets that its SQL reads, or not the one asset that its expression needs.',
    severity: 'warning',
  },
  'metric-without-time': {
    doc: 'A metric has a `time_grain`, and no asset that it reads has a date or a timestamp.',
    severity: 'warning',
  },
  'policy-without-asset': {
    doc: 'A pattern of a policy fits no asset; an error where a strict policy means another one that is nearly called so.',
    severity: 'warning',
    fix: problem => removeEntry(problem, 'Remove the pattern'),
  },
  'policy-without-column': {
    doc: 'An entry of `pii_columns` names no column of the project; an error where a strict policy means another one that is nearly called so.',
    severity: 'warning',
    fix: problem => removeEntry(problem, 'Remove the name'),
  },
})

/** Removes the whole entry; in a list of a metric or policy only the name. */
function removeEntry(problem: Problem, title: string): readonly Remedy[] {
  const { file } = problem.knowledge.glossary
  if (file === undefined) return []
  const path = pathAt(file.tree, problem.diagnostic.range.start)
  // The SQL of a metric is left for the user to change.
  if (path[0] === 'metrics' && path[2] === 'sql_definition') return []
  const isPart = ['applies_to', 'source_assets', 'pii_columns'].includes(String(path[2]))
  return remedy(title, problem.path, removeAt(file, isPart ? path : path.slice(0, 2)))
}
