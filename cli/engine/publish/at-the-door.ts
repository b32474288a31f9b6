/** What of the published columns is personal in the build that is live, and which policies keep it from a target. */
import type { Warning } from '@svc/server/contract'
import {
  appliesAtDoor,
  breachText,
  forbids,
  type PublishTarget,
  policyMarking,
  wholeMarking,
} from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { readBuildMarks } from '../quality/build-marks.ts'
import { personalColumns } from '../quality/personal-columns.ts'
import type { BuildRecord, StateSnapshot } from '../state/state.ts'
import type { StateReader } from '../state/state-store.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Field } from './destination.ts'

export interface Door {
  /** The fields whose values are never shown. */
  readonly personal: ReadonlySet<string>
  /** What policies with `enforcement: warn` say. */
  readonly warnings: readonly Warning[]
}

/** Throws SvcError `policy-breach` where a strict policy forbids a column. */
export async function checkDoor(
  store: StateReader,
  workspace: Workspace,
  { state, build, target, fields }: DoorRequest,
): Promise<Door> {
  const { project } = workspace
  const marks = await readBuildMarks(store, workspace, { state, keys: [build.build_key] })
  if (!marks.any) return { personal: new Set(), warnings: [] }
  const { policies } = project.glossary
  const own = personalColumns(project, await workspace.analysis()).of(build.asset)
  const whole = marks.flow(wholeMarking(policies))
  const personal = fields.filter(
    ({ column }) => own.has(column.toLowerCase()) || whole.of(build.build_key, column)?.grade === 'personal',
  )
  const asset = project.byName.get(build.asset)
  const warnings: Warning[] = []
  for (const policy of policies) {
    if (policy.enforcement === 'off' || asset === undefined) continue
    if (!appliesAtDoor(policy, project, asset, target.name)) continue
    const flow = marks.flow(policyMarking(policy))
    for (const { column } of fields) {
      const mark = flow.of(build.build_key, column)
      if (mark === undefined || !forbids(policy, mark)) continue
      const message = breachText(project.engine, build.asset, { policy, column, mark })
      if (policy.enforcement === 'strict') throw stopped(build.asset, target.name, message)
      warnings.push({ code: 'policy-breach', asset: build.asset, message, example: column })
    }
  }
  return { personal: new Set(personal.map(({ name }) => name)), warnings }
}

export interface DoorRequest {
  readonly state: StateSnapshot
  readonly build: BuildRecord
  readonly target: PublishTarget
  readonly fields: readonly Field[]
}

function stopped(asset: string, target: string, message: string): SvcError {
  return new SvcError('policy-breach', `${message} keeps it from ${target}`, {
    hint: `Nothing was sent. Leave the column out with publish.${target}.fields, or say pii: false under columns where it is harmless, and run again.`,
    asset,
  })
}
