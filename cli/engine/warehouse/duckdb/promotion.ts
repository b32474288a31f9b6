/**
 * Promotion for an engine with transactional DDL: `flip` is one transaction over views, state and the
 * generation. So `prepare` only creates missing schemas, `settle` has nothing to do, and a dead process
 * leaves nothing to recover.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { SvcError } from '../../errors.ts'
import { setLive } from '../../state/changes.ts'
import { foreignRelation, stalePromotion } from '../promotion-failures.ts'
import { changeStatements, generationQuery, type StateOwner } from '../sql-state/change-statements.ts'
import type { PointerChange, ProductionView, Promotion } from '../warehouse.ts'
import { afterConflicts, inTransaction, runStatements } from './connections.ts'
import { isConflict } from './failures.ts'
import { dropStatement } from './relations.ts'

type OnConnection = <T>(work: (connection: DuckDBConnection) => Promise<T>) => Promise<T>

/** `owner` is the project that the generations belong to. */
export function createPromotion(on: OnConnection, owner: StateOwner): Promotion {
  return {
    prepare: change => on(connection => createSchemas(connection, change.views, owner)),
    flip: async change => {
      const script = flipStatements(change, owner)
      await on(connection => flip(connection, change, script, owner))
    },
    settle: async () => {},
    recover: async () => 'nothing',
  }
}

async function createSchemas(
  connection: DuckDBConnection,
  views: readonly ProductionView[],
  { dialect }: StateOwner,
): Promise<void> {
  const schemas = [...new Set(views.map(({ view }) => view.schema))]
  const script = schemas.map(schema => `CREATE SCHEMA IF NOT EXISTS ${dialect.schema(schema)}`)
  await afterConflicts(() => inTransaction(connection, () => runStatements(connection, script)))
}

function flipStatements(change: PointerChange, owner: StateOwner): string[] {
  const { environment, toGeneration, runId } = change
  return [
    ...change.drops.map(relation => dropStatement(relation, 'view', owner.dialect)),
    ...change.views.flatMap(view => viewStatements(view, owner)),
    ...changeStatements(owner, [...change.changes, ...setLive(environment, toGeneration, runId)]),
  ]
}

async function flip(
  connection: DuckDBConnection,
  change: PointerChange,
  script: readonly string[],
  owner: StateOwner,
): Promise<void> {
  try {
    await afterConflicts(() =>
      inTransaction(connection, async () => {
        const live = await liveGeneration(connection, change, owner)
        if (live !== change.fromGeneration) throw stalePromotion(change, live)
        await runStatements(connection, script)
      }),
    )
  } catch (error) {
    throw refusal(error, change) ?? error
  }
  await verify(connection, change, owner)
}

function viewStatements(
  { view, target, query, columns, description }: ProductionView,
  { dialect }: StateOwner,
): string[] {
  if (columns.length === 0) throw new Error(`production view ${view.schema}.${view.name} has no columns`)
  const name = dialect.relation(view)
  const source = query === undefined ? dialect.storedRelation(target) : `(\n${query}\n)`
  const list = columns.map(column => dialect.identifier(column.name)).join(', ')
  const create = `CREATE OR REPLACE VIEW ${name} AS SELECT ${list} FROM ${source}`
  if (description === undefined) return [create]
  return [create, `COMMENT ON VIEW ${name} IS ${dialect.literal(description)}`]
}

async function liveGeneration(
  connection: DuckDBConnection,
  { environment }: PointerChange,
  owner: StateOwner,
): Promise<number> {
  const result = await connection.run(generationQuery(owner, environment))
  return Number((await result.getRows())[0]?.[0] ?? 0)
}

/**
 * Verifies that the commit was stored, because a commit that reports success without storing must not count
 * as a promotion.
 */
async function verify(connection: DuckDBConnection, change: PointerChange, owner: StateOwner): Promise<void> {
  const live = await liveGeneration(connection, change, owner)
  if (live === change.toGeneration) return
  throw new SvcError('warehouse-failed', `the promotion of run ${change.runId} was not stored`, {
    hint: 'Production is unchanged; run again.',
  })
}

function refusal(error: unknown, change: PointerChange): SvcError | undefined {
  if (isConflict(error)) return stalePromotion(change, undefined, error)
  const foreign = /Existing object (.+) is of type (\w+), trying to (?:replace|drop)/i.exec(String(error))
  const [, name = '', kind = ''] = foreign ?? []
  return foreign === null ? undefined : foreignRelation(name, kind.toLowerCase(), error)
}
