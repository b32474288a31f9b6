/**
 * What a run refuses because rows that loads have gathered would go, or cannot be what their contract promises now: the run
 * fails for it before it fetches, and a plan shows it.
 */
import type { Facts, Project } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { type GatheredRows, rowsInWords } from '../plan/gathered-rows.ts'
import type { Plan } from '../plan/plan.ts'
import { stepsOf } from '../plan/step.ts'
import type { WarehouseReader } from '../warehouse/warehouse.ts'
import { assetFailure, type Failure } from './asset-failure.ts'
import { judgeGathered } from './judge-gathered.ts'

/** What a run would say of an asset instead of fetching it. */
export interface Refusal extends Failure {
  readonly asset: string
  readonly facts: Facts | undefined
}

export function historyLost(name: string, { rows, because, keys, isFinal }: GatheredRows): SvcError {
  const forward = isFinal ? '' : ', ingest.on_change: forward keeps them and counts from now on'
  return new SvcError('history-lost', `${rowsInWords(rows)} would go, because ${because}`, {
    hint: svc =>
      `The source need not have them any more. Take the change back${forward}, or let them go: ${svc(`run ${name} --full-refresh`)}.`,
    facts: { rows, keys },
  })
}

/** Returns what a run of the plan would refuse, in the order of the plan. Without a warehouse nothing is gathered. */
export async function refusalsOf(
  reader: WarehouseReader | undefined,
  { byName }: Pick<Project, 'byName'>,
  { assets, steps, environment }: Plan,
): Promise<readonly Refusal[]> {
  if (reader === undefined) return []
  const fetched = new Set(stepsOf(steps, 'fetch').map(({ asset }) => asset))
  const refusals: Refusal[] = []
  for (const { name, gathered } of assets) {
    const asset = byName.get(name)
    if (asset === undefined || gathered === undefined) continue
    if (gathered.fate === 'refused') {
      const error = historyLost(name, gathered)
      refusals.push({ ...assetFailure(asset, error, ['ingest'], environment), facts: error.facts })
    }
    if (gathered.fate !== 'kept' || !fetched.has(name)) continue
    const error = await judgeGathered(reader, asset, gathered).then(() => undefined, asRefusal)
    if (error !== undefined)
      refusals.push({ ...assetFailure(asset, error, ['contract'], environment), facts: error.facts })
  }
  return refusals
}

function asRefusal(error: unknown): SvcError {
  if (error instanceof SvcError && error.code === 'history-lost') return error
  throw error
}
