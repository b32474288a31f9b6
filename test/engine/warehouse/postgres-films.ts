/**
 * Started as a program by `scripts/postgres-films.mjs`: what readers see of many promotions, and what killed processes
 * leave. Prints the counts and ends with 1 where a reader saw a mixture or an error, or a killed process left one.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import type { PointerChange, WarehouseSession } from '../../../cli/engine/warehouse/warehouse.ts'
import { startPostgres } from '../../support/postgres.ts'
import { postgresUnderTest } from './engines.ts'
import { buildLoop, change, greenOf, liveGeneration, makeGreens, promote } from './generations.ts'

const { values: options } = parseArgs({
  options: {
    promotions: { type: 'string', default: '200' },
    views: { type: 'string', default: '50' },
    kills: { type: 'string', default: '0' },
    child: { type: 'string' },
    address: { type: 'string', default: '' },
  },
})
const views = Number(options.views)
const root = mkdtempSync(join(tmpdir(), 'svc-films-'))

function next(from: number): PointerChange {
  const whole = change(from)
  return { ...whole, views: whole.views.slice(0, views) }
}

async function open(address: string): Promise<WarehouseSession> {
  return (await postgresUnderTest().open(address, root, 'shop')).open('write')
}

async function main(): Promise<boolean> {
  if (options.child !== undefined) return act(options.child, options.address)
  const server = await startPostgres()
  try {
    const address = await server.createDatabase()
    const session = await open(address)
    await makeGreens(session)
    await promote(session, next(0))
    const isWhole = await film(session, address, Number(options.promotions))
    const isKept = await kill(session, address, Number(options.kills))
    await session.close()
    return isWhole && isKept
  } finally {
    await server.stop()
    rmSync(root, { recursive: true, force: true })
  }
}

/** Never ends by itself. */
async function act(what: string, address: string): Promise<boolean> {
  const session = await open(address)
  if (what === 'build') await buildLoop(session, say)
  for (;;) {
    await session.promotion.recover('prod')
    const to = next(await liveGeneration(session))
    await promote(session, to)
    say(`flipped ${to.toGeneration}`)
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

// ---------------------------------------------------------------- readers

/** A reader that pauses this long keeps its transaction open for long, and rests between them. */
const longMs = 100
const restMs = 2_000

interface Seen {
  reads: number
  mixed: number
  readonly errors: Map<string, number>
}

async function film(session: WarehouseSession, address: string, promotions: number): Promise<boolean> {
  if (promotions === 0) return true
  const seen: Seen = { reads: 0, mixed: 0, errors: new Map() }
  const isDone = { value: false }
  // Three in transactions of four statements, one after the other, and now and then one that stays open for half a second.
  const readers = [5, 5, 5, 120].map(pauseMs => read(address, pauseMs, seen, isDone))
  const startMs = performance.now()
  let slowestMs = 0
  for (let done = 0; done < promotions; done++) {
    const beganMs = performance.now()
    await promote(session, next(await liveGeneration(session)))
    slowestMs = Math.max(slowestMs, performance.now() - beganMs)
  }
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1)
  isDone.value = true
  await Promise.all(readers)
  const errors = [...seen.errors].map(([what, count]) => `${count} x ${what}`).join('; ')
  say(
    `${promotions} promotions of ${views} views in ${seconds} s (slowest ${(slowestMs / 1000).toFixed(1)} s), ${seen.reads} reads of all views: ${seen.mixed} mixed, ${errors === '' ? 'no error' : errors}`,
  )
  return seen.mixed === 0 && seen.errors.size === 0
}

async function read(address: string, pauseMs: number, seen: Seen, isDone: { value: boolean }): Promise<void> {
  const reader = new pg.Client(address)
  await reader.connect()
  while (!isDone.value) {
    try {
      await reader.query('BEGIN')
      for (let statement = 0; statement < 4; statement++) {
        const greens = await greensOf(reader)
        seen.reads++
        if (greens !== 1) seen.mixed++
        await pause(pauseMs)
      }
      await reader.query('COMMIT')
      if (pauseMs >= longMs) await pause(restMs)
    } catch (error) {
      const what = `${(error as { code?: string }).code} ${(error as Error).message}`
      seen.errors.set(what, (seen.errors.get(what) ?? 0) + 1)
      await reader.query('ROLLBACK')
    }
  }
  await reader.end()
}

async function greensOf(reader: pg.Client): Promise<number> {
  const parts = next(0)
    .views.map(({ view }) => `SELECT green FROM analytics.${view.name}`)
    .sort(() => Math.random() - 0.5)
  const { rows } = await reader.query(`SELECT DISTINCT green FROM (${parts.join(' UNION ALL ')}) AS seen`)
  return rows.length
}

// ---------------------------------------------------------------- kills

/** Half of the kills hit promotions while a reader holds views, half hit builds. */
async function kill(session: WarehouseSession, address: string, kills: number): Promise<boolean> {
  if (kills === 0) return true
  const watcher = new pg.Client(address)
  await watcher.connect()
  const found = { mixed: 0, lost: 0, orphans: 0 }
  const recovered = new Map<string, number>()
  const seen: Seen = { reads: 0, mixed: 0, errors: new Map() }
  const isDone = { value: false }
  const readers = [5, 100].map(pauseMs => read(address, pauseMs, seen, isDone))
  for (let done = 0; done < kills; done++) {
    const before = await liveGeneration(session)
    const told = await killed(done % 2 === 0 ? 'flip' : 'build', address, 20 + ((done * 37) % 400))
    const outcome = await session.promotion.recover('prod')
    recovered.set(outcome, (recovered.get(outcome) ?? 0) + 1)
    const generation = await liveGeneration(session)
    if (generation < Math.max(before, told)) found.lost++
    const { rows } = await watcher.query<{ green: string }>('SELECT DISTINCT green FROM analytics.v0')
    if ((await greensOf(watcher)) !== 1 || rows[0]?.green !== greenOf(generation)) found.mixed++
    if ((await session.state.runs()).length !== generation) found.lost++
    found.orphans += await orphans(session)
  }
  isDone.value = true
  await Promise.all(readers)
  await watcher.end()
  const outcomes = [...recovered].map(([outcome, count]) => `${outcome} ${count}`).join(', ')
  const errors = [...seen.errors].map(([what, count]) => `${count} x ${what}`).join('; ')
  say(
    `${kills} kills (then: ${outcomes}), ${seen.reads} reads meanwhile: ${seen.mixed + found.mixed} mixed, ${found.lost} lost, ${found.orphans} relations without record or records without relation, ${errors === '' ? 'no error of readers' : errors}`,
  )
  return seen.mixed + found.mixed + found.lost + found.orphans === 0 && seen.errors.size === 0
}

/** Returns the last generation that the child has told of. */
async function killed(what: string, address: string, afterMs: number): Promise<number> {
  const child = spawn(
    process.execPath,
    [process.argv[1] ?? '', '--child', what, '--address', address, '--views', `${views}`],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let text = ''
  child.stdout.on('data', chunk => {
    text += String(chunk)
  })
  await once(child.stdout, 'data')
  await pause(afterMs)
  child.kill('SIGKILL')
  await once(child, 'close')
  return Math.max(0, ...[...text.matchAll(/flipped (\d+)\n/g)].map(([, generation]) => Number(generation)))
}

async function orphans(session: WarehouseSession): Promise<number> {
  const recorded = new Set([...(await session.state.builds()).keys()])
  const present = new Set<string>()
  for (const [schema, relations] of await session.inventory('svc_g_b'))
    for (const { name } of relations) present.add(`${schema}.${name}`)
  return (
    [...recorded].filter(key => !present.has(key)).length +
    [...present].filter(key => !recorded.has(key)).length
  )
}

main().then(
  isGood => process.exit(isGood ? 0 : 1),
  error => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
    process.exit(1)
  },
)
