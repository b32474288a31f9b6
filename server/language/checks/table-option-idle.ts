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
  doc: '`deploy.unlogged`, `tablespace` or `settings` that does not count: the engine has no such thing, the asset has no table, or svc itself sets it.',
  *run(asset, { storage, label }) {
    const { deploy, publish } = asset.definition
    const isView = materializationOf(deploy.materialize).relation === 'view'
    for (const [key, isWritten, what] of written) {
      if (!isWritten(deploy)) continue
      const range = locate(asset, ['deploy', key], 'key')
      if (storage.tableOptions === undefined) {
        yield {
          range,
          message: `${label} has no ${what}: "${key}" is passed over there`,
          hint: `Remove "${key}", unless another environment of the project is on an engine that has them.`,
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
    for (const name of Object.keys(deploy.settings)) {
      if (storage.tableOptions?.ownSettings.test(name) !== true) continue
      yield {
        range: locate(asset, ['deploy', 'settings', name], 'key'),
        severity: 'error',
        message: `svc itself sets "${name}"`,
        hint: 'Remove it: the rows of a build would depend on it.',
      }
    }
  },
  fix: (problem, asset) => removeHere(problem, asset, 'Remove it'),
}
