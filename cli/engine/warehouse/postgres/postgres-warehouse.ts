/** A database of a PostgreSQL server as a warehouse. Creating this object connects to nothing; `open` does. */
import { availableParallelism } from 'node:os'
import { type PromotionPatience, usualPromotion } from '@svc/server/language'
import { SvcError } from '../../errors.ts'
import { connectionString, readDatabaseUrl, whyNoAddress } from '../../ingest/sql/postgres-address.ts'
import { sqlStateStore } from '../sql-state/sql-state-store.ts'
import type { Capabilities, OpenOptions, Warehouse } from '../warehouse.ts'
import { type Connection, openConnections, roleOf, type ServerAddress } from './connections.ts'
import { postgresDialect } from './dialect.ts'
import { statementFailure } from './failures.ts'
import { freeDeadLeases, readLeaseHolder, takeLease } from './lease.ts'

export interface PostgresOptions {
  /** `postgres://user@host:port/database?options`, as psql takes it. */
  readonly url: string
  /** The absolute path of the project's root. */
  readonly root: string
  /** The project whose state is read and written. */
  readonly project: string
  /** How a promotion meets transactions that hold its views. */
  readonly patience?: PromotionPatience | undefined
}

/** Throws SvcError `wrong-usage` if the address cannot be read. */
export function postgresWarehouse(made: PostgresOptions): Warehouse {
  const { url, root, project, patience = usualPromotion } = made
  const shortLabel = labelOf(url)
  const address: ServerAddress = { connectionString: connectionString(url, undefined), label: shortLabel }
  const capabilities = capabilitiesHere()

  async function open(mode: 'read' | 'write', { isolated = false }: OpenOptions = {}) {
    const { openSession } = await import('./session.ts')
    return openSession({ address, root, project, capabilities, mode, isolated, patience })
  }

  return {
    dialect: postgresDialect,
    capabilities,
    project,
    label: `postgres: ${shortLabel}`,
    shortLabel,
    acquireLease: (environment, holder) => takeLease({ address, project }, environment, holder),
    freeDeadLeases: () => visit(address, connection => freeDeadLeases(connection, project)),
    leaseHolder: environment =>
      visit(address, connection => readLeaseHolder(connection, { project, environment })),
    missingRights: needed =>
      visit(address, async connection => {
        const { missingRights } = await import('./rights.ts')
        return missingRights(connection, needed)
      }),
    declared: isKnown =>
      visit(address, async connection => {
        const { declared } = await import('./declared.ts')
        return declared(connection, isKnown)
      }),
    ofProject: name => postgresWarehouse({ ...made, project: name }),
    backup: () => Promise.reject(copiedByItsOwnTools(shortLabel)),
    stateOf: access => sqlStateStore({ dialect: postgresDialect, project }, access),
    open: open as Warehouse['open'],
  }
}

/** The server does the work, on cores of its own; more connections than these hardly help. */
function capabilitiesHere(): Capabilities {
  return {
    transactionalDdl: true,
    parallelBuilds: Math.max(4, Math.min(8, availableParallelism())),
    sharedCommits: false,
  }
}

/** Returns host and database, without user, password and options. */
function labelOf(url: string): string {
  try {
    const { host, pathname, searchParams } = readDatabaseUrl(url)
    const server = host === '' ? (searchParams.get('host') ?? 'localhost') : host
    return `${server}${decodeURIComponent(pathname)}`
  } catch {
    throw new SvcError(
      'wrong-usage',
      `the address of the postgres warehouse cannot be read${whyNoAddress(url)}`,
      {
        hint: 'Write postgres://user@host:5432/database; special characters in a password are written %40 and the like.',
      },
    )
  }
}

/** A server keeps its own copies, and its tools take one of a database at work. */
function copiedByItsOwnTools(label: string): SvcError {
  const message = `svc backup copies a warehouse that is a file, and ${label} is a database of a PostgreSQL server`
  return new SvcError('wrong-usage', message, {
    hint: 'pg_dump --format=custom --file=warehouse.dump <address> copies it with the state of svc, also while a run is at work; pg_restore brings it back.',
  })
}

/** Connects for one question. */
async function visit<T>(address: ServerAddress, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connections = openConnections(address, 1)
  try {
    return await connections.use(work)
  } catch (error) {
    throw statementFailure(error, address.label, { role: roleOf(address) })
  } finally {
    await connections.close()
  }
}
