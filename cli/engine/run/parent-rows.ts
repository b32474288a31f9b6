/** Reads the rows that sources are asked for, from the builds of this run or the live ones. */
import {
  type Asset,
  columnCalled,
  forEachOf,
  internalName,
  isNumeric,
  rowRequestsOf,
  type TypeFamily,
} from '@svc/server/language'
import { SvcError } from '../errors.ts'
import type { ParentRow, ParentRows, ParentValue } from '../ingest/source.ts'
import { liveBuild } from '../plan/last-load.ts'
import { refuseReaching } from '../plan/reaching-condition.ts'
import { personalColumns } from '../quality/personal-columns.ts'
import type { BuildRecord } from '../state/state.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import { assetFailure } from './asset-failure.ts'
import { readBuild } from './compile-asset.ts'
import type { PreparedRun } from './prepare-run.ts'
import type { Run } from './run.ts'
import { failAsset } from './run-progress.ts'

/** A source whose rows cannot be read has failed. */
export async function parentRows(
  session: WarehouseSession,
  run: Run,
  prepared: PreparedRun,
  sources: readonly string[],
): Promise<ReadonlyMap<string, ParentRows>> {
  const { workspace, progress } = run
  const { project } = workspace
  const personal = personalColumns(project, prepared.analysis)
  const found = new Map<string, ParentRows>()
  for (const name of sources) {
    const asset = project.byName.get(name)
    const forEach = forEachOf(asset?.definition.ingest)
    if (asset === undefined || forEach === undefined || progress.assets.has(name)) continue
    try {
      const build = buildOf(forEach.asset, run, prepared)
      const rows = await rowsOf(session, asset, build)
      const marked = personal.of(forEach.asset)
      const isPersonal = (rowRequestsOf(asset.definition.ingest)?.columns ?? []).some(column =>
        marked.has(column.toLowerCase()),
      )
      found.set(name, { rows, isPersonal })
    } catch (error) {
      if (workspace.signal.aborted) throw error
      failAsset(run, prepared.names, assetFailure(asset, error, ['ingest'], workspace.environment.name))
    }
  }
  return found
}

function buildOf(name: string, { progress }: Run, { state }: PreparedRun): BuildRecord {
  const build = progress.assets.get(name)?.build ?? liveBuild(state, name)
  if (build !== undefined) return build
  throw new SvcError('parent-not-built', `"${name}", whose rows are asked for, was never built`, {
    hint: svc => `Build it first: ${svc(`run +${name}`)}.`,
  })
}

async function rowsOf(
  session: WarehouseSession,
  { name, definition: { ingest } }: Asset,
  build: BuildRecord,
): Promise<readonly ParentRow[]> {
  const { dialect } = session
  const most = ingest.type === 'none' ? 0 : ingest.limits.pages
  const where = forEachOf(ingest)?.where
  if (where !== undefined) refuseReaching(where, dialect.engine, name, 'ingest.for_each.where')
  const columns = (rowRequestsOf(ingest)?.columns ?? []).map(name => ({
    name,
    ...columnOf(build, name, session),
  }))
  const written = columns.map(({ column }) => dialect.identifier(column))
  const conditions = [
    ...written.map(column => `${column} IS NOT NULL`),
    ...(where === undefined ? [] : [`(${where}\n)`]),
  ]
  const order = written.map((_column, index) => index + 1).join(', ')
  const texts = written.map((column, index) => `${dialect.toText(column)} AS ${internalName(`c${index}`)}`)
  const inner = `SELECT DISTINCT ${written.join(', ')} FROM ${readBuild(build, 'view', '', dialect)} WHERE ${conditions.join(' AND ')}`
  const rows = await session.query(
    `SELECT ${texts.join(', ')} FROM (${inner} ORDER BY ${order} LIMIT ${most + 1}) AS ${internalName('asked')}`,
  )
  if (rows.length > most) {
    throw new SvcError(
      'for-each-rows',
      `"${build.asset}" has more than ${most} rows to ask for (limits.pages)`,
      {
        hint: 'Ask for fewer with for_each.where, or raise the limit in ingest.limits.',
      },
    )
  }
  return rows.map(row =>
    Object.fromEntries(
      columns.map(({ name, family }, index) => [
        name,
        valueIn(String(row[internalName(`c${index}`)]), family),
      ]),
    ),
  )
}

function columnOf(build: BuildRecord, name: string, { dialect: { engine } }: WarehouseSession) {
  const found = columnCalled(build.columns, name, engine)
  const { types } = engine
  if (found !== undefined) return { column: found.name, family: types.family(types.parse(found.type ?? '')) }
  throw new SvcError('source-shape', `"${build.asset}" has no column "${name}", which for_each needs`, {
    hint: `Its columns are ${build.columns.map(column => column.name).join(', ')}.`,
  })
}

/** Numbers stay numbers, so that what is carried joins with the column that it came from. */
function valueIn(text: string, family: TypeFamily): ParentValue {
  const isBoolean = family === 'boolean' && /^(true|false)$/.test(text)
  return { text, isPlain: isBoolean || (isNumeric(family) && /^-?\d+(\.\d+)?$/.test(text)) }
}
