/** Values of sources, loaded and asked back: each is the same, rejected, or warned of; all others are silent losses. */
import { withLocalReader } from '@svc/server/catalog'
import type { FetchedSource } from '../../../cli/engine/ingest/source.ts'
import { fetchOnly, type Project } from '../../engine/ingest/fetching.ts'
import { type Family, isSame } from './same-value.ts'
import type { Store } from './stores.ts'

/** A column `v` of one type with these values, in rows that a column `id` numbers from 1. */
export interface ValueCase {
  readonly type: string
  readonly family: Family
  /** Each value as the source writes it, asked of the source itself. */
  readonly texts: readonly (string | null)[]
}

export interface Counts {
  values: number
  rejected: number
  readonly types: Set<string>
  readonly silent: string[]
}

export function noCounts(): Counts {
  return { values: 0, rejected: 0, types: new Set(), silent: [] }
}

export interface Loading {
  readonly project: Project
  readonly store: Store
  readonly body: string
  readonly env?: Readonly<Record<string, string>>
}

/** Loads the case from the source that `body` describes, and counts what became of each of its values. */
export async function judge(
  counts: Counts,
  source: string,
  given: ValueCase,
  loading: Loading,
): Promise<void> {
  const { store, project, body, env = {} } = loading
  const where = `${source} ${given.type} → ${store.kind}`
  counts.types.add(`${source} ${given.type}`)
  counts.values += given.texts.length
  try {
    const fetched = await fetchOnly(project, body, {
      env,
      engine: store.engine,
    })
    const { rows, types } = await store.load(fetched)
    const rejects = await rejectedRecords(fetched)
    if (rows.length !== given.texts.length - rejects.rows) counts.silent.push(`${where}: ${rows.length} rows`)
    const byId = new Map(rows.map(row => [Number(row['id']), row['v'] ?? null]))
    given.texts.forEach((text, index) => {
      const found = byId.get(index + 1) ?? null
      if (isSame(given.family, text, found)) {
        if (rejects.values.has(index + 1))
          counts.silent.push(`${where}: ${shown(text)} is loaded and rejected`)
        return
      }
      const raw = rejects.values.get(index + 1)
      if (raw !== undefined && found === null) {
        counts.rejected++
        if (!isSame(given.family, text, raw))
          counts.silent.push(`${where}: ${shown(text)} is kept as ${shown(raw)}`)
      } else counts.silent.push(`${where} (${types['v']}): ${shown(text)} is ${shown(found)}`)
    })
  } catch (error) {
    counts.silent.push(`${where}: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`)
  }
}

function shown(text: string | null): string {
  return text === null ? 'NULL' : JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}

/** The raw texts of rejected values by the number of their record. */
async function rejectedRecords({ rejects }: FetchedSource) {
  const values = new Map<number, string>()
  if (rejects === undefined) return { values, rows: 0 }
  const found = await withLocalReader({}, local => local.rows(`SELECT * FROM (${rejects.sql})`))
  for (const { record_number, raw, kind } of found) {
    if (kind === 'value') values.set(Number(record_number), rawText(String(raw)))
  }
  return { values, rows: found.filter(({ kind }) => kind === 'row').length }
}

function rawText(raw: string): string {
  try {
    const value: unknown = JSON.parse(raw)
    return typeof value === 'string' ? value : raw
  } catch {
    return raw
  }
}
