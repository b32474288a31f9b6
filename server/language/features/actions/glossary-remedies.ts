/** What mends problems in `glossary.yaml` and with sources. */
import { entryId } from '../../glossary/entry-id.ts'
import { glossaryPath } from '../../glossary/glossary.ts'
import { addBlock, addEntry, addItem, isFlow, removeAt, yamlScalar } from '../../project/yaml-edits.ts'
import { occurrencesIn } from '../names/occurrences.ts'
import { type Problem, type Remedy, remedy } from './code-action.ts'
import { pathAt } from './path-at.ts'

export const glossaryRemedies: Readonly<Record<string, (problem: Problem) => readonly Remedy[]>> = {
  'glossary-duplicate': problem => removeEntry(problem, 'Remove this one'),
  'glossary-unknown-asset': problem => removeEntry(problem, 'Remove it'),
  'glossary-unknown-column': problem => removeEntry(problem, 'Remove the link'),
  'glossary-unknown-term': problem => [...addTerm(problem), ...removeEntry(problem, 'Remove the link')],
  'policy-without-asset': problem => removeEntry(problem, 'Remove the pattern'),
  'exclude-inside-json': problem => {
    const asset = problem.knowledge.project.assets.get(problem.path)
    if (asset === undefined) return []
    const path = pathAt(asset.tree, problem.diagnostic.range.start)
    return remedy('Take it out of exclude', problem.path, removeAt(asset, path))
  },
  'unmatched-column': problem => {
    const asset = problem.knowledge.project.assets.get(problem.path)
    const { range, hint = '' } = problem.diagnostic
    if (asset === undefined) return []
    const nearest = /^did you mean "(.+)"\?$/.exec(hint)?.[1]
    return [
      ...(nearest === undefined
        ? []
        : remedy(`Change to "${nearest}"`, problem.path, { range, newText: yamlScalar(nearest) })),
      ...remedy('Take it out', problem.path, removeAt(asset, pathAt(asset.tree, range.start))),
    ]
  },
  'names-meet': problem => {
    const asset = problem.knowledge.project.assets.get(problem.path)
    if (asset === undefined) return []
    return remedy(
      'Keep the names of the source',
      problem.path,
      addEntry(asset, ['ingest'], 'naming', 'source'),
    )
  },
  'source-columns-unknown': nameColumns,
  'source-format-unknown': problem => {
    const asset = problem.knowledge.project.assets.get(problem.path)
    if (asset === undefined) return []
    return ['csv', 'json', 'ndjson', 'parquet'].flatMap(format =>
      remedy(`Read it as ${format}`, problem.path, addEntry(asset, ['ingest'], 'format', format)),
    )
  },
}

/** In the contract: the columns that the SQL reads; their types come with the first run. */
function nameColumns({ knowledge, path }: Problem): readonly Remedy[] {
  const asset = knowledge.project.assets.get(path)
  if (asset?.tree === undefined || isFlow(asset, asset.tree) || asset.definition.contract !== undefined)
    return []
  const read = occurrencesIn(knowledge, path).flatMap(({ subject }) =>
    subject.kind === 'raw' && subject.asset === asset.name && subject.child === '' ? [subject.column] : [],
  )
  const names = [...new Map(read.map(name => [name.toLowerCase(), name])).values()].filter(
    name => !name.startsWith('_svc_'),
  )
  if (names.length === 0) return []
  const lines = ['contract:', '  columns:', ...names.map(name => `    ${yamlScalar(name)}: {}`)]
  const what = names.length === 1 ? `the column ${names[0]}` : `the ${names.length} columns`
  const title = `Name ${what} that the file reads in contract.columns`
  return remedy(title, path, addBlock(asset, lines, ['name', 'description', 'owner', 'tags', 'ingest']))
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
