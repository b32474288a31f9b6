/** Kills at every step of a run, over one warehouse that is kept, under readers; each kill is looked at before the next. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import pg from 'pg'
import type { WarehouseSession } from '../../../../cli/engine/warehouse/warehouse.ts'
import { greenOf, liveGeneration } from '../generations.ts'
import { moments, type Step, steps } from './dying.ts'
import { errorsOf, greensOf, next, startReaders } from './readers.ts'
import { modelsInRun, type Order } from './victim.ts'

interface Place {
  readonly session: WarehouseSession
  readonly address: string
  readonly views: number
}

interface Tally {
  kills: number
  survived: number
  /** How often the killed promotion counted. */
  promoted: number
  /** What the next process had to do, and how often. */
  readonly recovered: Map<string, number>
}

const byPointer: ReadonlySet<Step> = new Set(['prepare', 'flip', 'land', 'settle'])

/** A thousand kills take twenty minutes. */
const progressEvery = 100

/** Returns whether nothing was lost, doubled or half seen. */
export async function kill(place: Place, kills: number): Promise<boolean> {
  const watcher = new pg.Client(place.address)
  await watcher.connect()
  const readers = startReaders(place.address, place.views, [20, 100])
  const startMs = performance.now()
  const tallies = new Map(
    steps.map(step => [step, { kills: 0, survived: 0, promoted: 0, recovered: new Map() }]),
  )
  const problems: string[] = []
  let victim = startVictim(place)
  for (let done = 0; done < kills; done++) {
    const order = orderOf(done, place.views)
    const [dying, before] = [victim, await liveGeneration(place.session)]
    victim = startVictim(place)
    const isDead = await killed(place, dying, order)
    const tally = tallies.get(order.step) as Tally
    tally.kills++
    if (!isDead) tally.survived++
    for (const problem of await lookAt(place, watcher, before, tally))
      problems.push(`${order.moment} statement ${order.nth} of ${order.step}: ${problem}`)
    if ((done + 1) % progressEvery === 0)
      console.error(`${done + 1} kills, ${problems.length} problems so far`)
  }
  victim.kill('SIGKILL')
  const seen = await readers.stop()
  await watcher.end()
  const seconds = ((performance.now() - startMs) / 1000).toFixed(0)
  console.log(
    `${kills} kills in ${seconds} s, ${seen.reads} reads meanwhile: ${seen.mixed} mixed, ${errorsOf(seen)}; ${problems.length} problems`,
  )
  for (const [step, tally] of tallies) console.log(`  ${step.padEnd(8)} ${tallyText(tally)}`)
  for (const problem of problems) console.log(`  ${problem}`)
  return problems.length + seen.mixed + seen.errors.size === 0
}

/** All steps in turn, all moments in turn, and within a step another statement each time. */
function orderOf(done: number, views: number): Order {
  const step = steps[done % steps.length] as Step
  const round = Math.floor(done / steps.length)
  const statementsOf: Readonly<Record<Step, number>> = {
    load: 1,
    build: modelsInRun,
    record: modelsInRun + 1,
    test: 1,
    promote: 1,
    commit: 1,
    prepare: views,
    flip: 1,
    land: 1,
    settle: views,
  }
  const moment = moments[round % moments.length] ?? 'before'
  return { step, moment, nth: 1 + (Math.floor(round / moments.length) % statementsOf[step]), number: done }
}

/** It opens the warehouse while the one before it is looked at, and waits for its order. */
function startVictim({ address, views }: Place) {
  const program = [process.argv[1] ?? '', '--child', '--address', address, '--views', `${views}`]
  return spawn(process.execPath, program, { stdio: ['pipe', 'pipe', 'inherit'] })
}

/** Returns whether it died of the kill. A reader holds the views until the promotion goes by pointer. */
async function killed(place: Place, victim: ReturnType<typeof startVictim>, order: Order): Promise<boolean> {
  const holder = byPointer.has(order.step) ? await hold(place) : undefined
  const ended = once(victim, 'close')
  for await (const line of createInterface({ input: victim.stdout })) {
    if (line === 'ready') victim.stdin.end(`${JSON.stringify(order)}\n`)
    if (line === 'pointing') await holder?.end()
  }
  await ended
  await holder?.end().catch(() => undefined)
  return victim.signalCode === 'SIGKILL'
}

async function hold({ address, views }: Place): Promise<pg.Client> {
  const holder = new pg.Client(address)
  await holder.connect()
  await holder.query('BEGIN')
  await greensOf(holder, views)
  return holder
}

async function lookAt(
  { session, views }: Place,
  watcher: pg.Client,
  before: number,
  tally: Tally,
): Promise<readonly string[]> {
  const problems: string[] = []
  const early = await greensOf(watcher, views)
  if (early.length !== 1) problems.push('readers see a mixture before the next process')
  const outcome = await session.promotion.recover('prod', () => {})
  tally.recovered.set(outcome, (tally.recovered.get(outcome) ?? 0) + 1)
  const generation = await liveGeneration(session)
  if (generation > before) tally.promoted++
  if (generation < before || generation > before + 1)
    problems.push(`generation ${generation} came after ${before}`)
  const greens = await greensOf(watcher, views)
  if (greens.join() !== greenOf(generation)) problems.push(`views show ${greens.join()} at ${generation}`)
  if (early.join() !== greens.join()) problems.push('the next process changed what readers see')
  const runs = (await session.state.runs()).length
  if (runs !== generation) problems.push(`${runs} records of promotions at generation ${generation}`)
  if (next(generation, views).views.length !== (await viewsIn(watcher))) problems.push('a view is lost')
  const { rows } = await watcher.query("SELECT to_regclass('svc.svc_pointed_views') AS pointed")
  if (rows[0]?.pointed != null) {
    const left = await watcher.query('SELECT 1 FROM svc.svc_pointed_views')
    if (left.rows.length > 0) problems.push(`${left.rows.length} views still look at the pointer`)
  }
  return [...problems, ...(await orphans(session))]
}

async function viewsIn(watcher: pg.Client): Promise<number> {
  const { rows } = await watcher.query("SELECT 1 FROM pg_views WHERE schemaname = 'analytics'")
  return rows.length
}

/** Tables without a record, and records without a table. */
async function orphans(session: WarehouseSession): Promise<readonly string[]> {
  const recorded = new Set((await session.state.builds()).keys())
  const present = new Set<string>()
  for (const [schema, relations] of await session.inventory('svc_g_b'))
    for (const { name } of relations) present.add(`${schema}.${name}`)
  return [
    ...[...recorded].filter(key => !present.has(key)).map(key => `${key} has a record and is not there`),
    ...[...present].filter(key => !recorded.has(key)).map(key => `${key} is there without a record`),
  ]
}

function tallyText({ kills, survived, promoted, recovered }: Tally): string {
  const outcomes = [...recovered].map(([outcome, count]) => `${outcome} ${count}`).join(', ')
  const alive = survived === 0 ? '' : `, ${survived} survived`
  return `${kills} kills${alive}, promoted ${promoted}, next process: ${outcomes}`
}
