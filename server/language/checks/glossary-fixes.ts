/** Fixes for a glossary term that does not exist. */
import { entryId } from '../glossary/entry-id.ts'
import { glossaryPath } from '../glossary/glossary.ts'
import { addBlock, addItem, yamlScalar } from '../project/yaml-edits.ts'
import { type Problem, type Remedy, remedy, written } from './fix.ts'

/** Adds a term with the name that was written to the list of terms. */
export function addTerm(problem: Problem): readonly Remedy[] {
  const { file } = problem.knowledge.glossary
  const name = written(problem).replace(/^["']|["']$/g, '')
  if (file === undefined || name === '') return []
  const isId = name.startsWith('term.')
  const spoken = isId ? name.slice('term.'.length).replaceAll('_', ' ') : name
  const isOwnId = isId && entryId('term', spoken) !== name
  const item = `{name: ${yamlScalar(spoken)}${isOwnId ? `, id: ${name}` : ''}}`
  const edit = addItem(file, ['terms'], item) ?? addBlock(file, ['terms:', `  - ${item}`], [])
  return remedy(`Add the term "${spoken}" to the glossary`, glossaryPath, edit)
}
