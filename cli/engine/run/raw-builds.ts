/** The raw tables behind a build of a run: those that the run loaded, or the load that it reused. */
import type { Column } from '@svc/server/language'
import type { FetchedSource } from '../ingest/source.ts'
import { pinnedLoad } from '../plan/last-load.ts'
import type { BuildRecord, StateSnapshot } from '../state/state.ts'
import type { Relation } from '../warehouse/warehouse.ts'
import { rawName } from './building.ts'
import { greenSchema } from './green-schema.ts'
import type { Run } from './run.ts'

export interface RawBuild {
  readonly child: string | undefined
  readonly relation: Relation
  readonly columns: readonly Column[]
}

export function rawTablesOf(
  { runId }: Run,
  state: StateSnapshot,
  fetched: ReadonlyMap<string, FetchedSource>,
  build: BuildRecord | undefined,
): readonly RawBuild[] {
  const raw = pinnedLoad(state, build)
  if (raw !== undefined) {
    const children = Object.entries(raw.children).map(([child, table]) => ({ ...table, child }))
    return [{ child: undefined, relation: raw.relation, columns: raw.columns }, ...children]
  }
  if (build?.run_id !== runId) return []
  return (fetched.get(build.asset)?.tables ?? []).map(({ shape: { child, columns } }) => ({
    child,
    relation: { schema: greenSchema(runId), name: rawName(build.asset, child) },
    columns,
  }))
}
