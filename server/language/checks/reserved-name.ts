import { locate, nodeAt } from '../project/locate.ts'
import type { Settings } from '../project/project.ts'
import type { Range } from '../text/range.ts'
import type { FileCheck, Finding } from './check.ts'
import { isFreeName, renameTo } from './fix.ts'

/** Schemas that svc itself uses (decisions 2): state, samples, green schemas. */
const ownSchema = /^svc$|^svc_(?:samples$|g_)/i
/** Schemas in which every engine refuses to create anything. */
const systemSchema = /^(?:information_schema|pg_catalog)$/i

export const reservedName: FileCheck = {
  code: 'reserved-name',
  doc: 'A name that svc or the warehouse needs for its own tables and schemas.',
  *run(asset) {
    const reason = reasonAgainst(asset.name)
    if (reason !== undefined)
      yield {
        range: locate(asset, ['name']),
        message: `the name "${asset.name}" is reserved`,
        hint: `${reason}; choose another name.`,
      }
    const { schema } = asset.definition.deploy
    const isHere = nodeAt(asset.tree, ['deploy', 'schema']) !== undefined
    if (schema !== undefined && isHere) yield* reservedSchema(schema, locate(asset, ['deploy', 'schema']))
  },
  fix(problem, asset) {
    const name = asset.name.replace(/^(svc_)+/i, '').replace(/__raw(?=__|$)/gi, '_raw')
    return isFreeName(problem, name) ? renameTo(problem, asset, name) : []
  },
}

/** Checks the schemas in `svc.yaml`, which is no asset. */
export function reservedSchemas({ file, defaults }: Settings): readonly Finding[] {
  const environments = nodeAt(file?.tree, ['environments'])
  const names = environments?.kind === 'map' ? environments.entries.map(({ key }) => String(key.value)) : []
  const paths = [
    ['default_schema'],
    ...names.map(name => ['environments', name, 'schema']),
    ...defaults.map(({ pattern }) => ['defaults', pattern, 'deploy', 'schema']),
  ]
  return paths.flatMap(path => {
    const node = nodeAt(file?.tree, path)
    return node?.kind === 'scalar' ? reservedSchema(String(node.value), node.bodyRange) : []
  })
}

function reservedSchema(schema: string, range: Range): readonly Finding[] {
  const whose = ownSchema.test(schema)
    ? 'svc keeps its state, samples and new tables in schemas of its own'
    : systemSchema.test(schema) && 'The warehouse keeps its own views there'
  if (!whose) return []
  return [{ range, message: `the schema "${schema}" is reserved`, hint: `${whose}; choose another one.` }]
}

function reasonAgainst(name: string): string | undefined {
  if (/^svc_/i.test(name)) return 'Names that begin with "svc_" belong to the tables of svc itself'
  if (/__raw(?:__|$)/i.test(name)) return 'A name with "__raw" is that of a raw table'
  return undefined
}
