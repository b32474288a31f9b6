/**
 * Binds assets that do not read each other, many at a time: trees, tables, columns and lineage in a few calls each.
 * What does not bind goes on to `diagnose`.
 */
import type { Asset, Column } from '../language/index.ts'
import { resolve } from '../language/lineage/lineage.ts'
import { type QueryNode, queryOf, type SqlTree } from '../language/lineage/sql-tree.ts'
import type { Binder } from './binder.ts'
import { type Bound, boundOf, nothingBound, privateTables } from './bound.ts'
import { diagnose, type KnownNames } from './diagnose.ts'
import { duplicateColumns } from './duplicate-columns.ts'
import { assetRelation, createAsSql, createSchemaSql, createTableSql, relationSql } from './relations.ts'
import { openShape, type Shape } from './shape.ts'
import { withoutEnd } from './sql-places.ts'
import { prepareStatement, type Statement, type World } from './statement.ts'

interface Job {
  readonly asset: Asset
  readonly statement: Statement
  /** The statement's SQL without semicolon and comments behind its end. */
  readonly sql: string
  readonly tree: SqlTree
}

interface SelectJob extends Job {
  readonly query: QueryNode
}

export async function bindLevel(
  binder: Binder,
  assets: readonly Asset[],
  world: World,
  names: KnownNames,
  batchSize: number,
): Promise<Map<string, Bound>> {
  const bound = new Map<string, Bound>()
  for (let start = 0; start < assets.length; start += batchSize) {
    await bindBatch(binder, assets.slice(start, start + batchSize), world, names, bound)
  }
  return bound
}

async function bindBatch(
  binder: Binder,
  assets: readonly Asset[],
  world: World,
  names: KnownNames,
  bound: Map<string, Bound>,
): Promise<void> {
  const jobs = await jobsOf(binder, assets, world)
  const selects = jobs.flatMap(job => selectJob(job) ?? [])
  const others = jobs.filter(job => queryOf(job.tree) === undefined)
  const failed = await createTables(binder, selects)
  const good = selects.filter(job => !failed.has(job))
  const columns = await binder.describe(good.map(job => relationSql(assetRelation(job.asset.name))))
  const remade: string[] = []
  for (const [index, job] of good.entries()) {
    const result = finish(job, columns[index] ?? [])
    if (!isAsBound(result.shape))
      remade.push(createTableSql(assetRelation(job.asset.name), result.shape.columns))
    bound.set(job.asset.name, result)
  }
  await binder.run(remade)
  for (const job of [...failed, ...others]) bound.set(job.asset.name, await bindBroken(binder, job, names))
}

async function jobsOf(binder: Binder, assets: readonly Asset[], world: World): Promise<Job[]> {
  const prepared = assets.flatMap(asset => {
    if (!asset.sql) return []
    const source = { asset, template: asset.sql, reader: asset.name, allowThis: false }
    const statement = prepareStatement(source, world)
    return [{ asset, statement, sql: withoutEnd(statement.sql) }]
  })
  const trees = await binder.trees(prepared.map(each => each.sql))
  return prepared.map((each, index) => ({ ...each, tree: JSON.parse(trees[index] ?? '{}') as SqlTree }))
}

function selectJob(job: Job): SelectJob | undefined {
  const query = queryOf(job.tree)
  return query && { ...job, query }
}

/** In one call; one by one again where that fails. Gives those that do not bind. */
async function createTables(binder: Binder, jobs: readonly SelectJob[]): Promise<Set<SelectJob>> {
  const schemas = [...new Set(jobs.map(job => assetRelation(job.asset.name).schema))].map(createSchemaSql)
  await binder.run(schemas)
  const statements = jobs.map(job => [...privateTables(job.statement, job.query), createStatement(job)])
  if (!(await binder.run(statements.flat()))) return new Set()
  const failed = new Set<SelectJob>()
  for (const [index, job] of jobs.entries()) {
    if (await binder.run(statements[index] ?? [])) failed.add(job)
  }
  return failed
}

function createStatement(job: SelectJob): string {
  return createAsSql(assetRelation(job.asset.name), job.sql)
}

function finish(job: SelectJob, described: readonly Column[]): Bound {
  const resolution = resolve(job.query, job.statement.lookUp)
  const names = described.map(column => column.name)
  const bound = boundOf(job.asset.name, job.statement, described, resolution)
  const duplicates = duplicateColumns(job.statement, job.query, resolution.columns, names)
  return duplicates.length === 0 ? bound : { ...bound, diagnostics: duplicates }
}

function isAsBound(shape: Shape): boolean {
  return shape.complete && shape.columns.every(column => column.type !== undefined)
}

async function bindBroken(binder: Binder, job: Job, names: KnownNames): Promise<Bound> {
  const { diagnostics, bound } = await diagnose(binder, job.asset.name, job, names)
  const shape = bound?.shape ?? openShape
  await binder.run([createTableSql(assetRelation(job.asset.name), shape.columns)])
  return { ...(bound ?? nothingBound), diagnostics }
}
