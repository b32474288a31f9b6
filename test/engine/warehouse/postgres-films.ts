/**
 * Started as a program by `scripts/postgres-films.mjs`: what readers see of many promotions, and what killed processes
 * leave. Prints the counts and ends with 1 where a reader saw a mixture or an error, or a killed process left one.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { WarehouseSession } from '../../../cli/engine/warehouse/warehouse.ts'
import { startPostgres } from '../../support/postgres.ts'
import { postgresUnderTest } from './engines.ts'
import { kill } from './films/kills.ts'
import { errorsOf, next, startReaders } from './films/readers.ts'
import { act } from './films/victim.ts'
import { liveGeneration, makeGreens, promote } from './generations.ts'

const { values: options } = parseArgs({
  options: {
    promotions: { type: 'string', default: '200' },
    views: { type: 'string', default: '10' },
    kills: { type: 'string', default: '0' },
    child: { type: 'boolean', default: false },
    address: { type: 'string', default: '' },
  },
})
const views = Number(options.views)

async function main(): Promise<boolean> {
  const root = mkdtempSync(join(tmpdir(), 'svc-films-'))
  const open = async (address: string) =>
    (await postgresUnderTest().open(address, root, 'shop')).open('write')
  if (options.child) {
    const session = await open(options.address)
    await act(session, views)
    await session.close()
    return true
  }
  const server = await startPostgres()
  try {
    const address = await server.createDatabase()
    const session = await open(address)
    await makeGreens(session)
    await promote(session, next(0, views))
    const isWhole = await film(session, address, Number(options.promotions))
    const kills = Number(options.kills)
    const isKept = kills === 0 || (await kill({ session, address, views }, kills))
    await session.close()
    return isWhole && isKept
  } finally {
    await server.stop()
    rmSync(root, { recursive: true, force: true })
  }
}

async function film(session: WarehouseSession, address: string, promotions: number): Promise<boolean> {
  if (promotions === 0) return true
  // Three in transactions of four statements, one after the other, and now and then one that stays open for half a second.
  const readers = startReaders(address, views, [5, 5, 5, 120])
  const startMs = performance.now()
  let slowestMs = 0
  for (let done = 0; done < promotions; done++) {
    const beganMs = performance.now()
    await promote(session, next(await liveGeneration(session), views))
    slowestMs = Math.max(slowestMs, performance.now() - beganMs)
  }
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1)
  const seen = await readers.stop()
  console.log(
    `${promotions} promotions of ${views} views in ${seconds} s (slowest ${(slowestMs / 1000).toFixed(1)} s), ${seen.reads} reads of all views: ${seen.mixed} mixed, ${errorsOf(seen)}`,
  )
  return seen.mixed === 0 && seen.errors.size === 0
}

main().then(
  isGood => process.exit(isGood ? 0 : 1),
  error => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
    process.exit(1)
  },
)
