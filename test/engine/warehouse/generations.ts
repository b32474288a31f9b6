/** Promotions and builds whose wholeness anybody can check afterwards: every table says of which generation it is. */
import { insertBuild, insertHistory } from '../../../cli/engine/state/changes.ts'
import type { BuildRecord, HistoryRecord } from '../../../cli/engine/state/state.ts'
import type {
  BuildTask,
  PointerChange,
  ProductionView,
  TellPromotion,
  WarehouseSession,
} from '../../../cli/engine/warehouse/warehouse.ts'
import { buildAll } from './build-all.ts'

export const viewCount = 60
const at = '2026-01-02T03:04:05.678Z'

/** State tables and two green schemas, `even` and `odd`, with a table for each view. */
export async function makeGreens(session: WarehouseSession): Promise<void> {
  await session.state.initialise()
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
export function change(fromGeneration: number, parts: Partial<PointerChange> = {}): PointerChange {
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
  const changes = insertHistory(historyRecord(runId, toGeneration))
  return {
    environment: 'prod',
    runId,
    fromGeneration,
    toGeneration,
    views,
    drops: [],
    grants: [],
    changes,
    ...parts,
  }
}

export async function promote(
  session: WarehouseSession,
  change: PointerChange,
  tell: TellPromotion = () => {},
): Promise<void> {
  await session.promotion.prepare(change, tell)
  await session.promotion.flip(change, tell)
  await session.promotion.settle(change, tell)
}

export async function liveGeneration(session: WarehouseSession): Promise<number> {
  return (await session.state.read('prod', { historyLimit: 1 })).generation
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
    const next = change(await liveGeneration(session))
    await promote(session, next)
    say(`flipped ${next.toGeneration}`)
  }
}

/** Builds small tables for ever, each with its record in `svc_builds`. */
export async function buildLoop(session: WarehouseSession, say: (line: string) => void): Promise<void> {
  let next = (await session.state.builds()).size
  const schema = `svc_g_b${next}`
  await session.createSchema(schema)
  const task = (): BuildTask => {
    next += 1
    const name = `t${next}`
    return { id: `${schema}.${name}`, target: { schema, name }, kind: 'table', sql: `SELECT ${next} AS n` }
  }
  await buildAll(session, [task(), task(), task(), task()], {
    concurrency: 2,
    record: ({ target }) => insertBuild(buildRecord(target.schema, target.name)),
    onEnd: ({ id }, outcome) => say(outcome.ok ? `built ${id}` : `failed ${id}: ${String(outcome.error)}`),
    next: () => [task()],
  })
}

/** Builds one relation whole, and dies when the next one is made and not yet recorded. */
export async function buildAndDie(session: WarehouseSession, say: (line: string) => void): Promise<void> {
  const schema = 'svc_g_dying'
  await session.createSchema(schema)
  const task = (name: string): BuildTask => ({
    id: name,
    target: { schema, name },
    kind: 'table',
    sql: 'SELECT 1 AS n',
  })
  await buildAll(session, [task('whole')], {
    concurrency: 1,
    record: ({ id, target }) => {
      if (id === 'half') process.kill(process.pid, 'SIGKILL')
      return insertBuild(buildRecord(target.schema, target.name))
    },
    onEnd: ({ id }, outcome) => say(outcome.ok ? `built ${id}` : `failed ${id}: ${String(outcome.error)}`),
    next: () => [task('half')],
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
    trigger: 'cli',
    git_commit: null,
    refused: false,
    warnings: [],
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
    salt: null,
  }
}
