import { materializationOf } from '../materialize/index.ts'
import { locate } from '../project/locate.ts'
import type { FileCheck } from './check.ts'
import { removeHere } from './fix.ts'

export const grantsImpossible: FileCheck = {
  code: 'grants-impossible',
  doc: '`deploy.grants` where nobody can be granted anything: the engine has no roles, or the asset is not in production.',
  *run(asset, { storage, label }) {
    const { grants, materialize } = asset.definition.deploy
    if (grants.select.length === 0) return
    const range = locate(asset, ['deploy', 'grants'], 'key')
    if (!storage.hasRoles) {
      const hint = 'Who may read the file of the warehouse reads everything in it. Remove "grants".'
      yield { range, message: `${label} has no roles`, hint }
    } else if (!materializationOf(materialize).isPublished) {
      const hint = 'Write "materialize: view" to give it a view in production.'
      yield { range, message: 'an ephemeral asset is not in production, where somebody could read it', hint }
    }
  },
  fix: (problem, asset) => removeHere(problem, asset, 'Remove "grants"'),
}
