/**
 * Binds assets that do not read each other, many at a time: the engine gives columns and types of a batch in one call.
 * While it works on one batch, the next one is read and its names are bound. What does not bind goes on to `diagnose`.
 */
import type { Asset, Column, Diagnostic } from '../language/index.ts'
import type { BoundSql } from '../language/sql/binder/model.ts'
import type { SqlReading } from '../language/sql/tree.ts'
import { loadPatterns } from '../language/engines/duckdb/patterns.ts'
import { emptyRange } from '../language/text/range.ts'
import { type Binder, BinderLost } from './binder.ts'
import { type Bound, boundOf, nothingBound, privateTables, takeStandIns } from './bound.ts'
import { diagnose } from './diagnose/diagnose.ts'
import { findingsToDiagnostics } from './diagnose/finding.ts'
import { placedNodes } from './diagnose/tree-nodes.ts'
import type { KnownNames } from './diagnose/treatment.ts'
import { duplicateColumns } from './duplicate-columns.ts'
import { badLiterals, type Subject } from './literals/bad-literals.ts'
import { once } from './once.ts'
import { type Rendered, render } from './rendered.ts'
import { bindNames, prepareStatement, readStatement, type Statement, type World } from './statement.ts'
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
  readonly reading: SqlReading
  readonly bound: BoundSql
  /** As the engine gets it. */
  readonly rendered: Rendered
  /** The reader finds nothing wrong with it, so that it can be asked about together with others. */
  readonly isSelect: boolean
}

type Done = (asset: string, bound: Bound) => void

export async function bindLevel(bench: Bench, wanted: readonly Asset[], done: Done): Promise<void> {
  await loadPatterns(textsOf(wanted))
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
  let jobs = batches[0] && jobsOf(bench, batches[0])
  let finishLast = (): Job[] => []
  for (const [index] of batches.entries()) {
    if (bench.isAborted?.() || jobs === undefined) break
    const current = jobs
    const describing = describe(bench, current)
    // Where binding fails first, nobody waits for this one any more.
    describing.catch(() => undefined)
    const next = batches[index + 1]
    jobs = next && jobsOf(bench, next)
    const broken = finishLast()
    const columns = await describing
    const literals = await badLiteralsOf(bench, current, columns)
    await finishBroken(bench, broken, done)
    finishLast = () => finishGood(current, columns, literals, done)
  }
  await finishBroken(bench, finishLast(), done)
}

function* textsOf(assets: readonly Asset[]): Iterable<string> {
  for (const { sql } of assets) if (sql !== undefined) yield sql.text
}

/** After a loss of the instance: the statement that it is lost to next is known by name. */
async function bindAlone(bench: Bench, asset: Asset, done: Done): Promise<void> {
  const text = asset.sql?.text ?? ''
  if (bench.poison.has(text)) return done(asset.name, poisoned(asset))
  try {
    const jobs = jobsOf(bench, [asset])
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

function jobsOf(bench: Bench, assets: readonly Asset[]): Job[] {
  return assets.flatMap(asset => {
    if (!asset.sql) return []
    const source = { asset, template: asset.sql, reader: asset.name, allowThis: false }
    return [newJob(asset, prepareStatement(source, bench.world))]
  })
}

export function newJob(asset: Asset, statement: Statement): Job {
  const reading = readStatement(statement)
  const first = bindNames(statement, reading)
  const bound = takeStandIns(statement) ? bindNames(statement, reading) : first
  return {
    asset,
    statement,
    reading,
    bound,
    rendered: render(statement, bound.mends),
    isSelect: reading.problems.length === 0 && reading.statements.length === 1 && isSelect(reading),
  }
}

/** DESCRIBE and SUMMARIZE are queries, but no table can be made from them. */
function isSelect({ statements }: SqlReading): boolean {
  const kind = statements[0]?.body.kind
  return kind !== undefined && kind !== 'describe' && kind !== 'no-body'
}

/** In one call; one by one again where that fails. Undefined: does not bind. */
export async function describe(
  { binder, tables }: Bench,
  jobs: readonly Job[],
): Promise<(readonly Column[] | undefined)[]> {
  const selects = jobs.filter(job => job.isSelect)
  // Broken ones are diagnosed over the same tables.
  await tables.ensure(jobs.flatMap(job => [...job.statement.inputs.values()].map(input => input.relation)))
  await binder.run(selects.flatMap(job => privateTables(job.statement)))
  const found = await binder.bindAll(selects.map(job => job.rendered.sql))
  if (found) {
    const byJob = new Map(selects.map((job, index) => [job, found[index]]))
    return jobs.map(job => byJob.get(job))
  }
  const columns: (readonly Column[] | undefined)[] = []
  for (const job of jobs) columns.push(await describeOne(binder, job))
  return columns
}

async function describeOne(binder: Binder, job: Job): Promise<readonly Column[] | undefined> {
  if (!job.isSelect) return undefined
  await binder.run(privateTables(job.statement))
  const result = await binder.bind(job.rendered.sql)
  return 'columns' in result ? result.columns : undefined
}

/** Of those that bind. */
export async function badLiteralsOf(
  { binder }: Bench,
  jobs: readonly Job[],
  described: readonly (readonly Column[] | undefined)[],
): Promise<Map<Job, readonly Diagnostic[]>> {
  const good = jobs.filter((_, index) => described[index] !== undefined)
  const found = await badLiterals(binder, good.map(subjectOf))
  return new Map(good.map((job, index) => [job, findingsToDiagnostics(found[index] ?? [], job.statement)]))
}

/** Most statements have no literal that could be wrong: nothing is worked out for them. */
function subjectOf({ statement, reading, rendered }: Job): Subject {
  const [query] = reading.statements
  return {
    statement,
    rendered,
    mended: new Set(),
    bound: once(() => bindNames(statement, reading, true)),
    nodes: once(() => (query === undefined ? [] : placedNodes(query))),
  }
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
    if (!columns) return true
    const bound = finish(job, columns, literals.get(job) ?? [])
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

function finish(job: Job, described: readonly Column[], literals: readonly Diagnostic[]): Bound {
  const bound = boundOf(job.asset.name, job.statement, described, job.bound)
  const diagnostics = [...literals, ...duplicateColumns(job, described, bound.columns)]
  return diagnostics.length === 0 ? bound : { ...bound, diagnostics }
}

async function bindBroken({ binder, names }: Bench, job: Job): Promise<Bound> {
  const { diagnostics, bound } = await diagnose(binder, job, names)
  return { ...(bound ?? nothingBound), diagnostics }
}
