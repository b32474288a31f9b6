/** Makes queries, runs them, has them analysed, and compares: a batch at a time. */
import type { AssetAnalysis } from '@svc/server/language'
import { type Leak, leaksIn } from './find-leaks.ts'
import { type LineageLab, openLineageLab } from './lineage-lab.ts'
import { type MarkedWarehouse, type Outcome, openMarkedWarehouse } from './marked-warehouse.ts'
import { randomChoices } from './random/choices.ts'
import { type RandomQuery, randomQuery } from './random/queries.ts'
import { shrunk } from './shrink.ts'

export interface Counts {
  generated: number
  /** DuckDB takes it and it runs to its end. */
  run: number
  /** Of those: the analysis says of it what DuckDB says. */
  bound: number
  columns: number
  /** Queries whose columns were also watched while other columns had other values. */
  watched: number
  /** Of those: the result changed, and the order of rows alone may be the reason. */
  unjudged: number
  leaks: number
  crashes: number
}

export interface Finding {
  readonly kind: Leak['kind'] | 'crash'
  readonly what: string
  readonly sql: string
}

export interface FuzzTask {
  readonly seed: number
  /** Queries `from` to `to` of the seed. */
  readonly from: number
  readonly to: number
  /** Findings that are made small. */
  readonly shown: number
  /** Queries that are analysed together. */
  readonly batchSize: number
}

/** Refused queries are analysed too, now and then: what is wrong with them takes the catalogue longer to say. */
const refusedShare = 25

interface Bench {
  readonly lab: LineageLab
  readonly warehouses: readonly [MarkedWarehouse, MarkedWarehouse]
  readonly counts: Counts
  readonly report: (finding: Finding) => void
  /** How many findings are still made small. */
  toShow: number
}

interface Ran {
  readonly query: RandomQuery
  readonly drawn: readonly number[]
  readonly outcome: Outcome | undefined
}

export async function fuzzPersonal(
  task: FuzzTask,
  report: (finding: Finding) => void,
  progress: (counts: Counts) => void,
): Promise<Counts> {
  const counts: Counts = {
    generated: 0,
    run: 0,
    bound: 0,
    columns: 0,
    watched: 0,
    unjudged: 0,
    leaks: 0,
    crashes: 0,
  }
  const warehouses = [await openMarkedWarehouse(task.seed), await openMarkedWarehouse(task.seed + 1)] as const
  const lab = await openLineageLab()
  const bench: Bench = { lab, warehouses, counts, report, toShow: task.shown }
  for (let start = task.from; start < task.to; start += task.batchSize) {
    const ran: Ran[] = []
    for (let index = start; index < Math.min(task.to, start + task.batchSize); index++)
      ran.push(await runOne(bench, task.seed * 1_000_003 + index))
    await judgeBatch(
      bench,
      ran.filter(({ outcome }, index) => outcome !== undefined || index % refusedShare === 0),
    )
    progress(counts)
  }
  lab.close()
  for (const warehouse of warehouses) warehouse.close()
  return counts
}

async function runOne({ warehouses: [warehouse], counts }: Bench, seed: number): Promise<Ran> {
  const choices = randomChoices(seed)
  const query = randomQuery(choices)
  const outcome = await warehouse.run(query.sql)
  counts.generated++
  if (outcome !== undefined) counts.run++
  return { query, drawn: choices.drawn, outcome }
}

async function judgeBatch(bench: Bench, ran: readonly Ran[]): Promise<void> {
  const analyses = await analyzed(bench, ran)
  for (const [index, { query, drawn, outcome }] of ran.entries()) {
    const analysis = analyses[index]
    if (outcome === undefined || analysis === undefined || isRefused(analysis)) continue
    bench.counts.bound++
    bench.counts.columns += outcome.columns
    if (query.areRowsSteady) bench.counts.watched++
    const leaks = await leaksIn(query, analysis, outcome, bench.warehouses, () => {
      bench.counts.unjudged++
    })
    if (leaks.length === 0) continue
    bench.counts.leaks++
    await reportLeak(bench, drawn, leaks)
  }
}

/** An asset that is refused is never built: nothing can come out of it. */
function isRefused({ diagnostics }: AssetAnalysis): boolean {
  return diagnostics.some(({ severity }) => severity === 'error')
}

/** All together; where that throws one by one, to know for which. */
async function analyzed(bench: Bench, ran: readonly Ran[]): Promise<readonly (AssetAnalysis | undefined)[]> {
  try {
    return await bench.lab.analyze(ran.map(({ query }) => query.sql))
  } catch {
    const analyses: (AssetAnalysis | undefined)[] = []
    for (const { query } of ran) analyses.push(await analyzedAlone(bench, query))
    return analyses
  }
}

async function analyzedAlone({ lab, counts, report }: Bench, { sql }: RandomQuery) {
  try {
    return (await lab.analyze([sql]))[0]
  } catch (error) {
    counts.crashes++
    report({
      kind: 'crash',
      what: error instanceof Error ? (error.stack ?? error.message) : String(error),
      sql,
    })
    return undefined
  }
}

async function reportLeak(bench: Bench, drawn: readonly number[], leaks: readonly Leak[]): Promise<void> {
  if (bench.toShow <= 0) return
  bench.toShow--
  const kind = leaks[0]?.kind
  let last = leaks
  const query = await shrunk(drawn, async candidate => {
    const found = (await leaksOf(bench, candidate)).filter(leak => leak.kind === kind)
    if (found.length > 0) last = found
    return found.length > 0
  })
  const what = last.map(leak => `column ${leak.column} ${leak.what}`).join('; ')
  bench.report({ kind: kind ?? 'shown', what, sql: query.sql })
}

async function leaksOf({ lab, warehouses }: Bench, query: RandomQuery): Promise<readonly Leak[]> {
  const outcome = await warehouses[0].run(query.sql)
  if (outcome === undefined) return []
  const [analysis] = await lab.analyze([query.sql]).catch(() => [])
  return analysis === undefined || isRefused(analysis) ? [] : leaksIn(query, analysis, outcome, warehouses)
}
