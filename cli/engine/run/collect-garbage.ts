/**
 * Deletes builds that no map needs any more (decisions 2, "Collection"): first single builds, then empty
 * green schemas. A map is the list of live builds of a run. The collection is a mark and sweep: it follows
 * the pins of every live, archived, previewed, failed or running map of every environment. A record is
 * deleted before its relation, so that no run can reuse a build that is about to vanish. It never touches
 * anything outside green schemas and those of samples, nor what another project made.
 */
import { groupBy } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { deleteBuilds, deleteDrift, deleteLoadedFiles, deleteRejects } from '../state/changes.ts'
import { wasKilled } from '../state/killed-runs.ts'
import { reachableBuilds, readRunMaps } from '../state/reachable-builds.ts'
import { newestFirst } from '../state/run-order.ts'
import type { BuildPins, RunSummary } from '../state/state.ts'
import type { OthersWork } from '../state/state-store.ts'
import type { Inventory, Relation, RelationKind, WarehouseSession } from '../warehouse/warehouse.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { greenPrefix, greenSchema, ownPrefix } from './green-schema.ts'
import { formerSamplesSchema, samplesPrefix } from './samples-schema.ts'

const previewDays = 7
const dayMs = 24 * 3_600_000
const defaultKeep = 5

/** What a collection deletes. */
export interface Garbage {
  /** Build keys; raw loads are listed separately too. */
  readonly builds: readonly string[]
  readonly loads: readonly string[]
  readonly relations: readonly { readonly relation: Relation; readonly kind: RelationKind }[]
  /** The schemas that are deleted as a whole, with the listed relations in them. */
  readonly schemas: readonly string[]
}

type Dropped = Pick<Garbage, 'relations' | 'schemas'>

/**
 * Returns what can be deleted, and changes nothing. `without`: environments that are about to be deleted,
 * whose builds do not count as needed. `known`: what existed a moment ago, if nothing was made since.
 */
export async function findGarbage(
  session: WarehouseSession,
  workspace: Workspace,
  without: ReadonlySet<string> = new Set(),
  known?: Inventory,
): Promise<Garbage> {
  const { state } = session
  // In this order, because other environments go on meanwhile: the build of a relation that is seen was recorded before, and
  // the run of a build that is seen began before.
  const inventory = known ?? (await session.inventory(ownPrefix))
  const builds = await state.builds()
  const [runs, live, others] = await Promise.all([state.runs(), state.liveKeys(), state.ofOthers()])
  const isWithout = ({ environment }: { readonly environment: string }) => without.has(environment)
  const kept = keptRuns(
    runs.filter(run => !isWithout(run)),
    workspace,
  )
  const roots = live.filter(key => !isWithout(key)).map(({ build_key }) => build_key)
  let reachable = reachableBuilds(roots, builds)
  // Mostly all builds are live, and the maps are megabytes.
  if (reachable.size < builds.size) {
    const maps = await readRunMaps(state, [...kept.maps.keys()])
    reachable = reachableBuilds([...roots, ...rootKeys(kept, maps, builds, workspace)], builds)
  }
  const gone = [...builds.keys()].filter(key => !reachable.has(key))
  const pinned = [...reachable].flatMap(key => builds.get(key) ?? [])
  const loads = gone.filter(key => builds.get(key)?.part === 'raw')
  return {
    builds: gone,
    loads,
    ...findUnpinned(workspace, { others, inventory }, relationIds(pinned), kept.shown),
  }
}

/** Returns what was dropped: what others have made something of stays, and the next collection tries again. */
export async function dropGarbage(session: WarehouseSession, garbage: Garbage): Promise<Dropped> {
  const { builds, loads, relations, schemas } = garbage
  if (builds.length > 0)
    await session.state.commit([
      ...deleteBuilds(builds),
      ...deleteRejects(loads),
      ...deleteDrift(loads),
      ...deleteLoadedFiles(loads),
    ])
  const whole = new Set(schemas)
  const single = relations.filter(({ relation }) => !whole.has(relation.schema))
  const dropped: Dropped['relations'][number][] = []
  for (const group of groupBy(single, ({ relation }) => relation.schema).values())
    dropped.push(...(await dropUnneeded(session, group)))
  const gone: string[] = []
  for (const schema of schemas) if (await isDropped(() => session.dropSchema(schema))) gone.push(schema)
  const inGone = relations.filter(({ relation }) => gone.includes(relation.schema))
  return { relations: [...dropped, ...inGone], schemas: gone }
}

/** Together if that can be, else one by one. */
async function dropUnneeded(
  session: WarehouseSession,
  relations: Garbage['relations'],
): Promise<Garbage['relations']> {
  if (await isDropped(() => session.dropRelations(relations))) return relations
  const dropped: Garbage['relations'][number][] = []
  for (const each of relations) if (await isDropped(() => session.dropRelations([each]))) dropped.push(each)
  return dropped
}

async function isDropped(drop: () => Promise<void>): Promise<boolean> {
  try {
    await drop()
    return true
  } catch (error) {
    if (error instanceof SvcError && error.code === 'foreign-object') return false
    throw error
  }
}

// ---------------------------------------------------------------- runs to keep

export interface KeptRuns {
  /**
   * The runs whose maps are followed, each with the number of generations it is back (0: live, or not an
   * archive).
   */
  readonly maps: ReadonlyMap<string, number>
  /** The runs whose own builds are followed too, because their maps are incomplete. */
  readonly unfinished: ReadonlySet<string>
  /** The green schemas that users may still inspect as a whole: views of reused builds are kept there. */
  readonly shown: ReadonlySet<string>
}

export function keptRuns(runs: readonly RunSummary[], { project, world }: Workspace): KeptRuns {
  const keeps = [...project.byName.values()].map(({ definition }) => definition.deploy.keep)
  const archives = Math.max(defaultKeep, ...keeps)
  const previewsSince = new Date(world.now().getTime() - previewDays * dayMs).toISOString()
  const kept = { maps: new Map<string, number>(), unfinished: new Set<string>(), shown: new Set<string>() }
  for (const environment of new Set(runs.map(run => run.environment))) {
    keepOf(
      runs.filter(run => run.environment === environment).sort(newestFirst),
      archives,
      previewsSince,
      kept,
    )
  }
  return kept
}

/** Adds what is kept of `runs`, the runs of one environment, newest first. */
function keepOf(
  runs: readonly RunSummary[],
  archives: number,
  previewsSince: string,
  kept: { maps: Map<string, number>; unfinished: Set<string>; shown: Set<string> },
): void {
  const generations: number[] = []
  const failed = runs.find(run => run.status === 'Failed' && run.refused !== true && !wasKilled(run))
  for (const run of runs) {
    const { run_id, generation } = run
    if (run.status === 'running' || run === failed) {
      kept.maps.set(run_id, 0)
      kept.unfinished.add(run_id)
      kept.shown.add(greenSchema(run_id))
    } else if (run.status === 'deployed' && generation === null && run.started_at >= previewsSince) {
      kept.maps.set(run_id, 0)
      kept.shown.add(greenSchema(run_id))
    } else if (run.status === 'deployed' && generation !== null) {
      // What failed in it can be inspected until the next run.
      if (run.error !== null && run === runs[0]) {
        kept.unfinished.add(run_id)
        kept.shown.add(greenSchema(run_id))
      }
      if (generation === (generations[0] ?? generation)) kept.shown.add(greenSchema(run_id))
      // A run that changed nothing repeats the generation and its map.
      if (generations.includes(generation) || generations.length > archives) continue
      kept.maps.set(run_id, generations.length)
      generations.push(generation)
    }
  }
}

// ---------------------------------------------------------------- builds to keep

function rootKeys(
  kept: KeptRuns,
  maps: ReadonlyMap<string, ReadonlyMap<string, string>>,
  builds: ReadonlyMap<string, BuildPins>,
  { project }: Workspace,
): Set<string> {
  const roots = new Set<string>()
  for (const [runId, age] of kept.maps) {
    for (const [asset, key] of maps.get(runId) ?? []) {
      // Most maps have the same builds.
      if (roots.has(key)) continue
      if (age <= (project.byName.get(asset)?.definition.deploy.keep ?? defaultKeep)) roots.add(key)
    }
  }
  for (const build of builds.values()) if (kept.unfinished.has(build.run_id)) roots.add(build.build_key)
  return roots
}

function relationIds(builds: readonly BuildPins[]): Set<string> {
  return new Set(
    builds.flatMap(({ relation, children }) => [
      idOf(relation),
      ...Object.values(children).map(child => idOf(child.relation)),
    ]),
  )
}

// ---------------------------------------------------------------- unneeded builds

interface Found {
  readonly others: OthersWork
  readonly inventory: Inventory
}

function findUnpinned(
  workspace: Workspace,
  { others, inventory }: Found,
  pinned: ReadonlySet<string>,
  shown: ReadonlySet<string>,
): Pick<Garbage, 'relations' | 'schemas'> {
  const relations: Garbage['relations'][number][] = []
  const schemas: string[] = []
  const theirs = new Set([...others.schemas, ...others.runIds.map(greenSchema)])
  for (const [schema, present] of inventory) {
    if (!schema.startsWith(greenPrefix) || theirs.has(schema)) continue
    const isKept = (name: string, kind: RelationKind) =>
      pinned.has(idOf({ schema, name })) || (shown.has(schema) && kind === 'view')
    const gone = present.filter(({ name, kind }) => !isKept(name, kind))
    relations.push(...gone.map(({ name, kind }) => ({ relation: { schema, name }, kind })))
    if (gone.length === present.length && !shown.has(schema)) schemas.push(schema)
  }
  const samples = sampleTables(workspace, inventory, theirs.size > 0)
  return { relations: [...relations, ...samples.relations], schemas: [...schemas, ...samples.schemas] }
}

/** In the schema that all projects shared, only a name tells whose a table is. */
function sampleTables({ project }: Workspace, inventory: Inventory, hasOthers: boolean): Dropped {
  const relations: Dropped['relations'][number][] = []
  const schemas: string[] = []
  const prefix = samplesPrefix(project.settings.name)
  for (const [schema, present] of inventory) {
    const isFormer = schema === formerSamplesSchema
    if (!isFormer && !schema.startsWith(prefix)) continue
    const gone = isFormer && hasOthers ? present.filter(({ name }) => project.byName.has(name)) : present
    relations.push(...gone.map(({ name, kind }) => ({ relation: { schema, name }, kind })))
    if (gone.length === present.length) schemas.push(schema)
  }
  return { relations, schemas }
}

function idOf({ schema, name }: Relation): string {
  return `${schema}\n${name}`
}
