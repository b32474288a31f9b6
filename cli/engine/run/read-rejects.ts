/**
 * Reads the records that contracts rejected (`svc rejects`): in the live loads, in refused sources, or in one
 * run. Personal values are masked here, before anything is printed. Changes nothing.
 */
import { type Asset, type Project, toSnakeCase } from '@svc/server/language'
import { unknownAsset } from '../errors.ts'
import type { RejectCode } from '../ingest/contract-rules.ts'
import { rawOf } from '../plan/last-load.ts'
import { personalColumns, personalNames } from '../quality/personal-columns.ts'
import type { MarksRecord, RejectRecord } from '../state/state.ts'
import type { RejectsWanted } from '../state/state-store.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { openOptions, withReadSession } from './begin-run.ts'
import type { EmitEvent } from './events.ts'

export interface RejectsRequest {
  /** Undefined means all assets. */
  readonly asset: string | undefined
  /** Undefined means the live loads and the sources that were refused since. */
  readonly runId: string | undefined
  readonly limit: number
}

/** `raw` is the record as JSON, with personal values masked; null where nothing of it is kept. */
export interface Reject extends RejectRecord {
  readonly code: RejectCode
}

export interface Rejects {
  readonly rejects: readonly Reject[]
  /** The total number, of which these are the first. */
  readonly total: number
}

const none: Rejects = { rejects: [], total: 0 }

/** Throws SvcError `unknown-asset`. */
export async function readRejects(
  workspace: Workspace,
  request: RejectsRequest,
  emit: EmitEvent,
): Promise<Rejects> {
  const { asset } = request
  if (asset !== undefined && !workspace.project.byName.has(asset)) throw unknownAsset(asset)
  return withReadSession(workspace, openOptions(workspace, emit), async session =>
    session === undefined ? none : readFrom(session, workspace, request),
  )
}

async function readFrom(
  session: WarehouseSession,
  workspace: Workspace,
  request: RejectsRequest,
): Promise<Rejects> {
  const wanted = await wantedOf(session, workspace, request)
  const { rejects, total } = await session.state.rejects(wanted, request.limit)
  if (total === 0) return none
  const analysis = await workspace.analysis()
  const stored = await session.state.marks()
  const { project } = workspace
  const personal = personalColumns(project, analysis)
  const namesOf = (asset: Asset) =>
    new Set([...personalNames(asset, project, analysis, personal), ...storedNames(stored, asset.name)])
  // What is live has none of them, also where it had been replaced by a load that had and a rollback brought it back.
  const asLive = wanted.current === undefined ? {} : { replayed_run_id: null }
  return {
    total,
    rejects: rejects.map(each =>
      masked({ ...each, ...asLive, code: each.code as RejectCode }, project, namesOf),
    ),
  }
}

async function wantedOf(
  session: WarehouseSession,
  workspace: Workspace,
  { asset, runId }: RejectsRequest,
): Promise<RejectsWanted> {
  const which = asset === undefined ? {} : { asset }
  if (runId !== undefined) return { ...which, runId }
  const environment = workspace.environment.stateName
  const state = await session.state.read(environment)
  const loadKeys = [...state.live.values()].flatMap(live => rawOf(state, live.build_key)?.build_key ?? [])
  return { ...which, current: { loadKeys, environment } }
}

// ---------------------------------------------------------------- personal values

const mask = '***'

function masked(reject: Reject, { byName }: Project, namesOf: (asset: Asset) => ReadonlySet<string>): Reject {
  const asset = byName.get(reject.asset)
  // Without the asset's file svc cannot know which columns are personal, so everything is masked.
  if (asset === undefined) return { ...reject, raw: JSON.stringify(mask), message: reject.code }
  const personal = namesOf(asset)
  if (personal.size === 0) return reject
  // A line that is no record has no columns by which to tell what is personal in it.
  if (reject.code === 'unparsed') return { ...reject, raw: reject.raw === null ? null : JSON.stringify(mask) }
  const isOne = reject.kind !== 'row' && isPersonal(personal, [reject.column_name ?? reject.child ?? ''])
  const raw = isOne ? JSON.stringify(mask) : reject.raw === null ? null : maskJson(reject.raw, personal)
  return { ...reject, raw, message: maskMessage(reject, personal) }
}

/** Returns the names that were marked when builds of the asset were made, whatever its file says by now. */
function storedNames(stored: readonly MarksRecord[], asset: string): readonly string[] {
  return stored
    .filter(each => each.asset === asset)
    .flatMap(({ marks: { columns, source } }) => [
      ...source,
      ...Object.keys(columns).filter(name => columns[name] === true),
    ])
    .map(name => name.toLowerCase())
}

/**
 * Masks values in a message. It may quote a column that was marked as personal later, or that is derived from
 * one.
 */
function maskMessage({ message, code, column_name: column }: Reject, personal: ReadonlySet<string>): string {
  if (column === null || !isPersonal(personal, [column])) return message
  return `column "${column}" breaks its contract (${code}); its value is personal`
}

function isPersonal(personal: ReadonlySet<string>, path: readonly string[]): boolean {
  const last = path.at(-1) ?? ''
  return [path.join('.'), path.map(toSnakeCase).join('__'), last, toSnakeCase(last)].some(name =>
    personal.has(name.toLowerCase()),
  )
}

function maskJson(text: string, personal: ReadonlySet<string>): string {
  const walk = (value: unknown, path: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map(each => walk(each, path))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        const way = [...path, key]
        return [key, inner !== null && isPersonal(personal, way) ? mask : walk(inner, way)]
      }),
    )
  }
  return JSON.stringify(walk(JSON.parse(text), []))
}
