/**
 * A flip in three moves: what is meant is written down, the views change, the records follow. Whoever dies between them
 * leaves the first, and `recover` goes on from there.
 */
import { SvcError } from '../../../../cli/engine/errors.ts'
import { setLive } from '../../../../cli/engine/state/changes.ts'
import type {
  PointerChange,
  Promotion,
  WarehouseSession,
} from '../../../../cli/engine/warehouse/warehouse.ts'
import type { RecordLog } from './record-log.ts'

/** Flips of one process follow each other. */
let last: Promise<unknown> = Promise.resolve()

export function stubPromotion(session: WarehouseSession, log: RecordLog, project: string): Promotion {
  const generationOf = (environment: string) => {
    const [row] = log.rows('svc_live', project).filter(each => each['environment'] === environment)
    return Number(row?.['generation'] ?? 0)
  }

  async function flip(change: PointerChange): Promise<void> {
    const { environment, fromGeneration, runId } = change
    if (generationOf(environment) !== fromGeneration) {
      throw new SvcError(
        'promotion-stale',
        `production of ${environment} moved while run ${runId} was at work`,
      )
    }
    await refuseForeign(session, change)
    log.append({ project, intent: change })
    try {
      await session.transaction(viewStatements(session, change))
    } catch (error) {
      log.append({ project, ended: environment })
      throw error
    }
    if (process.env['STUB_DIES'] === 'before-records') process.kill(process.pid, 'SIGKILL')
    finish(change)
  }

  function finish({ environment, toGeneration, runId, changes }: PointerChange): void {
    const all = [...changes, ...setLive(environment, toGeneration, runId)]
    log.append({ project, changes: all, ended: environment })
  }

  return {
    prepare: async ({ views }) => {
      for (const schema of new Set(views.map(({ view }) => view.schema))) await session.createSchema(schema)
    },
    flip: change => {
      const turn = last.then(() => flip(change))
      last = turn.catch(() => undefined)
      return turn
    },
    settle: async () => {},
    async recover(environment) {
      const intent = log.intentOf(project, environment)
      if (intent === undefined) return 'nothing'
      await session.transaction(viewStatements(session, intent))
      finish(intent)
      return 'rolled-forward'
    },
  }
}

async function refuseForeign(session: WarehouseSession, { views, drops }: PointerChange): Promise<void> {
  for (const schema of new Set([
    ...views.map(({ view }) => view.schema),
    ...drops.map(each => each.schema),
  ])) {
    const tables = (await session.relations(schema)).filter(({ kind }) => kind === 'table')
    const hit = views.find(
      ({ view }) => view.schema === schema && tables.some(({ name }) => name === view.name),
    )
    if (hit !== undefined)
      throw new SvcError('foreign-object', `${schema}.${hit.view.name} is a table that svc did not make`)
  }
}

function viewStatements({ dialect }: WarehouseSession, { views, drops }: PointerChange): string[] {
  const made = views.flatMap(({ view, target, query, columns, description }) => {
    const name = dialect.relation(view)
    const list = columns.map(column => dialect.identifier(column.name)).join(', ')
    const source = query === undefined ? dialect.storedRelation(target) : `(\n${query}\n)`
    const create = `CREATE OR REPLACE VIEW ${name} AS SELECT ${list} FROM ${source}`
    if (description === undefined) return [create]
    return [create, `COMMENT ON VIEW ${name} IS ${dialect.literal(description)}`]
  })
  const dropped = drops.map(relation => `DROP VIEW IF EXISTS ${dialect.relation(relation)}`)
  return [...dropped, ...made]
}
