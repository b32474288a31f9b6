import { locate } from '../project/locate.ts'
import type { FileCheck } from './check.ts'

/** Schemas of svc itself (decisions 2): state, samples, green schemas. */
const ownSchema = /^svc$|^svc_(?:samples$|g_)/i

export const reservedName: FileCheck = {
  code: 'reserved-name',
  severity: 'error',
  scope: 'file',
  doc: 'A name that svc needs for its own tables and schemas.',
  *run(asset) {
    const reason = reasonAgainst(asset.name)
    if (reason !== undefined) {
      const range = locate(asset, ['name'])
      yield {
        range,
        message: `the name "${asset.name}" is reserved`,
        hint: `${reason}; choose another name.`,
      }
    }
    const { schema } = asset.definition.deploy
    if (schema === undefined || !ownSchema.test(schema)) return
    yield {
      range: locate(asset, ['deploy', 'schema']),
      message: `the schema "${schema}" is reserved`,
      hint: 'State, samples and green tables are kept in schemas of svc; choose another one.',
    }
  },
}

function reasonAgainst(name: string): string | undefined {
  if (/^svc_/i.test(name)) return 'Names that begin with "svc_" belong to the tables of svc itself'
  if (/__raw(?:__|$)/i.test(name)) return 'A name with "__raw" is that of a raw table'
  return undefined
}
