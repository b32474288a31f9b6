/** What mends problems in `glossary.yaml` and with sources. */
import { entryId } from '../../glossary/entry-id.ts'
import { glossaryPath } from '../../glossary/glossary.ts'
import { addBlock, addEntry, addItem, removeAt, yamlScalar } from '../../project/yaml-edits.ts'
import { type Problem, type Remedy, remedy } from './code-action.ts'
import { pathAt } from './path-at.ts'

export const glossaryRemedies: Readonly<Record<string, (problem: Problem) => readonly Remedy[]>> = {
  'glossary-duplicate': problem => removeEntry(problem, 'Remove this one'),
  'glossary-unknown-asset': problem => removeEntry(problem, 'Remove it'),
  'glossary-unknown-column': problem => removeEntry(problem, 'Remove the link'),
  'glossary-unknown-term': problem => [...addTerm(problem), ...removeEntry(problem, 'Remove the link')],
  'policy-without-asset': problem => removeEntry(problem, 'Remove the pattern'),
  'source-format-unknown': problem => {
    const asset = problem.knowledge.project.assets.get(problem.path)
    if (asset === undefined) return []
    return ['csv', 'json', 'ndjson', 'parquet'].flatMap(format =>
      remedy(`Read it as ${format}`, problem.path, addEntry(asset, ['ingest'], 'format', format)),
    )
  },
}

/** The whole entry of a list; of a metric or policy only the name in it. */
function removeEntry(problem: Problem, title: string): readonly Remedy[] {
  const { file } = problem.knowledge.glossary
  if (file === undefined) return []
  const path = pathAt(file.tree, problem.diagnostic.range.start)
  // What stands in the SQL of a metric is for the user to change.
  if (path[0] === 'metrics' && path[2] === 'sql_definition') return []
  const isPart = ['applies_to', 'source_assets', 'pii_columns'].includes(String(path[2]))
  return remedy(title, problem.path, removeAt(file, isPart ? path : path.slice(0, 2)))
}

/** Under the name that was written, in the list of terms. */
export function addTerm({ knowledge, text, diagnostic: { range } }: Problem): readonly Remedy[] {
  const { file } = knowledge.glossary
  const name = text.slice(range.start, range.end).replace(/^["']|["']$/g, '')
  if (file === undefined || name === '') return []
  const isId = name.startsWith('term.')
  const spoken = isId ? name.slice('term.'.length).replaceAll('_', ' ') : name
  const isOwnId = isId && entryId('term', spoken) !== name
  const item = `{name: ${yamlScalar(spoken)}${isOwnId ? `, id: ${name}` : ''}}`
  const edit = addItem(file, ['terms'], item) ?? addBlock(file, ['terms:', `  - ${item}`], [])
  return remedy(`Add the term "${spoken}" to the glossary`, glossaryPath, edit)
}
