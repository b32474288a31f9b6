import { findTerm, termNames } from '../glossary/terms.ts'
import { locate } from '../project/locate.ts'
import type { ProjectCheck } from './check.ts'
import { addTerm } from './glossary-fixes.ts'
import { suggestName } from './suggestion.ts'

export const unknownTerm: ProjectCheck = {
  code: 'unknown-term',
  doc: 'A column is documented with a term that `glossary.yaml` does not have.',
  *run(asset, { project }) {
    const { glossary } = project
    if (glossary.file === undefined) return
    for (const [column, { term }] of Object.entries(asset.definition.columns)) {
      if (term === undefined || findTerm(glossary, term) !== undefined) continue
      const range = locate(asset, ['columns', column, 'term'])
      yield {
        range,
        message: `no term is called "${term}"`,
        hint: `svc glossary add-term "${term}" makes one.`,
        ...suggestName(term, termNames(glossary), { path: asset.path, range }, ''),
      }
    }
  },
  fix: addTerm,
}
