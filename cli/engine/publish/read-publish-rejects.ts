/** Reads the rows that a target did not take in the last publish (`svc rejects --to`), personal values masked. */
import {
  defaultCredentials,
  destinationCalled,
  nearestNames,
  readTarget,
  targetNames,
  wholeMarking,
} from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { readBuildMarks } from '../quality/build-marks.ts'
import { personalColumns } from '../quality/personal-columns.ts'
import { openOptions } from '../run/begin-run.ts'
import type { EmitEvent } from '../run/events.ts'
import type { PublishReject } from '../state/state.ts'
import type { FoundPublishRejects } from '../state/state-store.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import type { OpenedWorkspace } from '../workspace/open-workspace.ts'
import { closing } from './publishing.ts'
import { maskJson } from './samples.ts'

export interface PublishRejectsRequest {
  /** Undefined means all assets. */
  readonly asset: string | undefined
  readonly target: string
  readonly limit: number
}

/** Throws SvcError `unknown-asset`, `unknown-destination`. */
export async function readPublishRejects(
  workspace: OpenedWorkspace,
  request: PublishRejectsRequest,
  emit: EmitEvent,
): Promise<FoundPublishRejects> {
  if (request.asset !== undefined) workspace.asset(request.asset)
  const found = await readFound(workspace, request, emit)
  // Rows of a destination that no file names any more are shown all the same.
  if (found.total === 0) refuseUnknown(workspace, request.target)
  return found
}

async function readFound(
  workspace: OpenedWorkspace,
  { asset, target, limit }: PublishRejectsRequest,
  emit: EmitEvent,
): Promise<FoundPublishRejects> {
  const warehouse = await workspace.warehouse()
  const session = await warehouse.open('read', openOptions(workspace, emit))
  if (session === undefined) return { rejects: [], total: 0 }
  return closing(session, async () => {
    const environment = workspace.environment.stateName
    const called = { environment, asset, target: destinationCalled(target, namesIn(workspace)) }
    const found = await session.state.publishRejects(called, limit)
    if (found.total === 0) return found
    const isPersonal = await personalFields(session, workspace)
    return { ...found, rejects: found.rejects.map(reject => masked(reject, isPersonal(reject))) }
  })
}

/** Of a name that is no destination, "everything was taken" would be untrue. */
function refuseUnknown(workspace: OpenedWorkspace, written: string): void {
  const names = namesIn(workspace)
  const { env } = workspace.world
  if (names.has(destinationCalled(written, names)) || env[defaultCredentials(written)] !== undefined) return
  const near = nearestNames(written, [...names]).map(name => `Did you mean "${name}"? `)
  const known = names.size === 0 ? 'No file describes one.' : `There are ${[...names].join(', ')}.`
  throw new SvcError('unknown-destination', `no destination is called "${written}"`, {
    hint: `${near[0] ?? ''}${known}`,
  })
}

function namesIn({ project }: OpenedWorkspace): ReadonlySet<string> {
  const own = [...project.byName.values()].flatMap(targetNames)
  return new Set([...own, ...Object.keys(project.settings.destinations)])
}

function masked(reject: PublishReject, personal: ReadonlySet<string>): PublishReject {
  const { row_key, raw } = reject
  return { ...reject, row_key: maskJson(row_key, personal), raw: maskJson(raw, personal) }
}

/** A field is personal where its column is, by the build that is live or by the file; it may have another name there. */
async function personalFields(
  session: WarehouseSession,
  workspace: OpenedWorkspace,
): Promise<(reject: PublishReject) => ReadonlySet<string>> {
  const { project, environment } = workspace
  const state = await session.state.read(environment.stateName)
  const keys = [...state.live.values()].map(({ build_key }) => build_key)
  const marks = await readBuildMarks(session.state, workspace, { state, keys })
  if (!marks.any) return () => new Set()
  const flow = marks.flow(wholeMarking(project.glossary.policies))
  const own = personalColumns(project, await workspace.analysis())
  return ({ asset, target, raw, row_key }) => {
    const file = project.byName.get(asset)
    const fields = (file && readTarget(file, target, project.settings).target?.fields) ?? {}
    const key = state.live.get(asset)?.build_key ?? ''
    const names = [raw, row_key].flatMap(text => Object.keys(JSON.parse(text) as object))
    return new Set(
      names.filter(name => {
        const column = fields[name] ?? name
        return own.of(asset).has(column.toLowerCase()) || flow.of(key, column)?.grade === 'personal'
      }),
    )
  }
}
