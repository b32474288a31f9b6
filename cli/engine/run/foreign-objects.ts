/**
 * Refuses to replace relations in a production schema that svc did not make, before any work (decisions 2). A
 * relation is svc's own if `svc_views` lists it for this environment, by name and place.
 */
import type { Engine } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { sameRelation } from '../plan/pointers.ts'
import type { StateSnapshot } from '../state/state.ts'
import type { RecordedView } from '../state/state-store.ts'
import type { PresentRelation, Relation, RelationKind, WarehouseReader } from '../warehouse/warehouse.ts'
import { type Shows, shownBuilds } from './shown-builds.ts'

export interface ProductionCheck {
  /** Assets whose view is recorded, but missing in the warehouse or replaced by another; the promotion creates it again. */
  readonly missing: ReadonlySet<string>
  /** What somebody did to the views of those that are deployed. */
  readonly damaged: ReadonlyMap<string, ViewDamage>
  /** The assets whose recorded view somebody has replaced and the new map has not there any more: it would be dropped. */
  readonly leaving: readonly string[]
}

export type ViewDamage = 'dropped' | 'replaced'

/** Checks the views that the new map needs (`wanted`, by asset). Throws SvcError `foreign-object`. */
export async function checkProduction(
  session: WarehouseReader,
  state: StateSnapshot,
  wanted: ReadonlyMap<string, Relation>,
): Promise<ProductionCheck> {
  const stray = await damagedViews(session, state)
  const leaving = [...state.views].flatMap(([asset, view]) =>
    stray.get(asset) === 'replaced' && !sameRelation(view, wanted.get(asset)) ? [asset] : [],
  )
  const others = [...wanted].filter(
    ([asset, view]) => stray.has(asset) || !sameRelation(view, state.views.get(asset)),
  )
  // In nearly all cases every view exists and belongs to its asset.
  if (others.length === 0) return { missing: new Set(), damaged: new Map(), leaving }
  const present = await presentRelations(session, wanted)
  const shows = await shownBuilds(session, state)
  const { missing, damaged, foreign } = sorted(others, { present, state, shows }, session.dialect.engine)
  if (foreign === undefined && missing.size === 0) return { missing, damaged, leaving }
  const owned = await ownedByOthers(session, state.environment)
  if (foreign !== undefined) throw refusal(foreign, owned.get(idOf(foreign.view, session.dialect.engine)))
  refuseNamesOfOthers(wanted, missing, owned, session.dialect.engine)
  return { missing, damaged, leaving }
}

/**
 * Returns the assets whose recorded views are gone or show something else than what is deployed. All of that is in the
 * warehouse, so a plan asks once for each state of it: of 1,000 views that is 20 of the 500 ms of an unchanged plan.
 */
export async function damagedViews(
  session: WarehouseReader,
  state: StateSnapshot,
): Promise<ReadonlyMap<string, ViewDamage>> {
  const find = async () => {
    const present = await presentRelations(session, state.views, 'view')
    const shows = await shownBuilds(session, state)
    return [...state.views].flatMap(([asset, { schema, name }]) => {
      const found = present.get(schema)?.get(name)
      if (found?.kind === 'view' && shows(asset, found)) return []
      return [{ asset, damage: found?.kind === 'view' ? 'replaced' : 'dropped' } as const]
    })
  }
  const rows = await (session.recall?.(`damaged views of ${state.environment}`, find) ?? find())
  return new Map(rows.map(({ asset, damage }) => [asset, damage]))
}

/** The views of other projects, and of other environments of this one, by their folded names. */
type Owned = ReadonlyMap<string, RecordedView>

async function ownedByOthers({ state, dialect }: WarehouseReader, environment: string): Promise<Owned> {
  const views = await state.recordedViews()
  const others = views.filter(each => each.owner !== null || each.environment !== environment)
  return new Map(others.map(each => [idOf(each.view, dialect.engine), each]))
}

/**
 * A view that another project made and somebody dropped is still of that project, whose next run makes it again: two that
 * took turns in one name would replace and drop each other's view.
 */
function refuseNamesOfOthers(
  wanted: ReadonlyMap<string, Relation>,
  missing: ReadonlySet<string>,
  owned: Owned,
  engine: Engine,
): void {
  for (const asset of missing) {
    const view = wanted.get(asset)
    const found = view && owned.get(idOf(view, engine))
    if (view && found && found.owner !== null) throw refusal({ asset, view, kind: 'view' }, found)
  }
}

interface Foreign {
  readonly asset: string
  readonly view: Relation
  readonly kind: RelationKind
}

interface Warehouse {
  readonly present: Present
  readonly state: StateSnapshot
  readonly shows: Shows
}

/** The relations by schema and name. */
type Present = ReadonlyMap<string, ReadonlyMap<string, PresentRelation>>

/** Returns what is missing, or the first relation that svc did not make. */
function sorted(
  wanted: Iterable<readonly [string, Relation]>,
  { present, state, shows }: Warehouse,
  engine: Engine,
): Pick<ProductionCheck, 'missing' | 'damaged'> & { readonly foreign: Foreign | undefined } {
  const ours = new Set([...state.views.values()].map(view => idOf(view, engine)))
  const found = new Map<string, PresentRelation>()
  for (const [schema, relations] of present)
    for (const [name, relation] of relations) found.set(idOf({ schema, name }, engine), relation)
  const missing = new Set<string>()
  const damaged = new Map<string, ViewDamage>()
  for (const [asset, view] of wanted) {
    const relation = found.get(idOf(view, engine))
    if (relation !== undefined && (relation.kind !== 'view' || !ours.has(idOf(view, engine))))
      return { missing, damaged, foreign: { asset, view, kind: relation.kind } }
    if (relation !== undefined && shows(asset, relation)) continue
    missing.add(asset)
    if (sameRelation(view, state.views.get(asset))) damaged.set(asset, relation ? 'replaced' : 'dropped')
  }
  return { missing, damaged, foreign: undefined }
}

async function presentRelations(
  session: WarehouseReader,
  wanted: ReadonlyMap<string, Relation>,
  kind?: 'view',
): Promise<Present> {
  const present = new Map<string, ReadonlyMap<string, PresentRelation>>()
  for (const schema of new Set([...wanted.values()].map(view => view.schema))) {
    const relations = await session.relations(schema, kind)
    present.set(schema, new Map(relations.map(relation => [relation.name, relation])))
  }
  return present
}

/** Returns the error; `recorded` says whose the relation is. */
function refusal({ asset, view, kind }: Foreign, recorded: RecordedView | undefined): SvcError {
  const name = `${view.schema}.${view.name}`
  const otherwise = `give the asset "${asset}" another name or another deploy.schema`
  if (recorded === undefined) {
    return new SvcError('foreign-object', `${kind} ${name} exists and was not made by svc`, {
      hint: `Rename or drop it, or ${otherwise}.`,
      asset,
    })
  }
  const { owner, environment } = recorded
  if (owner === null) {
    return new SvcError('foreign-object', `${kind} ${name} belongs to the environment "${environment}"`, {
      hint: 'Give each environment a schema of its own in svc.yaml.',
      asset,
    })
  }
  return new SvcError('foreign-object', `${kind} ${name} belongs to the project "${owner}"`, {
    hint: svc =>
      `If that is this project's former name, ${svc(`init --adopt ${owner}`)} takes over its state; else ${otherwise}.`,
    asset,
  })
}

function idOf({ schema, name }: Relation, { fold }: Engine): string {
  return `${fold(schema)}\n${fold(name)}`
}
