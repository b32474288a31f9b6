/**
 * Binds assets that do not read each other, many at a time: the engine gives columns and types of a batch in one call.
 * While it works on one batch, the next one is read and its names are bound. What does not bind goes on to `diagnose`.
 */

import type { Asset, Column, Diagnostic, SqlTemplate } from '../language/index.ts'
import { once } from '../language/once.ts'
import type { BoundSql, Outside } from '../language/sql/binder/model.ts'
import { outsideReads } from '../language/sql/outside-reads.ts'
import type { SqlReading } from '../language/sql/tree.ts'
import type { Binder } from './binder.ts'
import { type Bound, boundOf, nothingBound, privateTables, takeStandIns } from './bound.ts'
import { diagnose } from './diagnose/diagnose.ts'
import { findingsToDiagnostics } from './diagnose/finding.ts'
import type { KnownNames } from './diagnose/treatment.ts'
import { placedNodes } from './diagnose/tree-nodes.ts'
import { attempt, attemptAgain, type Guard } from './guard.ts'
import { heavyExpression } from './heavy-sql.ts'
import { isRefusedForNames } from './is-refused.ts'
import { badLiterals, type Subject } from './literals/bad-literals.ts'
import { mayHaveSpots } from './literals/spots.ts'
import { outputNames } from './output-names.ts'
import { readingOf } from './read-ahead.ts'
import { type Rendered, render } from './rendered.ts'
import { sideBySide } from './side-by-side.ts'
import { bindNames, prepareStatement, readStatement, type Statement, type World } from './statement.ts'
import type { Tables } from './tables.ts'
import { type Loss, lossDiagnostic } from './too-expensive.ts'
import { firstLine, isTooLarge, tooLarge } from './too-large.ts'

export interface BindContext {
  readonly binder: Binder
  readonly tables: Tables
  readonly world: World
  readonly names: KnownNames
  readonly batchSize: number
  readonly guard: Guard
  /** True once the caller has cancelled: batches that have begun are finished, and no others are started. */
  readonly isAborted?: () => boolean
}

export interface Job {
  readonly asset: Asset
  readonly statement: Statement
  readonly reading: SqlReading
  readonly bound: BoundSql
  /** Its reads and deeds beside its tags, which no engine would refuse. */
  readonly outside: readonly Outside[]
  /** The statement as the engine gets it. */
  readonly rendered: Rendered
  /** The text parses as one SELECT, so it can be bound in one call with others. */
  readonly isSelect: boolean
  /** Reads another text in the place of this one. */
  readonly withTemplate: (template: SqlTemplate) => Job
}

type Done = (asset: string, bound: Bound) => void

export async function bindLevel(context: BindContext, wanted: readonly Asset[], done: Done): Promise<void> {
  await context.world.engine.loadPatterns(textsOf(wanted))
  const bound = new Set<string>()
  const note: Done = (name, result) => {
    bound.add(name)
    done(name, result)
  }
  let waiting = wanted.filter(asset => !isRefused(context, asset, note))
  while (waiting.length > 0 && !context.isAborted?.()) {
    const stop = await bindBatches(context, waiting, note)
    if (stop === undefined) return
    // One of the batches that had begun went over a limit. Each of their assets is bound alone, which finds
    // the one.
    const suspects = waiting.slice(0, stop.begun).filter(({ name, sql }) => sql && !bound.has(name))
    const [only] = suspects
    if (suspects.length === 1 && only !== undefined && stop.loss !== 'ended')
      blame(context, only, stop.loss, note)
    else for (const asset of suspects) if (!context.isAborted?.()) await bindAlone(context, asset, note)
    waiting = waiting.slice(stop.begun)
  }
}

function* textsOf(assets: readonly Asset[]): Iterable<string> {
  for (const { sql } of assets) if (sql !== undefined) yield sql.text
}

function isRefused(context: BindContext, asset: Asset, done: Done): boolean {
  const { sql } = asset
  if (sql === undefined) return false
  if (isTooLarge(sql, context.guard.limits)) {
    done(asset.name, { ...nothingBound, diagnostics: [tooLarge(asset, sql, context.guard.limits)] })
    return true
  }
  const { guard } = context
  const loss = guard.hasLosses ? guard.lossOf(transformOf(context, asset, sql)) : undefined
  if (loss === undefined) return false
  done(asset.name, lostBound(context, asset, sql, loss))
  return true
}

/**
 * Returns undefined when all are bound or the caller has cancelled, and otherwise how the database was lost.
 * `begun`: the number of batches that had begun when the database was lost.
 */
async function bindBatches(context: BindContext, assets: readonly Asset[], done: Done) {
  let begun = 0
  const ended = await attempt(context.guard, () =>
    sideBySide(inBatches(assets, context.batchSize), batchesAtATime, async batch => {
      if (context.isAborted?.()) return
      begun += batch.length
      await bindBatch(context, batch, done)
    }),
  )
  return 'loss' in ended ? { begun, loss: ended.loss } : undefined
}

/**
 * While the engine binds one batch, the next one is read and the results of the one before are put together.
 */
const batchesAtATime = 3

async function bindBatch(context: BindContext, assets: readonly Asset[], done: Done): Promise<void> {
  const jobs = jobsOf(context, assets)
  const columns = await describe(context, jobs)
  await planHeavy(context, jobs, columns)
  const broken = finishGood(jobs, columns, await badLiteralsOf(context, jobs, columns), done)
  await finishBroken(context, broken, done)
}

async function planHeavy(
  { binder }: BindContext,
  jobs: readonly Job[],
  described: readonly (readonly Column[] | undefined)[],
): Promise<void> {
  for (const [index, { reading, rendered }] of jobs.entries())
    if (described[index] !== undefined && heavyExpression(reading) !== undefined)
      await binder.plan(rendered.sql)
}

/** Binds one asset in a batch of its own: if the database is lost now, this asset is the cause. */
async function bindAlone(context: BindContext, asset: Asset, done: Done): Promise<void> {
  const ended = await attemptAgain(context.guard, () => bindBatch(context, [asset], done))
  if ('loss' in ended) blame(context, asset, ended.loss, done)
}

function blame(context: BindContext, asset: Asset, loss: Loss, done: Done): void {
  const { sql } = asset
  if (sql === undefined) return
  context.guard.remember(transformOf(context, asset, sql), loss)
  done(asset.name, lostBound(context, asset, sql, loss))
}

function transformOf({ world }: BindContext, asset: Asset, template: SqlTemplate): Statement {
  return prepareStatement({ asset, template, reader: asset.name, allowThis: false }, world)
}

function lostBound({ guard }: BindContext, asset: Asset, template: SqlTemplate, loss: Loss): Bound {
  const heavy = heavyExpression(readingOf(template, guard.engine))
  const range = heavy === undefined ? firstLine(template) : template.toFile.rangeToOriginal(heavy.expression)
  return { ...nothingBound, diagnostics: [lossDiagnostic(asset, range, loss, guard, heavy?.parts)] }
}

export function inBatches<T>(items: readonly T[], size: number): T[][] {
  const batches: T[][] = []
  for (let start = 0; start < items.length; start += size) batches.push(items.slice(start, start + size))
  return batches
}

function jobsOf(context: BindContext, assets: readonly Asset[]): Job[] {
  return assets.flatMap(asset =>
    asset.sql === undefined ? [] : [newJob(asset, transformOf(context, asset, asset.sql))],
  )
}

export function newJob(asset: Asset, statement: Statement): Job {
  const reading = readStatement(statement)
  // The operands beside literals are read from the same binding.
  const trace = mayHaveSpots(statement.template.text)
  const first = bindNames(statement, reading, trace)
  const bound = takeStandIns(statement) ? bindNames(statement, reading, trace) : first
  return {
    asset,
    statement,
    reading,
    bound,
    outside: outsideReads(reading, bound, statement.engine),
    rendered: render(statement, bound.repairs),
    isSelect: reading.problems.length === 0 && reading.statements.length === 1 && isSelect(reading),
    withTemplate: template => newJob(asset, statement.withTemplate(template)),
  }
}

/** Tells a SELECT from DESCRIBE and SUMMARIZE, which are queries too, but no table can be made from them. */
function isSelect({ statements }: SqlReading): boolean {
  const kind = statements[0]?.body.kind
  return kind !== undefined && kind !== 'describe' && kind !== 'no-body'
}

/**
 * Returns the columns of each query; undefined where one does not bind. Those that are likely to bind go into
 * one call. The others are bound one by one, and so are all if that call fails.
 */
export async function describe(
  { binder, tables }: BindContext,
  jobs: readonly Job[],
): Promise<(readonly Column[] | undefined)[]> {
  const selects = jobs.filter(isLikelyGood)
  // Broken statements are diagnosed over the same tables, so those are made for all.
  const read = jobs.flatMap(job => [...job.statement.inputs.values()].map(input => input.relation))
  // The calls are queued together: the engine works them off one by one without waiting for this process.
  const [, , found] = await Promise.all([
    tables.ensure(read),
    binder.run(selects.flatMap(job => privateTables(job.statement))),
    binder.bindAll(selects.map(job => job.rendered.sql)),
  ])
  const byJob = new Map(selects.map((job, index) => [job, found?.[index]]))
  const columns = jobs.map(job => byJob.get(job))
  const others = [...jobs.entries()].filter(([, job]) => found === undefined || !isLikelyGood(job))
  await sideBySide(others, atATime, async ([index, job]) => {
    columns[index] = await describeOne(binder, job)
  })
  return columns
}

/** The number of statements that are prepared at a time while the engine works on one of them. */
export const atATime = 4

function isLikelyGood({ isSelect, bound, outside }: Job): boolean {
  return isSelect && bound.problems.length === 0 && outside.length === 0
}

async function describeOne(binder: Binder, job: Job): Promise<readonly Column[] | undefined> {
  if (!job.isSelect || job.outside.length > 0) return undefined
  await binder.run(privateTables(job.statement))
  if (await isRefusedForNames(binder, job)) return undefined
  const result = await binder.bind(job.rendered.sql)
  return 'columns' in result ? result.columns : undefined
}

/** Returns diagnostics for the bad literals in the statements that bind. */
export async function badLiteralsOf(
  { binder }: BindContext,
  jobs: readonly Job[],
  described: readonly (readonly Column[] | undefined)[],
): Promise<Map<Job, readonly Diagnostic[]>> {
  const good = jobs.filter((_, index) => described[index] !== undefined)
  const found = await badLiterals(binder, good.map(subjectOf))
  return new Map(good.map((job, index) => [job, findingsToDiagnostics(found[index] ?? [], job.statement)]))
}

/** Most statements have no literal that could be wrong: nothing is worked out for them. */
function subjectOf({ statement, reading, rendered, bound }: Job): Subject {
  const [query] = reading.statements
  const isOpen = [...statement.inputs.values()].some(({ asked }) => asked.size > 0)
  return {
    statement,
    rendered,
    repaired: new Set(),
    // A column that was requested of an input that is not fully known counts as its column only after that.
    bound: isOpen ? once(() => bindNames(statement, reading, true)) : () => bound,
    nodes: once(() => (query === undefined ? [] : placedNodes(query))),
  }
}

/** Records the results of the statements that bind and returns the others. */
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

async function finishBroken(context: BindContext, jobs: readonly Job[], done: Done): Promise<void> {
  await sideBySide(jobs, atATime, async job =>
    done(job.asset.name, withThis(job.asset, await bindBroken(context, job))),
  )
}

/** Reports `{{ this }}` in a transform, which cannot read the table that it makes. */
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
  const diagnostics = [...literals, ...outputNames(job, described)]
  return diagnostics.length === 0 ? bound : { ...bound, diagnostics }
}

async function bindBroken({ binder, names }: BindContext, job: Job): Promise<Bound> {
  const { diagnostics, bound } = await diagnose(binder, job, names)
  return { ...(bound ?? nothingBound), diagnostics }
}
