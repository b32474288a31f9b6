/** Rows for people: some of those that would be sent, and those that were not taken, without personal values. */
import type { LocalReader } from '@svc/server/catalog'
import type { PublishReject } from '../state/state.ts'
import { rejectOf, type Untaken } from './acknowledge.ts'
import { sampleRows } from './difference.ts'
import type { Publishing } from './publish-asset.ts'
import type { Production } from './read-production.ts'
import type { PublishReport } from './report.ts'
import { operations } from './row-text.ts'

/** How many of each operation. */
const mostSamples = 5
const mostShown = 20
const mask = '***'

export async function samplesOf(
  local: LocalReader,
  { target }: Pick<Publishing, 'target'>,
  { door, fields, rowsPath }: Production,
): Promise<PublishReport['samples']> {
  const rows = await sampleRows({ local, fields, rowsPath, target }, mostSamples)
  return rows.flatMap(({ operation, raw }) => {
    const known = operations[operation]
    return known === undefined ? [] : [{ operation: known, row: masked(raw, door.personal) }]
  })
}

/** Returns the first of them as they may be shown. */
export function shownRejects(
  rows: readonly Untaken[],
  { attempt }: Pick<Publishing, 'attempt'>,
  { door: { personal } }: Pick<Production, 'door'>,
): readonly PublishReject[] {
  const about = { ...attempt.to, runId: attempt.runId }
  const at = attempt.startedAt.toISOString()
  return rows.slice(0, mostShown).map(({ operation, key, reason, raw }) => {
    const shown = { operation, reason, key: maskJson(key, personal), raw: maskJson(raw, personal) }
    return rejectOf(about, shown, at)
  })
}

export function masked(json: string, personal: ReadonlySet<string>): Readonly<Record<string, unknown>> {
  const row = JSON.parse(json) as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value !== null && personal.has(name) ? mask : value]),
  )
}

/** Without a personal field the text stays as it is, with every digit. */
export function maskJson(json: string, personal: ReadonlySet<string>): string {
  return personal.size === 0 ? json : JSON.stringify(masked(json, personal))
}

/** Hides personal values of a row in what a target says of it. */
export function withoutValues(reason: string, raw: string, personal: ReadonlySet<string>): string {
  if (personal.size === 0) return reason
  const row = JSON.parse(raw) as Readonly<Record<string, unknown>>
  return [...personal].reduce((text, name) => {
    const value = row[name]
    const shown = value === null || value === undefined ? '' : String(value)
    return shown.length < 2 ? text : text.replaceAll(shown, mask)
  }, reason)
}
