import type { Engine } from '../engines/engine.ts'
import { isInternalName, isReservedColumn, systemColumns } from '../internal-names.ts'
import { locate, nodeAt } from '../project/locate.ts'
import type { Asset, Settings } from '../project/project.ts'
import { promisedTables, promisePath } from '../source/table-contract.ts'
import { readSql } from '../sql/reader/read-sql.ts'
import type { Name, TableAlias } from '../sql/tree.ts'
import { type SqlNode, walk } from '../sql/walk.ts'
import type { Range } from '../text/range.ts'
import type { FileCheck, Finding } from './check.ts'
import { isFreeName, renameTo } from './fix.ts'

/** Schemas that svc itself uses (decisions 2): state, samples, green schemas. */
const ownSchema = /^svc$|^svc_(?:samples$|g_)/i
/** Schemas in which every engine refuses to create anything. */
const systemSchema = /^(?:information_schema|pg_catalog)$/i

export const reservedName: FileCheck = {
  code: 'reserved-name',
  doc: 'A name that svc or the warehouse needs for its own tables, schemas and columns.',
  *run(asset, engine) {
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
    yield* reservedPromises(asset)
    yield* reservedSqlNames(asset, engine)
  },
  fix(problem, asset) {
    const name = asset.name.replace(/^(_?svc_)+/i, '').replace(/__raw(?=__|$)/gi, '_raw')
    return isFreeName(problem, name) ? renameTo(problem, asset, name) : []
  },
}

function* reservedPromises(asset: Asset): Iterable<Finding> {
  for (const { child, columns } of promisedTables(asset.definition.contract)) {
    for (const name of Object.keys(columns).filter(isReservedColumn))
      yield internal('column', name, locate(asset, promisePath(child, name), 'key'))
  }
}

interface SqlName {
  readonly what: string
  readonly name: Name
}

/** Finds what the SQL calls by a name of ours: columns, CTEs and tables, of which ours may be meant then. */
function* reservedSqlNames({ sql }: Asset, { grammar }: Engine): Iterable<Finding> {
  // Most SQL has no such name and is not parsed for it.
  if (sql === undefined || sql.elsewhere !== undefined || !/_svc_/i.test(sql.text)) return
  const found: SqlName[] = []
  for (const root of readSql(sql.text, grammar).statements) {
    walk(root, {
      enter(node) {
        found.push(...givenNames(node))
        return true
      },
    })
  }
  for (const { what, name } of found) {
    if (isReservedColumn(name.text))
      yield internal(what, name.text, sql.toFile.rangeToOriginal({ start: name.start, end: name.end }))
  }
}

function givenNames(node: SqlNode): readonly SqlName[] {
  const columns = (names: readonly Name[]) => names.map(name => ({ what: 'column', name }))
  if (node.kind === 'cte') return [{ what: 'CTE', name: node.name }, ...columns(node.columns)]
  if (node.kind === 'item') return columns(node.alias === undefined ? [] : [node.alias])
  if (!('alias' in node) || node.alias === undefined) return []
  const { name, columns: named }: TableAlias = node.alias
  return [...(name === undefined ? [] : [{ what: 'table', name }]), ...columns(named)]
}

function internal(what: string, name: string, range: Range): Finding {
  const allowed = [...systemColumns].join(', ')
  return {
    range,
    message: `the ${what} "${name}" has a name that svc keeps for itself`,
    hint: `Names that begin with "_svc_" are those of its own SQL, but for the columns ${allowed}; choose another name.`,
  }
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
  if (isInternalName(name)) return 'Names that begin with "_svc_" are those of the SQL of svc'
  if (/__raw(?:__|$)/i.test(name)) return 'A name with "__raw" is that of a raw table'
  return undefined
}
