/** A short visit to the database: implements `WarehouseSession` with borrowed connections of the file's one instance. */

import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { internalName } from '@svc/server/language'
import { changeStatements, type StateOwner } from '../sql-state/change-statements.ts'
import { appendStatement, exportQuery, removeStatement } from '../sql-state/file-statements.ts'
import { sqlStateStore } from '../sql-state/sql-state-store.ts'
import type { StateDialect } from '../sql-state/state-dialect.ts'
import type { Capabilities, JsonRow, StateAccess, WarehouseSession } from '../warehouse.ts'
import { openBuilder } from './build.ts'
import { afterConflicts, inTransaction, openConnections, runStatements } from './connections.ts'
import { duckdbDialect } from './dialect.ts'
import { statementFailure } from './failures.ts'
import { type InstanceRequest, useInstance } from './instance.ts'
import { isLeftBetween } from './open-instances.ts'
import { createPromotion } from './promotion.ts'
import {
  columnsByName,
  dropStatement,
  dropWholeSchema,
  inventoryOf,
  relationsIn,
  schemasWithPrefix,
  viewsOf,
} from './relations.ts'
import { sizesOf } from './sizes.ts'
import { rowsOf } from './values.ts'

export interface SessionRequest extends InstanceRequest {
  /** The project whose state is read and written. */
  readonly project: string
  /** The capabilities of the warehouse. */
  readonly capabilities: Capabilities
  /** How the names of the file are written. */
  readonly dialect: StateDialect
}

/** Throws the errors of `useInstance`. */
export async function openSession(request: SessionRequest): Promise<WarehouseSession> {
  const handle = await useInstance(request)
  const connections = openConnections(handle.instance, request.capabilities.parallelBuilds)
  const { dialect } = request

  let isClosed = false
  let settled: Promise<void> | undefined

  async function on<T>(work: (connection: DuckDBConnection) => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (isClosed) throw new Error('the warehouse session is closed')
    try {
      return await connections.use(work, signal)
    } catch (error) {
      throw statementFailure(error, request.label)
    }
  }

  const owner = { dialect, project: request.project }
  const access: StateAccess = {
    query: <Row extends JsonRow>(sql: string, signal?: AbortSignal) =>
      on(async connection => rowsOf<Row>(await connection.run(sql)), signal),
    relations: (schema, kind) => on(connection => relationsIn(connection, schema, kind)),
    transaction: (statements, signal) => on(connection => runTransaction(connection, statements), signal),
  }

  return {
    dialect,
    capabilities: request.capabilities,
    state: sqlStateStore(owner, access),
    ...access,
    beside: besideOn(on, request.label),
    execute: (statements, signal) => on(connection => runStatements(connection, statements), signal),
    describe: sql => on(connection => describe(connection, sql)),
    columns: relations => on(connection => columnsByName(connection, relations)),
    views: () => on(viewsOf),
    presentRoles: async () => new Set(),
    // A view is bound when it is read, and nobody asks it before.
    brokenReaders: async () => undefined,
    sizes: relations => on(connection => sizesOf(connection, relations, dialect)),
    schemas: prefix => on(connection => schemasWithPrefix(connection, prefix)),
    inventory: prefix => on(connection => inventoryOf(connection, prefix)),
    createSchema: schema =>
      on(connection => runTransaction(connection, [`CREATE SCHEMA IF NOT EXISTS ${dialect.schema(schema)}`])),
    dropSchema: schema =>
      on(connection => afterConflicts(() => dropWholeSchema(connection, schema, dialect))),
    dropRelations: relations =>
      on(connection =>
        runTransaction(
          connection,
          relations.map(({ relation, kind }) => dropStatement(relation, kind, dialect)),
        ),
      ),
    build: openBuilder({ connections, label: request.label, owner }),
    ...filesOf(on, access, owner),
    promotion: createPromotion(on, owner),
    settle(tidies) {
      settled ??= checkpoint(handle.instance, tidies)
    },
    async close() {
      isClosed = true
      await connections.close()
      await settled
      if (request.endsSoon && isLeftBetween(request.file)) await checkpoint(handle.instance, false)
      handle.release()
    },
  }
}

type On = <T>(work: (connection: DuckDBConnection) => Promise<T>, signal?: AbortSignal) => Promise<T>

/** A connection sees its own temporary tables, whichever other ones have tables of that name. */
function besideOn(on: On, label: string): WarehouseSession['beside'] {
  return ({ name, sql }, work, signal) =>
    on(async connection => {
      const run = (each: string) =>
        connection.run(each).catch(error => Promise.reject(statementFailure(error, label)))
      await run(`CREATE OR REPLACE TEMP TABLE ${name} AS\n${sql}`)
      try {
        return await work(async <Row extends JsonRow>(each: string) => rowsOf<Row>(await run(each)))
      } finally {
        await connection.run(`DROP TABLE IF EXISTS temp.${name}`).catch(() => undefined)
      }
    }, signal)
}

/** How rows go to files of other programs, and come from them. */
function filesOf(
  on: On,
  access: StateAccess,
  owner: StateOwner,
): Pick<WarehouseSession, 'export' | 'append'> {
  return {
    export: (rows, path, signal) =>
      on(async connection => {
        const target = duckdbDialect.literal(path)
        await connection.run(`COPY (${exportQuery(owner, rows)}\n) TO ${target} (FORMAT parquet)`)
      }, signal),
    append: (changes, { removals, rows }) =>
      access.transaction([
        ...changeStatements(owner, changes),
        ...removals.map(each => removeStatement(owner, each, each.sql)),
        ...rows.map(each => appendStatement(owner, each, `(${each.sql}\n) AS ${internalName('appended')}`)),
      ]),
  }
}

async function describe(connection: DuckDBConnection, sql: string) {
  const result = await connection.run(`DESCRIBE SELECT * FROM (\n${sql}\n)`)
  return (await result.getRows()).map(([name, type]) => ({ name: String(name), type: String(type) }))
}

/**
 * Writes the log into the file on a thread of the pool, because closing the file does the same but blocks the process. It
 * may fail while other sessions of this process write; closing then does the work. A checkpoint that tidies writes all of the
 * history into one group of rows: for 10,000 assets that is half of its work, 0.4 s of CPU and 20 MB.
 */
async function checkpoint(instance: DuckDBInstance, tidies: boolean): Promise<void> {
  const setting = tidies ? 'RESET GLOBAL max_vacuum_tasks' : 'SET GLOBAL max_vacuum_tasks = 0'
  try {
    const connection = await instance.connect()
    await connection.run(`${setting}; CHECKPOINT`).finally(() => connection.closeSync())
  } catch {
    // An error that matters is reported when the file is closed.
  }
}

function runTransaction(connection: DuckDBConnection, statements: readonly string[]): Promise<void> {
  return afterConflicts(() => inTransaction(connection, () => runStatements(connection, statements)))
}
