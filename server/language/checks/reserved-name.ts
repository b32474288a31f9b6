import type { Engine } from '../engines/engine.ts'
import { isInternalName, isReservedColumn, systemColumns } from '../internal-names.ts'
import { locate, nodeAt } from '../project/locate.ts'
import type { Asset, Settings } from '../project/project.ts'
import { promisedTables, promisePath } from '../source/table-contract.ts'
import { readSql } from '../sql/reader/read-sql.ts'
import type { Name, TableAlias } from '../sql/tree.ts'
import { type SqlNode, walk } from '../sql/walk.ts'
import type { Range } from '../text/range.ts'
import type { CheckContext, FileCheck, Finding } from './check.ts'
import { isFreeName, renameTo } from './fix.ts'
import { outputPlaces } from './output-places.ts'

/** Schemas that svc itself uses (decisions 2): state, samples, green schemas. */
const ownSchema = /^svc$|^svc_(?:samples(?:$|_)|g_)/i

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
    if (
      schema !== undefined &&
      whoseSchema(schema, engine) !== undefined &&
      isWritten(asset, ['deploy', 'schema'])
    )
      yield* reservedSchema(schema, locate(asset, ['deploy', 'schema']), engine)
    yield* reservedPromises(asset, engine)
    yield* writtenNames(asset, engine).map(({ what, name, range }) => internal(what, name, range))
  },
  runInProject: reservedOutputs,
  fix(problem, asset) {
    const name = asset.name.replace(/^(_?svc_)+/i, '').replace(/__raw(?=__|$)/gi, '_raw')
    return isFreeName(problem, name) ? renameTo(problem, asset, name) : []
  },
}

function* reservedPromises(asset: Asset, engine: Engine): Iterable<Finding> {
  for (const { child, columns } of promisedTables(asset.definition.contract)) {
    for (const name of Object.keys(columns))
      yield* reservedColumn(name, () => locate(asset, promisePath(child, name), 'key'), engine)
  }
}

/**
 * Finds columns of the result that have a name which is not free, wherever it came from: a PIVOT, the field of a struct, a
 * function. Those that the SQL writes as a name are found there, and those of other assets where they are made.
 */
function* reservedOutputs(asset: Asset, context: CheckContext): Iterable<Finding> {
  const { analysis, project } = context
  const isKept = ({ name }: { readonly name: string }) =>
    isReservedColumn(name) || isTaken(name, project.engine)
  const kept = analysis?.columns.filter(isKept) ?? []
  if (analysis === undefined || kept.length === 0) return
  const written = new Set(writtenNames(asset, project.engine).map(({ name }) => name))
  const placeOf = outputPlaces(asset, context)
  for (const { name } of kept) {
    if (written.has(name)) continue
    const origins = analysis.lineage.find(({ column }) => column === name)?.from ?? []
    const isTakenOver = origins.some(({ asset: from, column }) => from !== asset.name && column === name)
    if (!isTakenOver) yield* reservedColumn(name, () => placeOf(name).range, project.engine)
  }
}

function* reservedColumn(name: string, range: () => Range, engine: Engine): Iterable<Finding> {
  if (isReservedColumn(name)) yield internal('column', name, range())
  if (isTaken(name, engine))
    yield {
      range: range(),
      message: `a column cannot be called "${name}" in ${engine.label}`,
      hint: `Every table there has a column of that name already; give this one another name, in SQL with AS, in a contract with from.`,
    }
}

function isTaken(name: string, { storage }: Engine): boolean {
  return storage.takenColumns.has(name)
}

interface SqlName {
  readonly what: string
  readonly name: Name
}

interface WrittenName {
  readonly what: string
  readonly name: string
  readonly range: Range
}

/** Finds what the SQL calls by a name of ours: columns, CTEs and tables, of which ours may be meant then. */
function writtenNames({ sql }: Asset, { grammar }: Engine): readonly WrittenName[] {
  // Most SQL has no such name and is not parsed for it.
  if (sql === undefined || sql.elsewhere !== undefined || !/_svc_/i.test(sql.text)) return []
  const found: SqlName[] = []
  for (const root of readSql(sql.text, grammar).statements) {
    walk(root, {
      enter(node) {
        found.push(...givenNames(node))
        return true
      },
    })
  }
  return found
    .filter(({ name }) => isReservedColumn(name.text))
    .map(({ what, name: { text, start, end } }) => ({
      what,
      name: text,
      range: sql.toFile.rangeToOriginal({ start, end }),
    }))
}

function givenNames(node: SqlNode): readonly SqlName[] {
  const columns = (names: readonly Name[]) => names.map(name => ({ what: 'column', name }))
  if (node.kind === 'cte') return [{ what: 'CTE', name: node.name }, ...columns(node.columns)]
  // What COLUMNS has behind AS is a pattern: the names that it makes are those of the result.
  if (node.kind === 'item') return columns(node.expression.kind === 'columns' ? [] : given(node.alias))
  if (node.kind === 'star') return columns(node.rename.flatMap(({ to }) => given(to)))
  const made =
    node.kind === 'pivot'
      ? node.columns.flatMap(({ values = [] }) => values.flatMap(({ alias }) => given(alias)))
      : node.kind === 'unpivot'
        ? [...given(node.nameColumn), ...node.valueColumns]
        : []
  if (!('alias' in node) || node.alias === undefined) return columns(made)
  const { name, columns: named }: TableAlias = node.alias
  return [...given(name).map(table => ({ what: 'table', name: table })), ...columns([...made, ...named])]
}

function given(name: Name | undefined): readonly Name[] {
  return name === undefined ? [] : [name]
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
export function reservedSchemas({ file, defaults, engine }: Settings): readonly Finding[] {
  const environments = nodeAt(file?.tree, ['environments'])
  const names = environments?.kind === 'map' ? environments.entries.map(({ key }) => String(key.value)) : []
  const paths = [
    ['default_schema'],
    ...names.map(name => ['environments', name, 'schema']),
    ...defaults.map(({ pattern }) => ['defaults', pattern, 'deploy', 'schema']),
  ]
  return paths.flatMap(path => {
    const node = nodeAt(file?.tree, path)
    return node?.kind === 'scalar' ? reservedSchema(String(node.value), node.bodyRange, engine) : []
  })
}

/** What the file does not say itself is told where it stands: in `svc.yaml`. */
function isWritten(asset: Asset, path: readonly string[]): boolean {
  return nodeAt(asset.tree, path) !== undefined
}

function whoseSchema(schema: string, { storage }: Engine): string | undefined {
  if (ownSchema.test(schema)) return 'svc keeps its state, samples and new tables in schemas of its own'
  return storage.systemSchemas.test(schema) ? 'The warehouse keeps its own views there' : undefined
}

function reservedSchema(schema: string, range: Range, engine: Engine): readonly Finding[] {
  const whose = whoseSchema(schema, engine)
  if (whose === undefined) return []
  return [{ range, message: `the schema "${schema}" is reserved`, hint: `${whose}; choose another one.` }]
}

function reasonAgainst(name: string): string | undefined {
  if (/^svc_/i.test(name)) return 'Names that begin with "svc_" belong to the tables of svc itself'
  if (isInternalName(name)) return 'Names that begin with "_svc_" are those of the SQL of svc'
  if (/__raw(?:__|$)/i.test(name)) return 'A name with "__raw" is that of a raw table'
  return undefined
}
