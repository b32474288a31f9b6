import { materializationOf } from '../materialize/index.ts'
import { locate } from '../project/locate.ts'
import type { Deploy } from '../schema/definition.ts'
import type { FileCheck } from './check.ts'
import { removeHere } from './fix.ts'

const written: readonly (readonly [key: string, isWritten: (deploy: Deploy) => boolean, what: string])[] = [
  ['unlogged', ({ unlogged }) => unlogged, 'unlogged tables'],
  ['tablespace', ({ tablespace }) => tablespace !== undefined, 'tablespaces'],
  ['settings', ({ settings }) => Object.keys(settings).length > 0, 'settings of one transaction'],
]

export const tableOptionIdle: FileCheck = {
  code: 'table-option-idle',
  severity: 'warning',
  doc: '`deploy.unlogged`, `tablespace` or `settings` where it means nothing: the engine has no such thing, or the asset has no table.',
  *run(asset, { storage, label }) {
    const { deploy, publish } = asset.definition
    const isView = materializationOf(deploy.materialize).relation === 'view'
    for (const [key, isWritten, what] of written) {
      if (!isWritten(deploy)) continue
      const range = locate(asset, ['deploy', key], 'key')
      if (!storage.hasTableOptions) {
        yield {
          range,
          message: `${label} has no ${what}: "${key}" is passed over there`,
          hint: `Remove "${key}", unless the project has another environment on PostgreSQL.`,
        }
      } else if (isView && key !== 'settings') {
        yield {
          range,
          message: `the asset has no table: "${key}" is passed over`,
          hint: 'Write "materialize: table", or remove it.',
        }
      } else if (key === 'unlogged' && Object.keys(publish).length > 0) {
        yield {
          range,
          message: 'a crash of the server empties the table, and a publish after it would find all rows gone',
          hint: 'Remove "unlogged" from an asset that is published.',
        }
      }
    }
  },
  fix: (problem, asset) => removeHere(problem, asset, 'Remove it'),
}
