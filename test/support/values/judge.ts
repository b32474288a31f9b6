/** Values of sources, loaded and asked back: each is the same, rejected, or warned of; all others are silent losses. */
import { withLocalReader } from '@svc/server/catalog'
import { SvcError } from '../../../cli/engine/errors.ts'
import type { FetchedSource } from '../../../cli/engine/ingest/source.ts'
import { fetchOnly, type Project } from '../../engine/ingest/fetching.ts'
import { type Family, isSame } from './same-value.ts'
import type { Store, StoredTable } from './stores.ts'

/** A column `v` of one type with these values, in rows that a column `id` numbers from 1. */
export interface ValueCase {
  readonly type: string
  readonly family: Family
  /** Each value as the source writes it, asked of the source itself. */
  readonly texts: readonly (string | null)[]
  /** The code of the error with which the whole source is refused. */
  readonly refusedAs?: string
}

export interface Counts {
  values: number
  rejected: number
  warned: number
  readonly types: Set<string>
  readonly silent: string[]
}

export function noCounts(): Counts {
  return { values: 0, rejected: 0, warned: 0, types: new Set(), silent: [] }
}

export interface Loading {
  readonly project: Project
  readonly store: Store
  readonly body: string
  readonly env?: Readonly<Record<string, string>>
}

/** What a run warns of where values are not those of the source. */
const changing = ['rounded-numbers', 'numbers-as-text', 'replaced-characters']

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
    const warnings = new Set<string>()
    const fetched = await fetchOnly(project, body, {
      env,
      engine: store.engine,
      onWarning: ({ code }) => void warnings.add(code),
    })
    const isWarned = changing.some(code => warnings.has(code))
    const { rows, types } = await store.load(fetched)
    const rejects = await rejectedRecords(fetched)
    if (rows.length !== given.texts.length - rejects.rows) counts.silent.push(`${where}: ${rows.length} rows`)
    if (given.refusedAs !== undefined) counts.silent.push(`${where}: was not refused`)
    const byId = new Map(rows.map(row => [Number(row['id']), valueIn(row, types)]))
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
        if (![raw, rawText(raw)].some(each => isSame(given.family, text, each)))
          counts.silent.push(`${where}: ${shown(text)} is kept as ${shown(raw)}`)
      } else if (isWarned) counts.warned++
      else counts.silent.push(`${where} (${types['v']}): ${shown(text)} is ${shown(found)}`)
    })
  } catch (error) {
    if (error instanceof SvcError && error.code === given.refusedAs) counts.rejected += given.texts.length
    else
      counts.silent.push(`${where}: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`)
  }
}

/** The value of `v`, whose fields have columns of their own where it is an object. */
function valueIn(row: StoredTable['rows'][number], types: StoredTable['types']): string | null {
  if ('v' in row) return row['v'] ?? null
  const fields = Object.keys(row).filter(name => name.startsWith('v__'))
  if (fields.every(name => row[name] === null)) return null
  const members = fields.map(name => {
    const isNumber = /int|decimal|numeric|double/i.test(types[name] ?? '')
    const text = row[name] ?? null
    return `${JSON.stringify(name.slice(3))}:${isNumber || text === null ? text : JSON.stringify(text)}`
  })
  return `{${members.join(',')}}`
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
    if (kind === 'value') values.set(Number(record_number), String(raw))
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
