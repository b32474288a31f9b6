/**
 * Binds assets that do not read each other, many at a time: trees, columns and lineage in a few calls each. While the
 * binder works on one batch, the trees of the next are made and the last one is walked. What does not bind goes on
 * to `diagnose`.
 */
import type { Asset, Column, Diagnostic } from '../language/index.ts'
import { resolve } from '../language/lineage/lineage.ts'
import { type QueryNode, queryOf, type SqlTree } from '../language/lineage/sql-tree.ts'
import { emptyRange } from '../language/text/range.ts'
import { type Binder, BinderLost } from './binder.ts'
import { type Bound, boundOf, nothingBound, privateTables } from './bound.ts'
import { diagnose, type KnownNames } from './diagnose.ts'
import { duplicateColumns } from './duplicate-columns.ts'
import { findingsToDiagnostics } from './findings.ts'
import { badLiterals } from './literals/bad-literals.ts'
import { withoutEnd } from './sql-places.ts'
import { prepareStatement, type Statement, type World } from './statement.ts'
import type { Tables } from './tables.ts'
import { isTooLarge, tooLarge } from './too-large.ts'

export interface Bench {
  readonly binder: Binder
  readonly tables: Tables
  readonly world: World
  readonly names: KnownNames
  readonly batchSize: number
  /** SQL that DuckDB did not survive: it is passed over. */
  readonly poison: ReadonlySet<string>
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
  const assets = wanted.filter(asset => {
    const { sql } = asset
    if (sql === undefined || !isTooLarge(sql)) return true
    done(asset.name, { ...nothingBound, diagnostics: [tooLarge(asset, sql)] })
    return false
  })
  if (bench.batchSize === 1) {
    for (const asset of assets) if (!bench.isAborted?.()) await bindAlone(bench, asset, done)
    return
  }
  const batches = inBatches(assets, bench.batchSize)
  let ahead = batches[0] && jobsOf(bench, batches[0])
  let finishLast = (): Job[] => []
  for (const [index, batch] of batches.entries()) {
    if (bench.isAborted?.()) break
    const jobs = await (ahead ?? jobsOf(bench, batch))
    const next = batches[index + 1]
    ahead = next && jobsOf(bench, next)
    // Where binding fails first, nobody waits for this one any more.
    ahead?.catch(() => undefined)
    const describing = describe(bench, jobs)
    const broken = finishLast()
    const columns = await describing
    const literals = await badLiteralsOf(bench, jobs, columns)
    await finishBroken(bench, broken, done)
    finishLast = () => finishGood(jobs, columns, literals, done)
  }
  await finishBroken(bench, finishLast(), done)
}

/** After a loss of the instance: the statement that it is lost to next is known by name. */
async function bindAlone(bench: Bench, asset: Asset, done: Done): Promise<void> {
  const text = asset.sql?.text ?? ''
  if (bench.poison.has(text)) return done(asset.name, poisoned(asset))
  try {
    const jobs = await jobsOf(bench, [asset])
    const columns = await describe(bench, jobs)
    const broken = finishGood(jobs, columns, await badLiteralsOf(bench, jobs, columns), done)
    await finishBroken(bench, broken, done)
  } catch (error) {
    if (error instanceof BinderLost) error.sql = text
    throw error
  }
}

function poisoned(asset: Asset): Bound {
  const range =
    asset.sql?.toFile.rangeToOriginal({ start: 0, end: asset.sql.text.trimEnd().length }) ?? emptyRange
  const message = 'DuckDB fails on this SQL'
  const hint = 'It is an error inside DuckDB; write the statement in another way.'
  return {
    ...nothingBound,
    diagnostics: [{ code: 'sql-other', severity: 'error', message, hint, path: asset.path, range }],
  }
}

export function inBatches<T>(items: readonly T[], size: number): T[][] {
  const batches: T[][] = []
  for (let start = 0; start < items.length; start += size) batches.push(items.slice(start, start + size))
  return batches
}

function jobsOf(bench: Bench, assets: readonly Asset[]): Promise<Job[]> {
  const prepared = assets.flatMap(asset => {
    if (!asset.sql) return []
    const source = { asset, template: asset.sql, reader: asset.name, allowThis: false }
    return [{ asset, statement: prepareStatement(source, bench.world) }]
  })
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
