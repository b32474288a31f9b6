/** A process that works as a run does, from a load to a settled promotion, and is killed at the statement that it is told. */
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { insertBuild } from '../../../../cli/engine/state/changes.ts'
import type { BuildTask, WarehouseSession } from '../../../../cli/engine/warehouse/warehouse.ts'
import { buildAll } from '../build-all.ts'
import { buildRecord, liveGeneration, promote } from '../generations.ts'
import { type Death, dieAt } from './dying.ts'
import { next } from './readers.ts'

/** What it is told on its first line: where it dies, and the number of its schema. */
export interface Order extends Death {
  readonly number: number
}

export const modelsInRun = 3

/** Says `ready`, waits for its order, and says `pointing` where readers stand in the way and `survived` if it lives. */
export async function act(session: WarehouseSession, views: number): Promise<void> {
  const lines = createInterface({ input: process.stdin })
  say('ready')
  const [line] = (await once(lines, 'line')) as [string]
  const { number, ...death } = JSON.parse(line) as Order
  dieAt(death, () => say('pointing'))
  await run(session, `svc_g_b${number}`, views)
  say('survived')
}

async function run(session: WarehouseSession, schema: string, views: number): Promise<void> {
  await session.promotion.recover('prod', () => {})
  await session.createSchema(schema)
  const target = (name: string) => ({ schema, name })
  const raw: BuildTask = {
    id: 'raw',
    target: target('raw'),
    kind: 'load',
    sql: 'SELECT range AS n FROM range(2000)',
    columns: [{ name: 'n', type: 'BIGINT' }],
  }
  const models = Array.from(
    { length: modelsInRun },
    (_, index): BuildTask => ({
      id: `m${index}`,
      target: target(`m${index}`),
      kind: 'table',
      sql: `SELECT n, n + ${index} AS more FROM ${schema}.raw`,
    }),
  )
  await buildAll(session, [raw], {
    concurrency: 1,
    record: task => insertBuild(buildRecord(task.target.schema, task.target.name)),
    onEnd({ id }, outcome) {
      if (!outcome.ok) throw new Error(`${id} failed: ${String(outcome.error)}`)
    },
    next: ({ id }) => (id === 'raw' ? models : []),
  })
  await session.query(`-- test\nSELECT count(*) FROM ${schema}.m0 WHERE n IS NULL`)
  await promote(session, next(await liveGeneration(session), views))
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
