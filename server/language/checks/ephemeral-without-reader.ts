import { locate } from '../project/locate.ts'
import type { ProjectCheck } from './check.ts'
import { replaceHere } from './fix.ts'
import { hasReaders } from './has-readers.ts'

export const ephemeralWithoutReader: ProjectCheck = {
  code: 'ephemeral-without-reader',
  severity: 'warning',
  doc: 'An ephemeral asset has no view in production, and no other asset reads it.',
  about: ['deploy', 'materialize'],
  *run(asset, { project, facts }) {
    if (!asset.definition.deploy.enabled || hasReaders(asset, project, facts) !== false) return
    yield {
      range: locate(asset, ['deploy', 'materialize']),
      message: `nobody can read "${asset.name}": it is ephemeral and no other asset refers to it`,
      hint: 'Write "materialize: view" to give it a view in production, or refer to it.',
    }
  },
  fix: problem => replaceHere(problem, 'Make it a view', 'view'),
}
