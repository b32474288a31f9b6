/**
 * The lease of an environment: an advisory lock, which the server frees when its holder is gone, and a row that says who
 * holds it. The connection of the lock does nothing else, so that it lives as long as the run.
 */
import { hostname } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { SvcError } from '../../errors.ts'
import { leaseLost } from '../lease/lease-lost.ts'
import { isSameProcess } from '../lease/process-identity.ts'
import type { Lease, LeaseHolder } from '../warehouse.ts'
import {
  afterConflicts,
  type Connection,
  clientOptions,
  prepareConnection,
  roleOf,
  type ServerAddress,
} from './connections.ts'
import { postgresDialect as dialect } from './dialect.ts'
import { statementFailure } from './failures.ts'
import { ensureStateSchema, stateSchemaExists } from './state-schema.ts'

const heartbeatMs = 5_000
const table = dialect.relation({ schema: 'svc', name: 'svc_leases' })

const createTable = `CREATE TABLE IF NOT EXISTS ${table}
  (project text, environment text, holder json, heartbeat timestamp with time zone, PRIMARY KEY (project, environment))`

export interface LeasePlace {
  readonly address: ServerAddress
  readonly project: string
}

/** Throws SvcError `lease-held` with the name of the live holder. */
export async function takeLease(
  { address, project }: LeasePlace,
  environment: string,
  holder: LeaseHolder,
): Promise<Lease> {
  const client = new pg.Client(clientOptions(address))
  client.on('error', () => undefined)
  try {
    await client.connect()
    await prepareConnection(client, address)
    await ensureTable(client)
    const tookOverFrom = await lock(client, { project, environment }, holder)
    return keepLease(client, { project, environment }, holder, tookOverFrom)
  } catch (error) {
    await client.end().catch(() => undefined)
    throw statementFailure(error, address.label, { role: roleOf(address) })
  }
}

async function ensureTable(client: Connection): Promise<void> {
  await ensureStateSchema(client)
  await afterConflicts(() => client.query(createTable))
}

interface LeaseName {
  readonly project: string
  readonly environment: string
}

/** The key of the advisory lock, from SQL of the two names. */
function keyOf(project: string, environment: string): string {
  return `hashtextextended(json_build_array('svc', ${project}, ${environment})::text, 0)`
}

function rowOf({ project, environment }: LeaseName): string {
  return `project = ${dialect.literal(project)} AND environment = ${dialect.literal(environment)}`
}

async function lock(
  client: Connection,
  name: LeaseName,
  holder: LeaseHolder,
): Promise<LeaseHolder | undefined> {
  const key = keyOf(dialect.literal(name.project), dialect.literal(name.environment))
  for (let waitedMs = 0; ; waitedMs += dyingPauseMs) {
    const { rows } = await client.query<{ taken: boolean }>(`SELECT pg_try_advisory_lock(${key}) AS taken`)
    const before = (await client.query<HolderRow>(`SELECT holder FROM ${table} WHERE ${rowOf(name)}`)).rows[0]
      ?.holder
    if (rows[0]?.taken === true) {
      await client.query(writeRow(name, holder))
      return before
    }
    if (waitedMs >= dyingMs || !hasDiedHere(before)) throw heldBy(before, name)
    await setTimeout(dyingPauseMs)
  }
}

interface HolderRow {
  readonly holder: LeaseHolder
}

function writeRow(name: LeaseName, holder: LeaseHolder): string {
  const values = [name.project, name.environment, JSON.stringify(holder)].map(dialect.literal)
  return `INSERT INTO ${table} VALUES (${values.join(', ')}, now())
    ON CONFLICT (project, environment) DO UPDATE SET holder = excluded.holder, heartbeat = excluded.heartbeat`
}

/** The server notices a moment later than this machine that a process is gone. */
const dyingMs = 2_000
const dyingPauseMs = 20

/** Returns whether the holder was a process of this machine that is gone. */
function hasDiedHere(holder: LeaseHolder | undefined): boolean {
  return holder !== undefined && holder.host === hostname() && !isSameProcess(holder.pid, undefined)
}

function heldBy(holder: LeaseHolder | undefined, { environment }: LeaseName): SvcError {
  const who =
    holder === undefined
      ? 'another svc'
      : `svc ${holder.command} (run ${holder.runId} of ${holder.user} on ${holder.host}, process ${holder.pid}, since ${holder.since})`
  return new SvcError('lease-held', `${environment} is being changed by ${who}`, {
    hint: 'Wait until it is done, or end it; a lease of a process that has ended is free.',
  })
}

function keepLease(
  client: pg.Client,
  name: LeaseName,
  own: LeaseHolder,
  tookOverFrom: LeaseHolder | undefined,
): Lease {
  const beat = () =>
    client.query(`UPDATE ${table} SET heartbeat = now() WHERE ${rowOf(name)}`).catch(() => undefined)
  const heartbeat = setInterval(beat, heartbeatMs)
  heartbeat.unref()
  holdProcess(client, false)
  let releasing: Promise<void> | undefined
  const release = async () => {
    clearInterval(heartbeat)
    holdProcess(client, true)
    // The row goes first: whoever gets the lock next must not find it.
    await client.query(`DELETE FROM ${table} WHERE ${rowOf(name)}`).catch(() => undefined)
    await client.end().catch(() => undefined)
  }
  // The lock is that of the connection: where it does not answer, the server has freed it, or soon does.
  const assertHeld = async () => {
    const found = await client
      .query<HolderRow>(`SELECT holder FROM ${table} WHERE ${rowOf(name)}`)
      .catch(() => undefined)
    const now = found?.rows[0]?.holder
    if (now?.runId !== own.runId) throw leaseLost(name.environment, now)
  }
  return { tookOverFrom, assertHeld, release: () => (releasing ??= release()) }
}

/** Whether the process waits for the connection to end; the types of the library leave this out. */
function holdProcess(client: pg.Client, isHeld: boolean): void {
  const { ref, unref } = client as pg.Client & { ref(): void; unref(): void }
  ;(isHeld ? ref : unref).call(client)
}

/** SQL of whether anybody holds the lock of a row of the table. */
const isHeld = `EXISTS (SELECT 1 FROM pg_locks AS l, ${keyOf('project', 'environment')} AS k
  WHERE l.locktype = 'advisory' AND l.objsubid = 1 AND l.granted
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND l.classid::bigint = (k >> 32) & 4294967295 AND l.objid::bigint = k & 4294967295)`

/** Returns the live holder. */
export async function readLeaseHolder(
  connection: Connection,
  name: LeaseName,
): Promise<LeaseHolder | undefined> {
  if (!(await leasesExist(connection))) return undefined
  const { rows } = await connection.query<HolderRow>(
    `SELECT holder FROM ${table} WHERE ${rowOf(name)} AND ${isHeld}`,
  )
  const holder = rows[0]?.holder
  return hasDiedHere(holder) ? undefined : holder
}

/** Deletes the rows of holders whose lock is free; the lock itself has no other trace. */
export async function freeDeadLeases(connection: Connection, project: string): Promise<void> {
  if (await leasesExist(connection))
    await connection.query(
      `DELETE FROM ${table} WHERE project = ${dialect.literal(project)} AND NOT ${isHeld}`,
    )
}

async function leasesExist(connection: Connection): Promise<boolean> {
  if (!(await stateSchemaExists(connection))) return false
  const { rows } = await connection.query<{ found: boolean }>(
    `SELECT to_regclass(${dialect.literal(table)}) IS NOT NULL AS found`,
  )
  return rows[0]?.found === true
}
