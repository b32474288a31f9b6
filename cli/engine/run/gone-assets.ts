/** What somebody has done, beside svc, to what is live: `svc status`, the catalogue and the pages tell it of each asset. */
import type { StateSnapshot } from '../state/state.ts'
import type { WarehouseReader } from '../warehouse/warehouse.ts'
import { damagedViews } from './foreign-objects.ts'
import { buildDamage, builtInventory } from './gone-relations.ts'
import { repairWords } from './repairs.ts'

/** Returns it in words, by asset; most have nothing and are absent. */
export async function goneAssets(
  session: WarehouseReader,
  state: StateSnapshot,
): Promise<ReadonlyMap<string, string>> {
  if (state.live.size === 0) return new Map()
  const find = () => damagedBuilds(session, state)
  const rows = await (session.recall?.(`damaged builds of ${state.environment}`, find) ?? find())
  const builds = new Map(rows.map(({ asset, words }) => [asset, words]))
  const views = await damagedViews(session, state)
  return new Map(
    [...state.live.keys()].flatMap(asset => {
      // What production shows is read from the build, so that one sentence is enough.
      const words = builds.get(asset) ?? viewWords(views.get(asset))
      return words === undefined ? [] : [[asset, words] as const]
    }),
  )
}

type DamagedBuild = { readonly asset: string; readonly words: string }

async function damagedBuilds(session: WarehouseReader, state: StateSnapshot): Promise<DamagedBuild[]> {
  const damageOf = buildDamage(await builtInventory(session, state))
  return [...state.live.values()].flatMap(({ asset, build_key }) => {
    const build = state.builds.get(build_key)
    const damage = build && damageOf(build)
    if (build === undefined || damage === undefined) return []
    const relation = build.kind === 'view' ? 'view' : 'table'
    return [{ asset, words: repairWords({ relation, replaced: damage === 'replaced' }) }]
  })
}

function viewWords(damage: 'dropped' | 'replaced' | undefined): string | undefined {
  return damage && repairWords({ relation: 'view', replaced: damage === 'replaced' })
}
