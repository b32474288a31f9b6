/** Reads the last run of each asset from `svc_catalog.json`. A missing or broken file gives none. */
import type { LastFailure, LastRun, LastWarning } from '../../language/features/knowledge.ts'
import { isRecord, readJson, textOf } from './read-json.ts'

export const catalogFile = 'svc_catalog.json'

export async function readLastRuns(root: string): Promise<ReadonlyMap<string, LastRun>> {
  return lastRunsIn(await readJson(root, catalogFile))
}

export function lastRunsIn(value: unknown): ReadonlyMap<string, LastRun> {
  const runs = new Map<string, LastRun>()
  if (!isRecord(value) || !Array.isArray(value['assets'])) return runs
  const environment = textOf(value['environment']) ?? ''
  for (const asset of value['assets'] as readonly unknown[]) {
    if (!isRecord(asset)) continue
    const name = textOf(asset['name'])
    const status = textOf(asset['status'])
    if (name === undefined || status === undefined) continue
    runs.set(name, {
      environment,
      status,
      isLive: textOf(asset['active_hash']) !== undefined,
      gone: textOf(asset['gone']),
      ...freshnessIn(asset),
      finishedAt: changedAt(status, textOf(asset['last_run']), textOf(asset['deployed_at'])),
      rows: numberOf(asset['rows']),
      seconds: numberOf(asset['seconds']),
      repaired: textOf(asset['repaired']),
      ...failureIn(asset['failure']),
      ...warningsIn(asset['warnings']),
    })
  }
  for (const publish of arrayOf(value['publishes'])) addPublish(runs, publish)
  return runs
}

/** A promotion and a rollback change what is live after the run that built it. */
function changedAt(
  status: string,
  lastRun: string | undefined,
  deployedAt: string | undefined,
): string | undefined {
  const [run, deployed] = [lastRun, deployedAt].map(at => (at === undefined ? Number.NaN : Date.parse(at)))
  const isLater = status === 'deployed' && (deployed as number) > (run as number)
  return isLater ? deployedAt : lastRun
}

function freshnessIn(asset: Readonly<Record<string, unknown>>): Pick<LastRun, 'freshness'> {
  const { freshness } = asset
  const loadedAt = textOf(asset['loaded_at'])
  if (!isRecord(freshness) || loadedAt === undefined) return {}
  const limit = (value: unknown) => (typeof value === 'number' ? value * 1000 : undefined)
  const { newest_row: newest } = freshness
  return {
    freshness: {
      warnAfterMs: limit(freshness['warn_after_seconds']),
      errorAfterMs: limit(freshness['error_after_seconds']),
      loadedAt,
      ...((newest === null || typeof newest === 'string') && { newestRow: newest }),
    },
  }
}

/** What the last publish to a target has warned of is about the asset that was sent. */
function addPublish(runs: Map<string, LastRun>, value: unknown): void {
  if (!isRecord(value) || !isRecord(value['last'])) return
  const run = runs.get(textOf(value['asset']) ?? '')
  const target = textOf(value['name'])
  const { warnings = [] } = warningsIn(value['last']['warnings'])
  if (run === undefined || target === undefined || warnings.length === 0) return
  const own = warnings.map(warning => ({ ...warning, target }))
  runs.set(textOf(value['asset']) ?? '', { ...run, warnings: [...(run.warnings ?? []), ...own] })
}

function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Without the hash of the text nobody can tell whether the failure is still about the file as it is. */
function failureIn(value: unknown): { readonly failure?: LastFailure } {
  if (!isRecord(value)) return {}
  const message = textOf(value['message'])
  const textHash = textOf(value['text_hash'])
  if (message === undefined || textHash === undefined) return {}
  const { hint, place } = value
  return { failure: { message, hint: textOf(hint), place: textOf(place), textHash } }
}

function warningsIn(value: unknown): { readonly warnings?: readonly LastWarning[] } {
  if (!Array.isArray(value)) return {}
  const warnings = value.flatMap((each: unknown): LastWarning[] => {
    if (!isRecord(each)) return []
    const { code, message, hint } = each
    if (typeof code !== 'string' || typeof message !== 'string') return []
    return [{ code, message, hint: textOf(hint) }]
  })
  return { warnings }
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
