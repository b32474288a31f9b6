/**
 * Checks policies where files alone cannot: after a fetch, when the columns of all sources are known, and before
 * every promotion, on the builds that become live (decisions 8, "Personal data").
 */
import { appliesTo, breachText, forbids, type PolicySubject, policyMarking } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { type BuildMarks, type NewMarks, readBuildMarks } from '../quality/build-marks.ts'
import type { BuildRecord, StateSnapshot } from '../state/state.ts'
import type { StateReader } from '../state/state-store.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Failure } from './asset-failure.ts'
import type { EmitEvent } from './events.ts'
import type { PreparedRun } from './prepare-run.ts'
import type { Run } from './run.ts'
import { failAsset } from './run-progress.ts'

export const breachCode = 'policy-breach'

interface PromotionBreach {
  readonly asset: string
  readonly message: string
  readonly isStrict: boolean
}

const hint =
  'Builds are checked by the marks and the lineage that are stored with them. Leave the column out, or say pii: false under columns, and build again.'

/** Fails the assets of a run whose builds break a policy. */
export async function checkRunPolicies(
  store: StateReader,
  run: Run,
  { state, names }: PreparedRun,
  map: ReadonlyMap<string, BuildRecord>,
  fresh: NewMarks,
): Promise<void> {
  const found = await breachesOf(store, run.workspace, state, map, fresh)
  const strict = found.filter(({ isStrict }) => isStrict).toReversed()
  for (const [asset, { message }] of new Map(strict.map(each => [each.asset, each])))
    failAsset(run, names, breachFailure(asset, message, hint))
}

/** Throws SvcError `policy-breach` if a build that would become live breaks a strict policy. */
export async function checkMapPolicies(
  store: StateReader,
  workspace: Workspace,
  state: StateSnapshot,
  map: ReadonlyMap<string, BuildRecord>,
  emit: EmitEvent,
): Promise<void> {
  const found = await breachesOf(store, workspace, state, map)
  for (const { asset, message, isStrict } of found)
    if (!isStrict) emit({ type: 'warning', asset, code: breachCode, message })
  const strict = found.filter(({ isStrict }) => isStrict)
  const [first] = strict
  if (first === undefined) return
  const more = strict.length === 1 ? '' : ` (and ${strict.length - 1} more)`
  throw new SvcError(breachCode, `"${first.asset}": ${first.message}${more}`, { asset: first.asset, hint })
}

export function breachFailure(
  asset: string,
  message: string,
  hint: string | undefined,
): Failure & { readonly asset: string } {
  return { code: breachCode, message, ...(hint !== undefined && { hint }), asset, exitCode: 1 }
}

async function breachesOf(
  store: StateReader,
  workspace: Workspace,
  state: StateSnapshot,
  map: ReadonlyMap<string, BuildRecord>,
  fresh?: NewMarks,
): Promise<readonly PromotionBreach[]> {
  const { project } = workspace
  const policies = project.glossary.policies.filter(({ enforcement }) => enforcement !== 'off')
  const moved = [...map].filter(([name, { build_key: key }]) => state.live.get(name)?.build_key !== key)
  if (policies.length === 0 || moved.length === 0) return []
  const builds = new Map(state.builds)
  for (const build of map.values()) builds.set(build.build_key, build)
  const keys = moved.map(([, { build_key }]) => build_key)
  const marks = await readBuildMarks(store, workspace, { state: { builds }, keys, fresh })
  if (!marks.any) return []
  return policies.flatMap(policy => {
    const flow = marks.flow(policyMarking(policy))
    return moved.flatMap(([asset, build]) => {
      if (!appliesTo(policy, project, subjectOf(workspace, asset, build))) return []
      return build.columns.flatMap(({ name: column }) => {
        const mark = flow.of(build.build_key, column)
        if (mark === undefined || !forbids(policy, mark)) return []
        const known = breachText(project.engine, asset, { policy, column, mark })
        const message = unknownText(marks, build, policy.name) ?? known
        return [{ asset, message, isStrict: policy.enforcement === 'strict' }]
      })
    })
  })
}

function unknownText(marks: BuildMarks, { build_key: key }: BuildRecord, policy: string): string | undefined {
  const unknown = marks.unknownIn(key)
  if (unknown === undefined) return undefined
  return `nothing is known of the personal data in the build of "${unknown}": policy "${policy}"`
}

/** A file that is gone has no tags and no folder. */
function subjectOf(
  { project }: Workspace,
  name: string,
  { deploy_schema: schema }: BuildRecord,
): PolicySubject {
  const asset = project.byName.get(name)
  if (asset !== undefined) return asset
  return { name, path: `${name}.svc`, definition: { tags: [], deploy: schema === null ? {} : { schema } } }
}
