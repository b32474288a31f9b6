/** Reads what production has of an asset, and what the target acknowledged of it, into files beside each other. */
import { join } from 'node:path'
import {
  columnCalled,
  type Engine,
  internalName,
  isReservedColumn,
  type PublishTarget,
  publishedColumns,
  readingEngine,
  svcIn,
  typeNameOfSource,
} from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { refuseReaching } from '../plan/reaching-condition.ts'
import { type PublishedTo, publishedWhere } from '../state/changes.ts'
import type { BuildRecord, StateSnapshot } from '../state/state.ts'
import type { Misfits, WarehouseSession } from '../warehouse/warehouse.ts'
import type { OpenedWorkspace } from '../workspace/open-workspace.ts'
import { checkDoor, type Door } from './at-the-door.ts'
import { buildWarnings } from './build-warnings.ts'
import type { Field } from './destination.ts'
import { exportedColumn } from './difference.ts'

export interface Production {
  readonly build: BuildRecord
  readonly fields: readonly Field[]
  readonly door: Door
  readonly rowsPath: string
  /** What was acknowledged; undefined where nothing counts. */
  readonly knownPath: string | undefined
}

export interface ProductionRequest {
  readonly workspace: OpenedWorkspace
  readonly target: PublishTarget
  readonly to: PublishedTo
  /** Where rows may have been acknowledged that count. */
  readonly places: readonly string[]
  readonly folder: string
  /** Whether what was acknowledged does not count. */
  readonly isFull: boolean
}

/** Throws SvcError `not-deployed`, `policy-breach`, `unknown-column`. */
export async function readProduction(
  session: WarehouseSession,
  { workspace, target, to, places, folder, isFull }: ProductionRequest,
): Promise<Production> {
  const state = await session.state.read(to.environment)
  const { build, relation } = liveOf(state, workspace, to.asset)
  const { dialect } = session
  const from = dialect.relation(relation)
  const columns = await session.describe(`SELECT * FROM ${from}`)
  const exported = columns.map(({ name, type }, index) => ({
    ...{ name, inFile: internalName(`c${index}`) },
    ...exportedColumn(dialect.identifier(name), fileType(type ?? '', dialect.engine)),
  }))
  const columnFields = fieldsOf(target, exported, workspace)
  const checked = await checkDoor(session.state, workspace, { state, build, target, fields: columnFields })
  const door = {
    ...checked,
    warnings: [...checked.warnings, ...buildWarnings(state, build, svcIn(workspace.environment.name))],
  }
  const sent = withMark(target, columnFields)
  const sentColumns = new Set(columnFields.map(({ column }) => column))
  const list = [
    ...exported.filter(({ name }) => sentColumns.has(name)).map(({ sql, inFile }) => `${sql} AS ${inFile}`),
    ...sent.slice(columnFields.length).map(({ inFile, type }) => `CAST(NULL AS ${type}) AS ${inFile}`),
  ]
  if (target.where !== undefined)
    refuseReaching(target.where, dialect.engine, to.asset, `publish.${target.name}.where`)
  const where = target.where === undefined ? '' : ` WHERE (\n${target.where}\n)`
  const rowsPath = join(folder, 'rows.parquet')
  const { signal } = workspace
  const misfits = new Map<string, Misfits>()
  const onMisfits = (found: Misfits) => void misfits.set(found.column, found)
  await session.export({ sql: `SELECT ${list.join(', ')} FROM ${from}${where}`, onMisfits }, rowsPath, signal)
  const fields = sent.map(field => withMisfits(field, misfits.get(field.inFile), target))
  if (isFull || places.length === 0) return { build, fields, door, rowsPath, knownPath: undefined }
  const knownPath = join(folder, 'known.parquet')
  const kept = ['key_hash', 'row_hash', 'row_key']
  const known = { table: 'svc_published', columns: kept, where: publishedWhere(to, places) } as const
  await session.export(known, knownPath, signal)
  return { build, fields, door, rowsPath, knownPath }
}

/** Rows with values that no file holds are kept apart. Throws SvcError `destination-shape` where all rows are sent or none. */
function withMisfits(field: Field, misfits: Misfits | undefined, { mode }: PublishTarget): Field {
  if (misfits === undefined) return field
  const { texts, count } = misfits
  if (mode !== 'replace') return { ...field, misfits: texts }
  const values = count === 1 ? '1 value' : `${count} values`
  throw new SvcError(
    'destination-shape',
    `"${field.column}" has ${values} that ${field.type} cannot hold, and a file has all rows or none`,
    {
      hint: 'Leave these rows out with publish where or the column with publish fields, or cast it to text in the SQL of the asset.',
    },
  )
}

/** Returns the type that a column has in the file, which the embedded engine reads. */
function fileType(type: string, engine: Engine): string {
  if (engine.kind === readingEngine.kind) return type
  const read = typeNameOfSource(type, engine, readingEngine)
  return read.endsWith(']') ? 'JSON' : read
}

function liveOf(state: StateSnapshot, { project, environment }: OpenedWorkspace, asset: string) {
  const build = state.builds.get(state.live.get(asset)?.build_key ?? '')
  if (build === undefined) {
    throw new SvcError('not-deployed', `"${asset}" is not live in ${environment.name}`, {
      hint: svc => `What is published comes from production: ${svc(`run +${asset}`)}`,
      asset,
    })
  }
  const relation = state.views.get(asset)
  if (relation !== undefined) return { build, relation }
  const { materialize } = project.byName.get(asset)?.definition.deploy ?? {}
  throw new SvcError(
    'not-deployed',
    `"${asset}" is ${materialize ?? build.kind} and has no production view`,
    {
      hint: 'Publish an asset with deploy: {materialize: table} or view.',
      asset,
    },
  )
}

const markInFile = internalName('mark')

/** A row that is there has no mark, also one that had gone and has come back. Throws SvcError `destination-shape`. */
function withMark({ onDelete, mark }: PublishTarget, fields: readonly Field[]): readonly Field[] {
  if (onDelete !== 'mark') return fields
  if (fields.some(({ name, column }) => name === mark || column === mark)) {
    throw new SvcError('destination-shape', `"${mark}" is a field with values of its own`, {
      hint: 'Name another field in publish mark, or leave the column out with publish fields.',
    })
  }
  const field = { name: mark, column: mark, inFile: markInFile, type: 'TIMESTAMP WITH TIME ZONE' }
  return [...fields, { ...field, isKey: false }]
}

/** The key is always sent, also where `fields` does not name it. */
function fieldsOf(
  target: PublishTarget,
  columns: readonly Exported[],
  { project: { engine } }: OpenedWorkspace,
): readonly Field[] {
  const columnOf = (written: string) => {
    const found = columnCalled(columns, written, engine)
    if (found !== undefined) return found
    throw new SvcError('unknown-column', `production has no column "${written}"`, {
      hint: `It has ${columns.map(({ name }) => name).join(', ')}. Was the asset run since its file changed?`,
    })
  }
  const keys = new Set(target.key.map(written => columnOf(written).name))
  const names = columns.map(({ name }) => name)
  const sent = publishedColumns(target, names, engine)
  // An object puts names that are whole numbers first.
  const given =
    target.fields === undefined ? sent.map(name => [name, name] as const) : Object.entries(target.fields)
  const named = given.map(([name, written]) => ({ name, ...pick(columnOf(written)) }))
  refuseReserved(named.map(({ name }) => name))
  const sentColumns = new Set(named.map(({ column }) => column))
  const unnamed = [...keys].filter(key => !sentColumns.has(key))
  return [...unnamed.map(key => ({ name: key, ...pick(columnOf(key)) })), ...named].map(field => ({
    ...field,
    isKey: keys.has(field.column),
  }))
}

/** The tables of a target have columns of ours beside these while rows are sent. */
function refuseReserved(names: readonly string[]): void {
  const reserved = names.find(isReservedColumn)
  if (reserved === undefined) return
  throw new SvcError('destination-shape', `"${reserved}" is a name that svc keeps for itself`, {
    hint: 'Names that begin with _svc_ are those of its own SQL: give the field another name in publish fields.',
  })
}

type Exported = Pick<Field, 'name' | 'inFile' | 'type'>

function pick({ name, inFile, type }: Exported) {
  return { column: name, inFile, type }
}
