/** Stores with the builds of a run where their columns come from, and which marks of personal data their files declare. */
import type { DeclaredMarks, ProjectAnalysis } from '@svc/server/language'
import { namesPersonal, noMarks } from '@svc/server/language'
import { marksOfFile, type NewMarks, storedMarks } from '../quality/build-marks.ts'
import { insertLineage, replaceMarks, type StateChange } from '../state/changes.ts'
import type { BuildRecord, MarksRecord, StateSnapshot } from '../state/state.ts'
import type { StateReader } from '../state/state-store.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** Builds of other assets, which the run only keeps, keep what is stored with them. */
export async function newMarks(
  store: StateReader,
  workspace: Workspace,
  analysis: ProjectAnalysis,
  builds: Iterable<BuildRecord>,
): Promise<NewMarks> {
  const stored = await store.marks()
  // A project without personal data stores nothing.
  if (!namesPersonal(workspace.project) && stored.length === 0) return { lineage: [], marks: [] }
  const all = [...builds]
  const known = await store.lineageKeys()
  const unknown = all.filter(({ build_key }) => !known.has(build_key))
  return {
    lineage: unknown.map(({ build_key, asset }) => ({
      build_key,
      asset,
      lineage: lineageOf(analysis, asset),
    })),
    marks: changedMarks(workspace, stored, all).map(({ record }) => record),
  }
}

export function markChanges({ lineage, marks }: NewMarks): StateChange[] {
  return [...insertLineage(lineage), ...replaceMarks(marks)]
}

function lineageOf(analysis: ProjectAnalysis, asset: string) {
  const { lineage = [], complete = false } = analysis.of(asset) ?? {}
  const columns = lineage.map(({ column, from, hidden }) => ({
    column,
    from,
    ...(hidden !== undefined && { hidden }),
  }))
  return { columns, complete }
}

export interface MarkChange {
  readonly record: MarksRecord
  readonly before: DeclaredMarks
}

/** Returns the builds whose files declare other marks than were stored with them. */
export function changedMarks(
  workspace: Workspace,
  stored: readonly MarksRecord[],
  builds: readonly Pick<BuildRecord, 'build_key' | 'asset'>[],
): MarkChange[] {
  const environment = workspace.environment.stateName
  const marksOf = storedMarks(stored, environment)
  return builds.flatMap(({ build_key, asset }) => {
    const marks = marksOfFile(workspace, asset)
    const before = marksOf(build_key) ?? noMarks
    if (isSame(before, marks)) return []
    return [{ record: { environment, build_key, asset, marks }, before }]
  })
}

function isSame(a: DeclaredMarks, b: DeclaredMarks): boolean {
  return a === b || textOf(a) === textOf(b)
}

function textOf({ columns, source, masked = [] }: DeclaredMarks): string {
  const sorted = Object.entries(columns).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([sorted, [...source].sort(), [...masked].sort()])
}

export interface MarkDifference {
  readonly asset: string
  readonly column: string
  /** Whether the column belongs to the source of the asset. */
  readonly isSource: boolean
  /** Undefined if the file says nothing of it. */
  readonly before: boolean | undefined
  readonly after: boolean | undefined
}

/** Returns how the marks in files differ from those of the live builds: a run makes them the marks of its builds. */
export async function markDifferences(
  store: StateReader,
  workspace: Workspace,
  state: StateSnapshot,
  names: readonly string[],
): Promise<readonly MarkDifference[]> {
  const live = names.flatMap(name => {
    const build = state.live.get(name)
    return build === undefined ? [] : [{ asset: name, build_key: build.build_key }]
  })
  if (live.length === 0) return []
  return changedMarks(workspace, await store.marks(), live).flatMap(differencesOf)
}

function differencesOf({ record: { asset, marks }, before }: MarkChange): MarkDifference[] {
  return [false, true].flatMap(isSource => {
    const [old, now] = [before, marks].map(({ columns, source }) =>
      isSource ? new Map(source.map(column => [column, true])) : new Map(Object.entries(columns)),
    )
    return [...new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])]
      .map(column => ({ asset, column, isSource, before: old?.get(column), after: now?.get(column) }))
      .filter(each => each.before !== each.after)
  })
}
