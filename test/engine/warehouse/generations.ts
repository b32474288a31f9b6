/** Promotions and builds whose wholeness anybody can check afterwards: every table says of which generation it is. */

import { initialiseState } from '../../../cli/engine/state/initialise-state.ts'
import type { BuildRecord, HistoryRecord } from '../../../cli/engine/state/state.ts'
import { insertBuild, insertHistory } from '../../../cli/engine/state/statements.ts'
import type {
  BuildTask,
  PointerChange,
  ProductionView,
  WarehouseSession,
} from '../../../cli/engine/warehouse/warehouse.ts'
import { buildAll } from './build-all.ts'

export const viewCount = 60
const at = '2026-01-02T03:04:05.678Z'

/** State tables and two green schemas, `even` and `odd`, with a table for each view. */
export async function makeGreens(session: WarehouseSession): Promise<void> {
  await initialiseState(session)
  for (const green of ['even', 'odd']) {
    await session.createSchema(`svc_g_${green}`)
    const tables = Array.from(
      { length: viewCount },
      (_, index) => `CREATE TABLE svc_g_${green}.t${index} AS SELECT '${green}' AS green, ${index} AS n`,
    )
    await session.execute(tables)
  }
}

export function greenOf(generation: number): 'even' | 'odd' {
  return generation % 2 === 0 ? 'even' : 'odd'
}

/** The promotion after `fromGeneration`, with its history row. */
export function change(
  session: WarehouseSession,
  fromGeneration: number,
  parts: Partial<PointerChange> = {},
): PointerChange {
  const toGeneration = fromGeneration + 1
  const runId = `run${toGeneration}`
  const green = `svc_g_${greenOf(toGeneration)}`
  const views = Array.from(
    { length: viewCount },
    (_, index): ProductionView => ({
      view: { schema: 'analytics', name: `v${index}` },
      target: { schema: green, name: `t${index}` },
      columns: [
        { name: 'green', type: 'VARCHAR' },
        { name: 'n', type: 'INTEGER' },
      ],
      description: undefined,
    }),
  )
  const statements = insertHistory(session.dialect, historyRecord(runId, toGeneration))
  return { environment: 'prod', runId, fromGeneration, toGeneration, views, drops: [], statements, ...parts }
}

export async function promote(session: WarehouseSession, change: PointerChange): Promise<void> {
  await session.promotion.prepare(change)
  await session.promotion.flip(change)
  await session.promotion.settle(change)
}

export async function liveGeneration(session: WarehouseSession): Promise<number> {
  const [row] = await session.query<{ generation: number }>(
    "SELECT max(generation) AS generation FROM svc.svc_live WHERE environment = 'prod'",
  )
  return row?.generation ?? 0
}

/** One statement over several views, so that it sees one moment. */
export async function greensSeen(session: WarehouseSession): Promise<string[]> {
  const views = [0, 1, viewCount >> 1, viewCount - 2, viewCount - 1]
  const parts = views.map(index => `SELECT green FROM analytics.v${index}`)
  const rows = await session.query<{ green: string }>(parts.join(' UNION ALL '))
  return [...new Set(rows.map(({ green }) => green))]
}

/** Promotes for ever; says so after each. */
export async function flipLoop(session: WarehouseSession, say: (line: string) => void): Promise<void> {
  for (;;) {
    const next = change(session, await liveGeneration(session))
    await promote(session, next)
    say(`flipped ${next.toGeneration}`)
  }
}

/** Builds small tables for ever, each with its record in `svc_builds`. */
export async function buildLoop(session: WarehouseSession, say: (line: string) => void): Promise<void> {
  const [row] = await session.query<{ built: number }>('SELECT count(*) AS built FROM svc.svc_builds')
  let next = row?.built ?? 0
  const schema = `svc_g_b${next}`
  await session.createSchema(schema)
  const task = (): BuildTask => {
    next += 1
    const name = `t${next}`
    return { id: `${schema}.${name}`, target: { schema, name }, kind: 'table', sql: `SELECT ${next} AS n` }
  }
  await buildAll(session, [task(), task(), task(), task()], {
    concurrency: 2,
    record: ({ target }) => insertBuild(session.dialect, buildRecord(target.schema, target.name)),
    onEnd: ({ id }, outcome) => say(outcome.ok ? `built ${id}` : `failed ${id}: ${String(outcome.error)}`),
    next: () => [task()],
  })
}

export function historyRecord(runId: string, generation: number | null): HistoryRecord {
  return {
    run_id: runId,
    environment: 'prod',
    kind: 'run',
    selector: null,
    status: 'deployed',
    started_at: at,
    finished_at: at,
    generation,
    from_generation: (generation ?? 1) - 1,
    assets: [],
    error: null,
  }
}

export function buildRecord(schema: string, name: string): BuildRecord {
  return {
    build_key: `${schema}.${name}`,
    asset: name,
    part: 'model',
    kind: 'table',
    definition_hash: 'd',
    relation: { schema, name },
    children: {},
    columns: [{ name: 'n', type: 'INTEGER' }],
    rows: 1,
    run_id: 'run1',
    created_at: at,
    seconds: 0.1,
    pins: [],
    load_id: null,
    sql: null,
    deploy_schema: null,
  }
}
