/**
 * Binds assets that do not read each other, many at a time: trees, columns and lineage in a few calls each. While the
 * binder works on one batch, the trees of the next are made and the last one is walked. What does not bind goes on
 * to `diagnose`.
 */
import type { Asset, Column } from '../language/index.ts'
import { resolve } from '../language/lineage/lineage.ts'
import { type QueryNode, queryOf, type SqlTree } from '../language/lineage/sql-tree.ts'
import type { Binder } from './binder.ts'
import { type Bound, boundOf, nothingBound, privateTables } from './bound.ts'
import { diagnose, type KnownNames } from './diagnose.ts'
import { duplicateColumns } from './duplicate-columns.ts'
import { withoutEnd } from './sql-places.ts'
import { prepareStatement, type Statement, type World } from './statement.ts'
import type { Tables } from './tables.ts'

export interface Bench {
  readonly binder: Binder
  readonly tables: Tables
  readonly world: World
  readonly names: KnownNames
  readonly batchSize: number
}

interface Job {
  readonly asset: Asset
  readonly statement: Statement
  /** The statement's SQL without semicolon and comments behind its end. */
  readonly sql: string
  readonly query: QueryNode | undefined
}

type Done = (asset: string, bound: Bound) => void

export async function bindLevel(bench: Bench, assets: readonly Asset[], done: Done): Promise<void> {
  const batches = inBatches(assets, bench.batchSize)
  let ahead = batches[0] && jobsOf(bench, batches[0])
  let finishLast = async (): Promise<void> => undefined
  for (const [index, batch] of batches.entries()) {
    const jobs = await (ahead ?? jobsOf(bench, batch))
    const next = batches[index + 1]
    ahead = next && jobsOf(bench, next)
    const described = describe(bench, jobs)
    await finishLast()
    const columns = await described
    finishLast = () => finishAll(bench, jobs, columns, done)
  }
  await finishLast()
}

function inBatches<T>(items: readonly T[], size: number): T[][] {
  const batches: T[][] = []
  for (let start = 0; start < items.length; start += size) batches.push(items.slice(start, start + size))
  return batches
}

async function jobsOf({ binder, world }: Bench, assets: readonly Asset[]): Promise<Job[]> {
  const prepared = assets.flatMap(asset => {
    if (!asset.sql) return []
    const source = { asset, template: asset.sql, reader: asset.name, allowThis: false }
    const statement = prepareStatement(source, world)
    return [{ asset, statement, sql: withoutEnd(statement.sql) }]
  })
  const trees = await binder.trees(prepared.map(each => each.sql))
  return prepared.map((each, index) => ({
    ...each,
    query: selectOf(JSON.parse(trees[index] ?? '{}') as SqlTree),
  }))
}

/** DESCRIBE and SUMMARIZE parse as queries, but no table can be made from them. */
export function selectOf(tree: SqlTree): QueryNode | undefined {
  const query = queryOf(tree)
  return query?.from_table?.type === 'SHOW_REF' ? undefined : query
}

/** In one call; one by one again where that fails. Undefined: does not bind. */
async function describe(
  { binder, tables }: Bench,
  jobs: readonly Job[],
): Promise<(readonly Column[] | undefined)[]> {
  const selects = jobs.flatMap(job => (job.query ? [{ ...job, query: job.query }] : []))
  const needed = selects.flatMap(job => [...job.statement.inputs.values()].map(input => input.relation))
  await tables.ensure(needed)
  await binder.run(selects.flatMap(job => privateTables(job.statement, job.query)))
  const found = await binder.bindAll(selects.map(job => job.sql))
  const bySql = new Map(found?.map((columns, index) => [selects[index]?.asset.name, columns]))
  if (found) return jobs.map(job => bySql.get(job.asset.name))
  const columns: (readonly Column[] | undefined)[] = []
  for (const job of jobs) columns.push(await describeOne(binder, job))
  return columns
}

async function describeOne(binder: Binder, job: Job): Promise<readonly Column[] | undefined> {
  if (!job.query) return undefined
  await binder.run(privateTables(job.statement, job.query))
  const result = await binder.bind(job.sql)
  return 'columns' in result ? result.columns : undefined
}

async function finishAll(
  bench: Bench,
  jobs: readonly Job[],
  described: readonly (readonly Column[] | undefined)[],
  done: Done,
): Promise<void> {
  for (const [index, job] of jobs.entries()) {
    const columns = described[index]
    done(
      job.asset.name,
      job.query && columns ? finish(job, job.query, columns) : await bindBroken(bench, job),
    )
  }
}

function finish(job: Job, query: QueryNode, described: readonly Column[]): Bound {
  const resolution = resolve(query, job.statement.lookUp)
  const bound = boundOf(job.asset.name, job.statement, described, resolution)
  const diagnostics = duplicateColumns(job.statement, query, described, bound.columns)
  return diagnostics.length === 0 ? bound : { ...bound, diagnostics }
}

async function bindBroken({ binder, names }: Bench, job: Job): Promise<Bound> {
  const { diagnostics, bound } = await diagnose(binder, job.asset.name, job, names)
  return { ...(bound ?? nothingBound), diagnostics }
}
