/** Reads the versions of assets in a pack: from a list, from catalogue entries, or from runs. */
import type { ContextPack, VersionStatus } from '../../../server/contract/pack.ts'
import type { PackVersion } from './pack.ts'
import type { Names, ReadContext } from './read-pack.ts'

/** Returns each version once, oldest first. */
export function readVersions(body: ContextPack, names: Names, context: ReadContext): readonly PackVersion[] {
  const versions = new Map<string, PackVersion>()
  const add = (version: PackVersion) => {
    const key = `${version.identifier}\0${version.hash}\0${version.deployed_at}`
    if (!versions.has(key)) versions.set(key, version)
  }
  for (const [name, list] of Object.entries(body.versions ?? {})) {
    const identifier = names(name)
    if (identifier === undefined) warnUnknownAsset(name, 'versions', context)
    else {
      for (const { hash, deployed_at, status, run_id } of list) {
        add({
          identifier,
          hash,
          deployed_at: utc(deployed_at),
          status: status ?? 'deployed',
          run_id: run_id ?? null,
        })
      }
    }
  }
  for (const run of body.history ?? []) for (const version of versionsOfRun(run, names)) add(version)
  for (const asset of body.assets) {
    const identifier = asset.id ?? asset.name
    if (identifier === undefined || !asset.active_hash) continue
    const { active_hash: hash, deployed_at = asset.last_run, deployed_by = null } = asset
    // A catalogue of an older svc says when the last run was, which may only have verified the version.
    const isKnown = body.versions?.[identifier]?.some(version => version.hash === hash) === true
    if (!deployed_at || (asset.deployed_at === undefined && isKnown)) continue
    add({ identifier, hash, deployed_at: utc(deployed_at), status: 'deployed', run_id: deployed_by })
  }
  return [...versions.values()].sort((a, b) =>
    a.deployed_at < b.deployed_at ? -1 : a.deployed_at > b.deployed_at ? 1 : 0,
  )
}

/** Reads a run in the form of `svc ai context --include-history` and `.svc/<environment>/history.json`. */
function versionsOfRun(run: Readonly<Record<string, unknown>>, names: Names): readonly PackVersion[] {
  const { run_id, kind, status, started_at, finished_at, assets } = run
  const at = typeof finished_at === 'string' ? finished_at : started_at
  if (kind === 'preview' || !Array.isArray(assets) || typeof at !== 'string' || Number.isNaN(Date.parse(at)))
    return []
  if (status !== 'deployed' && status !== 'Failed') return []
  return assets.flatMap((asset: unknown): readonly PackVersion[] => {
    if (typeof asset !== 'object' || asset === null) return []
    const { name, definition_hash: hash } = asset as Readonly<Record<string, unknown>>
    const identifier = typeof name === 'string' ? names(name) : undefined
    if (identifier === undefined || typeof hash !== 'string' || hash === '') return []
    const outcome = outcomeOf(status, asset)
    if (outcome === undefined) return []
    return [
      {
        identifier,
        hash,
        deployed_at: utc(at),
        status: outcome,
        run_id: typeof run_id === 'string' ? run_id : null,
      },
    ]
  })
}

/** Of a failed run only the failed assets count, because it promoted nothing. */
function outcomeOf(
  run: VersionStatus,
  asset: { readonly status?: unknown; readonly deployed?: unknown },
): VersionStatus | undefined {
  if (asset.status === 'failed' || asset.status === 'test_failed') return 'Failed'
  const isBuilt = asset.status === 'built' || asset.status === undefined
  return run === 'deployed' && (asset.deployed ?? isBuilt) === true ? 'deployed' : undefined
}

function utc(time: string): string {
  return new Date(time).toISOString()
}

export function warnUnknownAsset(name: string, member: keyof ContextPack, context: ReadContext): void {
  const detail = `"${name}" is no asset of the pack; what is said of it is left out.`
  context.warn(`${context.root}/${member}`, 'unknown_asset', detail)
}
