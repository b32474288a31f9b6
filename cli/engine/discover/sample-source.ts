/** What the first records of a source show: columns with their types, which are a key, and which are personal. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { quoteName, withLocalReader } from '@svc/server/catalog'
import { type Asset, type Engine, internalName, isPointInTime } from '@svc/server/language'
import {
  type DetectedPages,
  type FetchContext,
  type FetchedSource,
  nothingPersonal,
} from '../ingest/source.ts'
import { sourceFor } from '../ingest/source-for.ts'
import { hasPersonalName, looksPersonalSql } from './personal-columns.ts'

export interface SampledColumn {
  readonly name: string
  /** The name at the source, with dots for what is inside a record. */
  readonly from: string
  /** Undefined if all values are NULL, so that nothing is known. */
  readonly type: string | undefined
  /** Whether all values are there and no two are equal. */
  readonly isKey: boolean
  readonly isPersonal: boolean
  /** What its values are, for a column of times that has some. */
  readonly times?: SampledTimes
}

/** As texts that the warehouse writes. */
export interface SampledTimes {
  readonly lowest: string
  readonly middle: string
  readonly isComplete: boolean
}

export interface SampledSource {
  readonly columns: readonly SampledColumn[]
  readonly rows: number
  /** The lists inside a record, by the names of their tables. */
  readonly children: readonly string[]
  readonly pages: DetectedPages | undefined
}

type Surroundings = Pick<FetchContext, 'env' | 'now' | 'signal' | 'root'> & { readonly engine: Engine }

export async function sampleSource(asset: Asset, surroundings: Surroundings): Promise<SampledSource> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-discover-'))
  const spoolFolder = join(folder, 'source')
  await mkdir(spoolFolder, { mode: 0o700 })
  let pages: DetectedPages | undefined
  try {
    const source = await sourceFor(asset.definition.ingest)
    if (source.sample === undefined) throw new Error('a source of this kind is not discovered')
    const fetched = await source.sample({
      ...surroundings,
      asset,
      // Nobody has said anything of its columns yet.
      personal: nothingPersonal,
      spoolFolder,
      previous: undefined,
      onProgress: () => undefined,
      onDetected: found => {
        pages = found
      },
    })
    return { ...(await measured(asset.name, fetched, surroundings.engine, folder)), pages }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function measured(
  asset: string,
  { tables, rows }: FetchedSource,
  { types }: Engine,
  temporaryFolder: string,
): Promise<Omit<SampledSource, 'pages'>> {
  const [root, ...children] = tables
  if (root === undefined) return { columns: [], rows, children: [] }
  const own = root.shape.columns.filter(({ system }) => !system)
  const measures = own.flatMap(({ name, type }, index) => [
    `count(${quoteName(name)}) AS ${internalName(`given_${index}`)}`,
    `count(DISTINCT CAST(${quoteName(name)} AS VARCHAR)) AS ${internalName(`different_${index}`)}`,
    `${looksPersonalSql(name)} AS ${internalName(`personal_${index}`)}`,
    ...(isPointInTime(types.family(types.parse(type ?? ''))) ? timesSql(name, index) : []),
  ])
  const sql = `SELECT count(*) AS ${internalName('all')}, ${measures.join(', ')} FROM (${root.sql}) AS ${internalName('sampled')}`
  const [row = {}] = await withLocalReader({ temporaryFolder }, local => local.rows(sql))
  const columns = own.map(({ name, path, type }, index): SampledColumn => {
    const given = Number(row[internalName(`given_${index}`)])
    const isComplete = given > 0 && given === Number(row[internalName('all')])
    return {
      name,
      from: path.join('.'),
      type: given === 0 && rows > 0 ? undefined : type,
      isKey: isComplete && given === Number(row[internalName(`different_${index}`)]),
      isPersonal: row[internalName(`personal_${index}`)] === true || hasPersonalName(name, asset),
      ...timesOf(row, index, isComplete),
    }
  })
  return { columns, rows, children: children.flatMap(({ shape }) => shape.child ?? []) }
}

function timesSql(column: string, index: number): readonly string[] {
  const name = quoteName(column)
  return [
    `CAST(min(${name}) AS VARCHAR) AS ${internalName(`lowest_${index}`)}`,
    `CAST(quantile_disc(${name}, 0.5) AS VARCHAR) AS ${internalName(`middle_${index}`)}`,
  ]
}

function timesOf(
  row: Readonly<Record<string, unknown>>,
  index: number,
  isComplete: boolean,
): Pick<SampledColumn, 'times'> {
  const lowest = row[internalName(`lowest_${index}`)]
  const middle = row[internalName(`middle_${index}`)]
  if (typeof lowest !== 'string' || typeof middle !== 'string') return {}
  return { times: { lowest, middle, isComplete } }
}
