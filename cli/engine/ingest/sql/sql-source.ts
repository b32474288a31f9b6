/**
 * Fetches a table or a query of another database. Only the columns that are loaded are asked for; rows go as
 * text from the connection into the spool, so that memory holds a block of them, whatever their number.
 */
import { createHash } from 'node:crypto'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { withLocalReader } from '@svc/server/catalog'
import { findColumn, type Incremental, type SourceType } from '@svc/server/language'
import { SvcError } from '../../errors.ts'
import { collectSecrets, type Secrets } from '../credentials.ts'
import { finishFetch, peekedTables, readTables } from '../finish-fetch.ts'
import { type Backoff, backoffMs, usualBackoff } from '../rest/retry.ts'
import { type FetchContext, type FetchedSource, type IngestOf, type Source, tellAtFirst } from '../source.ts'
import { databaseAddress } from './address.ts'
import {
  type Database,
  type DatabaseColumn,
  DatabaseError,
  type DatabaseOptions,
  type ReadRows,
} from './database.ts'
import { keptWindows } from './kept-windows.ts'
import { withMeasuredDecimals } from './measured-decimals.ts'
import { openDatabase } from './open-database.ts'
import { readWindows } from './read-windows.ts'
import { RowSpool, type SpooledRows } from './row-spool.ts'
import { spooledRows, withMarkedTypes } from './spooled-rows.ts'

type SqlIngest = IngestOf<'sql'>

interface SqlFetch {
  readonly ingest: SqlIngest
  readonly context: FetchContext
  readonly database: Database
}

export function sqlSource(ingest: SqlIngest, backoff: Backoff = usualBackoff): Source {
  return {
    ...(ingest.incremental?.window !== undefined && { resumes: true }),
    fetch: context =>
      withDatabase(ingest, context, backoff, database => fetchRows({ ingest, context, database })),
    sample: context => {
      const { split: _split, ...whole } = ingest
      const limits = { ...ingest.limits, retries: 0, maxRows: sampledRows }
      return sqlSource({ ...whole, limits }, backoff).fetch(context)
    },
    peek: context =>
      withDatabase(
        { ...ingest, limits: { ...ingest.limits, retries: 0 } },
        context,
        backoff,
        async database => peekedTables(context, ingest, recordOf(await namedColumns(database)), true),
      ),
  }
}

const sampledRows = 1000

/** Tries again where the connection is lost: nothing of the rows that came before is kept. */
async function withDatabase<T>(
  ingest: SqlIngest,
  context: FetchContext,
  backoff: Backoff,
  use: (database: Database) => Promise<T>,
): Promise<T> {
  const secrets = collectSecrets()
  const address = databaseAddress(ingest, context, secrets)
  for (let tries = 1; ; tries++) {
    try {
      return await reachDatabase({ ingest, address, context, secrets }, use)
    } catch (error) {
      const lost =
        error instanceof SvcError && error.code === 'database-unreachable' ? error.cause : undefined
      if (!(lost instanceof DatabaseError) || tries > ingest.limits.retries) throw error
      const pauseMs = backoffMs(tries, backoff)
      tellAtFirst(context, `${secrets.hide(lost.message)}: trying again in ${(pauseMs / 1000).toFixed(1)} s`)
      await wait(pauseMs, undefined, { signal: context.signal })
    }
  }
}

async function fetchRows(fetch: SqlFetch): Promise<FetchedSource> {
  const { ingest, context } = fetch
  const all = await namedColumns(fetch.database)
  const columns = chosenColumns(fetch, all)
  const spooled = await spoolRows(fetch, columns)
  const { rows, bytes, files } = spooled
  const { spoolFolder, signal } = context
  return withLocalReader({ temporaryFolder: dirname(spoolFolder), signal }, async local => {
    const known = await withMeasuredDecimals(context, spooled, withMarkedTypes(spooled, columns), local)
    const types = new Map(known.map(column => [column.name, column]))
    const source = spooledRows(spooled, known, recordOf(all.map(each => types.get(each.name) ?? each)))
    const loadId = loadIdOf(known, spooled)
    const asked = { source, loadId, rows, bytes, pages: files.length, asksForNoMore: true } as const
    return finishFetch({ context, ingest, local }, asked)
  })
}

async function spoolRows(fetch: SqlFetch, columns: readonly DatabaseColumn[]): Promise<SpooledRows> {
  const { ingest, context } = fetch
  const spool = new RowSpool(context.spoolFolder, ingest.limits)
  const tell = () =>
    context.onProgress({ rows: spool.rows, bytes: spool.bytes, pages: Math.max(1, spool.parts) })
  try {
    await readAlong(fetch, { columns, spool, onRows: tell })
    const spooled = spool.finish()
    tell()
    return spooled
  } finally {
    spool.close()
  }
}

async function readAlong({ ingest, context, database }: SqlFetch, rows: ReadRows): Promise<void> {
  const cursor = cursorOf(ingest, context, rows.columns)
  if (cursor === undefined) return database.read(rows)
  const { column, from, window, order } = cursor
  const sorted = { ...rows, ...(order !== undefined && { order: column }) }
  if (window === undefined) {
    const bounds = { column, ...(from !== undefined && { from }), withNulls: true }
    return database.read({ ...sorted, bounds })
  }
  const { maxRows = Number.POSITIVE_INFINITY } = ingest.limits
  const { type, endpoint, resource, query, where } = ingest
  const asked = [type, endpoint, resource, query, where, maxRows, rows.columns, cursor]
  const definition = createHash('sha256').update(JSON.stringify(asked)).digest('hex')
  const kept = await keptWindows(context, definition, rows.spool)
  return readWindows({ database, rows: sorted, column, from, window, kept, maxRows })
}

interface Cursor extends Pick<Incremental, 'window' | 'order'> {
  /** Its name in the database. */
  readonly column: string
  /** Where the load begins; absent where it begins at the beginning. */
  readonly from: string | undefined
}

/**
 * Returns by what the database is asked for rows; undefined where all are. A text is compared after the fetch alone, because
 * databases sort texts in other orders.
 */
function cursorOf(
  { incremental, ...ingest }: SqlIngest,
  context: FetchContext,
  columns: readonly DatabaseColumn[],
): Cursor | undefined {
  if (incremental === undefined) return undefined
  const { cursor, start, order, window } = incremental
  const [root] = readTables(context, ingest, recordOf(columns)).tables
  const source = findColumn(root?.columns ?? [], cursor, context.engine)?.path[0]
  const column = columns.find(({ name }) => name === source)
  const isText = column?.type.kind !== 'scalar' || column.type.type === 'VARCHAR'
  if (column !== undefined && isText && (order ?? window) !== undefined) throw noOrderOf(cursor)
  const from = context.base?.since ?? start
  if (column === undefined || isText) return undefined
  return {
    column: column.name,
    from: from === undefined || from === null ? undefined : String(from),
    ...(order !== undefined && { order }),
    ...(window !== undefined && { window }),
  }
}

function noOrderOf(cursor: string): SvcError {
  return new SvcError(
    'invalid-project',
    `incremental.order and window need a cursor of time or of numbers, and "${cursor}" is text`,
    { hint: 'Databases sort texts in other orders. Take order and window out, or choose another cursor.' },
  )
}

/** Equal content, read in the same parts, gives an equal id. */
function loadIdOf(columns: readonly DatabaseColumn[], { hash }: SpooledRows): string {
  const shape = columns.map(({ name, type }) => [name, type])
  return createHash('sha256')
    .update(JSON.stringify([shape, hash]))
    .digest('hex')
}

/** Returns the columns that the definition loads: an excluded one never leaves the database. */
function chosenColumns(
  { ingest, context }: SqlFetch,
  all: readonly DatabaseColumn[],
): readonly DatabaseColumn[] {
  const { tables } = readTables(context, ingest, recordOf(all))
  const wanted = new Set(tables.flatMap(table => table.columns.map(column => column.path[0])))
  const chosen = all.filter(({ name }) => wanted.has(name))
  if (chosen.length > 0) return chosen
  throw new SvcError('source-shape', 'no column of the source is left', {
    hint: 'Check include and exclude.',
  })
}

/** Throws where two columns have one name, because the rows of such a query have no columns to speak of. */
async function namedColumns(database: Database): Promise<readonly DatabaseColumn[]> {
  const columns = await database.columns()
  const names = new Set<string>()
  for (const { name } of columns) {
    if (!names.has(name)) names.add(name)
    else {
      throw new SvcError('source-shape', `the query has two columns called "${name}"`, {
        hint: `Give one of them another name: AS other_${name}.`,
      })
    }
  }
  return columns
}

function recordOf(columns: readonly Pick<DatabaseColumn, 'name' | 'type'>[]): SourceType {
  return { kind: 'struct', fields: columns.map(({ name, type }) => ({ name, type })) }
}

/** Opens a database for one question, and tries once. */
export async function reachDatabase<T>(
  options: DatabaseOptions,
  use: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(options)
  try {
    return await use(database)
  } catch (error) {
    options.context.signal.throwIfAborted()
    throw asSvcError(error, options.address.shown, options.secrets)
  } finally {
    await database.close()
  }
}

function asSvcError(error: unknown, shown: string, secrets: Secrets): unknown {
  if (!(error instanceof DatabaseError)) return error
  const { failure, hint, message } = error
  const code = (
    {
      unreachable: 'database-unreachable',
      denied: 'database-denied',
      statement: 'database-statement',
    } as const
  )[failure]
  const told = failure === 'statement' ? `${shown}: ${message}` : `${shown} ${message}`
  return new SvcError(code, secrets.hide(told), { cause: error, hint })
}
