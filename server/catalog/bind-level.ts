/**
 * Binds assets that do not read each other, many at a time: trees, columns and lineage in a few calls each. While the
 * binder works on one batch, the trees of the next are made and the last one is walked. What does not bind goes on
 * to `diagnose`.
 */
import type { Asset, Column, Diagnostic, SqlTemplate } from '../language/index.ts'
import { resolve } from '../language/lineage/lineage.ts'
import { type QueryNode, queryOf, type SqlTree } from '../language/lineage/sql-tree.ts'
import type { Binder } from './binder.ts'
import { type Bound, boundOf, nothingBound, privateTables } from './bound.ts'
import { diagnose, type KnownNames } from './diagnose.ts'
import { duplicateColumns } from './duplicate-columns.ts'
import { findingsToDiagnostics } from './findings.ts'
import type { Guard } from './guard.ts'
import { BinderLost } from './limits.ts'
import { badLiterals } from './literals/bad-literals.ts'
import { withoutEnd } from './sql-places.ts'
import { prepareStatement, type Statement, type World } from './statement.ts'
import type { Tables } from './tables.ts'
import { type Loss, lossDiagnostic } from './too-expensive.ts'
import { firstLine, isTooLarge, tooLarge } from './too-large.ts'

export interface Bench {
  readonly binder: Binder
  readonly tables: Tables
  readonly world: World
  readonly names: KnownNames
  readonly batchSize: number
  readonly guard: Guard
  /** Nobody waits for the rest any more: what is begun is finished. */
  readonly isAborted?: () => boolean
}

export interface Job {
  readonly asset: Asset
  readonly statement: Statement
  /** The statement's SQL without semicolon and comments behind its end. */
  readonly sql: string
  readonly query: QueryNode | undefined
}

type Done = (asset: string, bound: Bound) => void

export async function bindLevel(bench: Bench, wanted: readonly Asset[], done: Done): Promise<void> {
  const bound = new Set<string>()
  const note: Done = (name, result) => {
    bound.add(name)
    done(name, result)
  }
  let waiting = wanted.filter(asset => !isRefused(bench, asset, note))
  while (waiting.length > 0 && !bench.isAborted?.()) {
    const stop = await bindBatches(bench, waiting, note)
    if (stop === undefined) return
    // One of those that were begun went over a limit. Each alone takes little, and the one shows itself.
    const suspects = waiting.slice(0, stop.begun).filter(({ name, sql }) => sql && !bound.has(name))
    const [only] = suspects
    if (suspects.length === 1 && only !== undefined) blame(bench, only, stop.loss, note)
    else for (const asset of suspects) if (!bench.isAborted?.()) await bindAlone(bench, asset, note)
    waiting = waiting.slice(stop.begun)
  }
}

function isRefused(bench: Bench, asset: Asset, done: Done): boolean {
  const { sql } = asset
  if (sql === undefined) return false
  if (isTooLarge(sql)) {
    done(asset.name, { ...nothingBound, diagnostics: [tooLarge(asset, sql)] })
    return true
  }
  const { guard } = bench
  const loss = guard.hasLosses ? guard.lossOf(transformOf(bench, asset, sql)) : undefined
  if (loss === undefined) return false
  done(asset.name, lostBound(bench, asset, sql, loss))
  return true
}

interface Stop {
  /** So many of the assets had been begun. */
  readonly begun: number
  readonly loss: Loss
}

/** Undefined: all are bound, or nobody waits any more. Else the database was lost. */
async function bindBatches(bench: Bench, assets: readonly Asset[], done: Done): Promise<Stop | undefined> {
  const batches = inBatches(assets, bench.batchSize)
  let begun = 0
  const jobsAhead = (index: number) => {
    const batch = batches[index]
    if (batch === undefined) return undefined
    begun += batch.length
    const jobs = jobsOf(bench, batch)
    // Where binding fails first, nobody waits for this one any more.
    jobs.catch(() => undefined)
    return jobs
  }
  try {
    let ahead = jobsAhead(0)
    let finishLast = (): Job[] => []
    for (let index = 0; ahead !== undefined && !bench.isAborted?.(); index++) {
      const jobs: Job[] = await ahead
      ahead = jobsAhead(index + 1)
      const describing = describe(bench, jobs)
      const broken = finishLast()
      const columns = await describing
      const literals = await badLiteralsOf(bench, jobs, columns)
      await finishBroken(bench, broken, done)
      finishLast = () => finishGood(jobs, columns, literals, done)
    }
    await finishBroken(bench, finishLast(), done)
    return undefined
  } catch (error) {
    if (!(error instanceof BinderLost)) throw error
    bench.guard.recover()
    return { begun, loss: error.reason }
  }
}

/** What is lost now is lost to this one. */
async function bindAlone(bench: Bench, asset: Asset, done: Done): Promise<void> {
  try {
    const jobs = await jobsOf(bench, [asset])
    const columns = await describe(bench, jobs)
    const broken = finishGood(jobs, columns, await badLiteralsOf(bench, jobs, columns), done)
    await finishBroken(bench, broken, done)
  } catch (error) {
    if (!(error instanceof BinderLost)) throw error
    bench.guard.recover()
    blame(bench, asset, error.reason, done)
  }
}

function blame(bench: Bench, asset: Asset, loss: Loss, done: Done): void {
  const { sql } = asset
  if (sql === undefined) return
  bench.guard.remember(transformOf(bench, asset, sql), loss)
  done(asset.name, lostBound(bench, asset, sql, loss))
}

function transformOf({ world }: Bench, asset: Asset, template: SqlTemplate): Statement {
  return prepareStatement({ asset, template, reader: asset.name, allowThis: false }, world)
}

function lostBound({ guard }: Bench, asset: Asset, template: SqlTemplate, loss: Loss): Bound {
  return { ...nothingBound, diagnostics: [lossDiagnostic(asset, firstLine(template), loss, guard.limits)] }
}

export function inBatches<T>(items: readonly T[], size: number): T[][] {
  const batches: T[][] = []
  for (let start = 0; start < items.length; start += size) batches.push(items.slice(start, start + size))
  return batches
}

function jobsOf(bench: Bench, assets: readonly Asset[]): Promise<Job[]> {
  const prepared = assets.flatMap(asset =>
    asset.sql === undefined ? [] : [{ asset, statement: transformOf(bench, asset, asset.sql) }],
  )
  return parsed(bench, prepared)
}

export async function parsed(
  { binder }: Pick<Bench, 'binder'>,
  prepared: readonly Pick<Job, 'asset' | 'statement'>[],
): Promise<Job[]> {
  const sqls = prepared.map(({ statement }) => withoutEnd(statement.sql))
  const trees = await binder.trees(sqls)
  return prepared.map((each, index) => {
    const query = selectOf(JSON.parse(trees[index] ?? '{}') as SqlTree)
    return { ...each, sql: sqls[index] ?? '', query }
  })
}

/** DESCRIBE and SUMMARIZE parse as queries, but no table can be made from them. */
export function selectOf(tree: SqlTree): QueryNode | undefined {
  const query = queryOf(tree)
  return query?.from_table?.type === 'SHOW_REF' ? undefined : query
}

/** In one call; one by one again where that fails. Undefined: does not bind. */
export async function describe(
  { binder, tables }: Bench,
  jobs: readonly Job[],
): Promise<(readonly Column[] | undefined)[]> {
  const selects = jobs.flatMap(job => (job.query ? [{ job, query: job.query }] : []))
  await tables.ensure(
    selects.flatMap(({ job }) => [...job.statement.inputs.values()].map(input => input.relation)),
  )
  await binder.run(selects.flatMap(({ job, query }) => privateTables(job.statement, query)))
  const found = await binder.bindAll(selects.map(({ job }) => job.sql))
  if (found) {
    const byJob = new Map(selects.map(({ job }, index) => [job, found[index]]))
    return jobs.map(job => byJob.get(job))
  }
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

/** Of those that bind. */
export async function badLiteralsOf(
  { binder }: Bench,
  jobs: readonly Job[],
  described: readonly (readonly Column[] | undefined)[],
): Promise<Map<Job, readonly Diagnostic[]>> {
  const good = jobs.flatMap((job, index) =>
    job.query && described[index] ? [{ job, subject: { ...job, query: job.query } }] : [],
  )
  const found = await badLiterals(
    binder,
    good.map(({ subject }) => subject),
  )
  return new Map(
    good.map(({ job }, index) => [job, findingsToDiagnostics(found[index] ?? [], job.statement)]),
  )
}

/** Gives back those that do not bind. */
function finishGood(
  jobs: readonly Job[],
  described: readonly (readonly Column[] | undefined)[],
  literals: ReadonlyMap<Job, readonly Diagnostic[]>,
  done: Done,
): Job[] {
  return jobs.filter((job, index) => {
    const columns = described[index]
    if (!job.query || !columns) return true
    const bound = finish(job, job.query, columns, literals.get(job) ?? [])
    done(job.asset.name, withThis(job.asset, bound))
    return false
  })
}

async function finishBroken(bench: Bench, jobs: readonly Job[], done: Done): Promise<void> {
  for (const job of jobs) done(job.asset.name, withThis(job.asset, await bindBroken(bench, job)))
}

/** A transform makes the table that `{{ this }}` stands for. */
function withThis(asset: Asset, bound: Bound): Bound {
  const tags = asset.sql?.tags.filter(tag => tag.kind === 'this') ?? []
  if (tags.length === 0) return bound
  const found = tags.map(
    (tag): Diagnostic => ({
      code: 'sql-unknown-table',
      severity: 'error',
      message: 'a transform cannot read {{ this }}, the table that it makes',
      hint: 'Read the source or another asset; {{ this }} is for the SQL of tests.',
      path: asset.path,
      range: asset.sql?.toFile.rangeToOriginal(tag.range) ?? tag.range,
    }),
  )
  return { ...bound, diagnostics: [...bound.diagnostics, ...found] }
}

function finish(
  job: Job,
  query: QueryNode,
  described: readonly Column[],
  literals: readonly Diagnostic[],
): Bound {
  const resolution = resolve(query, job.statement.lookUp)
  const bound = boundOf(job.asset.name, job.statement, described, resolution)
  const diagnostics = [...literals, ...duplicateColumns(job.statement, query, described, bound.columns)]
  return diagnostics.length === 0 ? bound : { ...bound, diagnostics }
}

async function bindBroken({ binder, names }: Bench, job: Job): Promise<Bound> {
  const { diagnostics, bound } = await diagnose(binder, job.asset.name, job, names)
  return { ...(bound ?? nothingBound), diagnostics }
}
