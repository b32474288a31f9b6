/** A visit to the server: implements `WarehouseSession` with borrowed connections of a pool. */
import type { PromotionPatience } from '@svc/server/language'
import type { StateOwner } from '../sql-state/change-statements.ts'
import { exportQuery } from '../sql-state/file-statements.ts'
import { sqlStateStore } from '../sql-state/sql-state-store.ts'
import type { Capabilities, JsonRow, StateAccess, WarehouseSession } from '../warehouse.ts'
import { build } from './build.ts'
import {
  afterConflicts,
  type Connection,
  inTransaction,
  openConnections,
  roleOf,
  runStatements,
  type ServerAddress,
} from './connections.ts'
import { postgresDialect as dialect } from './dialect.ts'
import { statementFailure } from './failures.ts'
import { presentRoles } from './grants.ts'
import { openLocalFiles } from './local-files.ts'
import { createPromotion } from './promotion.ts'
import { brokenReaders } from './readers.ts'
import {
  columnsByName,
  createSchema,
  describe,
  dropRelations,
  dropWholeSchema,
  inventoryOf,
  relationsIn,
  schemasWithPrefix,
  sizesOf,
  viewsOf,
} from './relations.ts'
import { requireRoom } from './room.ts'
import { appendFromFiles } from './state-rows.ts'
import { ensureStateSchema, stateSchemaExists } from './state-schema.ts'
import { rowsOf, rowsQuery } from './values.ts'

export interface SessionRequest {
  readonly address: ServerAddress
  readonly root: string
  readonly project: string
  readonly capabilities: Capabilities
  readonly mode: 'read' | 'write'
  /** Only reading, and nothing but reading. */
  readonly isolated: boolean
  readonly patience: PromotionPatience
}

/** `sql`: what is sent, for the excerpts of errors. */
type On = <T>(work: (connection: Connection) => Promise<T>, signal?: AbortSignal, sql?: string) => Promise<T>

/** Returns undefined if svc has never written to the database, and `mode` is `read`. */
export async function openSession(request: SessionRequest): Promise<WarehouseSession | undefined> {
  const { address, capabilities, mode } = request
  const connections = openConnections(address, capabilities.parallelBuilds + 1)
  try {
    const exists = await connections.use(async connection => {
      if (mode === 'write') await ensureStateSchema(connection)
      return stateSchemaExists(connection)
    })
    if (exists) return sessionOf(request, connections)
  } catch (error) {
    await connections.close()
    throw statementFailure(error, address.label, { role: roleOf(address) })
  }
  await connections.close()
  return undefined
}

function sessionOf(
  request: SessionRequest,
  connections: ReturnType<typeof openConnections>,
): WarehouseSession {
  const { address, capabilities, project, root, patience } = request
  const owner = { dialect, project }
  let isClosed = false

  const on = async <T>(
    work: (connection: Connection) => Promise<T>,
    signal?: AbortSignal,
    sql?: string,
  ): Promise<T> => {
    if (isClosed) throw new Error('the warehouse session is closed')
    try {
      return await connections.use(work, signal)
    } catch (error) {
      throw statementFailure(error, address.label, { sql })
    }
  }

  const access: StateAccess = {
    query: <Row extends JsonRow>(sql: string, signal?: AbortSignal) =>
      on(
        connection =>
          inMode(request, connection, async () => rowsOf<Row>(await connection.query(rowsQuery(sql)))),
        signal,
        sql,
      ),
    relations: (schema, kind) => on(connection => relationsIn(connection, schema, kind)),
    transaction: (statements, signal) => on(connection => runTransaction(connection, statements), signal),
  }

  return {
    dialect,
    capabilities,
    state: sqlStateStore(owner, access),
    ...access,
    beside: besideOn(on, address.label),
    execute: (statements, signal) =>
      on(async connection => {
        for (const sql of statements) await connection.query(sql)
      }, signal),
    ...relationsOf(on),
    build: (task, options) => build({ connections, label: address.label, root, owner }, task, options),
    ...filesOf(on, root, owner),
    promotion: createPromotion(on, { owner, patience }),
    async close() {
      isClosed = true
      await connections.close()
    },
  }
}

/** A connection sees its own temporary tables, whichever other ones have tables of that name. */
function besideOn(on: On, label: string): WarehouseSession['beside'] {
  return ({ name, sql }, work, signal) => {
    const drop = `DROP TABLE IF EXISTS pg_temp.${name}`
    return on(
      async connection => {
        const query = async <Row extends JsonRow>(each: string) => {
          const told = (error: unknown) => Promise.reject(statementFailure(error, label, { sql: each }))
          return rowsOf<Row>(await connection.query(rowsQuery(each)).catch(told))
        }
        await runStatements(connection, [drop, `CREATE TEMPORARY TABLE ${name} AS\n${sql}`])
        try {
          return await work(query)
        } finally {
          await connection.query(drop).catch(() => undefined)
        }
      },
      signal,
      sql,
    )
  }
}

/** What is in the database, and what is made and dropped there. */
function relationsOf(on: On) {
  return {
    describe: sql => on(connection => describe(connection, sql), undefined, sql),
    columns: relations => on(connection => columnsByName(connection, relations)),
    views: () => on(viewsOf),
    brokenReaders: changes => on(connection => brokenReaders(connection, changes)),
    requireRoom: views => on(connection => requireRoom(connection, views)),
    presentRoles: names => on(connection => presentRoles(connection, names)),
    sizes: relations => on(connection => sizesOf(connection, relations)),
    schemas: prefix => on(connection => schemasWithPrefix(connection, prefix)),
    inventory: prefix => on(connection => inventoryOf(connection, prefix)),
    createSchema: schema => on(connection => createSchema(connection, schema)),
    dropSchema: schema => on(connection => afterConflicts(() => dropWholeSchema(connection, schema))),
    dropRelations: relations => on(connection => dropRelations(connection, relations)),
  } satisfies Partial<WarehouseSession>
}

/** How rows go to files of other programs, and come from them. */
function filesOf(on: On, root: string, owner: StateOwner): Pick<WarehouseSession, 'export' | 'append'> {
  return {
    async export(rows, path, signal) {
      const files = await openLocalFiles(root, signal)
      try {
        await on(connection => {
          const sql = exportQuery(owner, rows)
          return files.writeParquet(connection, sql, path, 'sql' in rows ? rows.onMisfits : undefined)
        }, signal)
      } finally {
        await files.close()
      }
    },
    async append(changes, fromFiles) {
      const files = await openLocalFiles(root)
      try {
        await on(connection =>
          inTransaction(connection, () => appendFromFiles({ connection, files, owner }, changes, fromFiles)),
        )
      } finally {
        await files.close()
      }
    },
  }
}

/** What is not trusted runs in a transaction that may change nothing, and that it cannot leave: `rowsQuery` sends one statement. */
async function inMode<T>(
  { isolated }: SessionRequest,
  connection: Connection,
  work: () => Promise<T>,
): Promise<T> {
  if (!isolated) return work()
  await connection.query('BEGIN READ ONLY')
  try {
    return await work()
  } finally {
    await connection.query('ROLLBACK')
  }
}

function runTransaction(connection: Connection, statements: readonly string[]): Promise<void> {
  return afterConflicts(() => inTransaction(connection, () => runStatements(connection, statements)))
}
