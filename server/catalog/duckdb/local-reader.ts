/**
 * A local in-memory DuckDB to inspect files: their columns, their types. It does not know the warehouse, has
 * no network access, and uses UTC. Loaded on first use.
 */
import type { DuckDBConnection, DuckDBInstance, DuckDBListType, DuckDBType } from '@duckdb/node-api'
import type { SourceType, SqlType } from '../../language/index.ts'
import { countRunning } from '../running.ts'
import { localTypes } from './local-types.ts'
import { loadDuckdb } from './memory-database.ts'
import { quoteLiteral } from './quoting.ts'
import { databaseThreads } from './threads.ts'

export type LocalRow = Readonly<Record<string, unknown>>

export interface LocalReader {
  /** Returns JSON-safe values: times and exact integers beyond 2^53 are texts. */
  rows(sql: string): Promise<readonly LocalRow[]>
  /** Returns the columns of a query with their full types, without running it. */
  columns(
    sql: string,
  ): Promise<readonly { readonly name: string; readonly type: string; readonly source: SourceType }[]>
  close(): void
}

export interface LocalReaderOptions {
  readonly threads?: number
  readonly temporaryFolder?: string
  /** How much it may keep in memory, such as `160MB`; the rest goes to the folder. */
  readonly memory?: string
  /** Whether files of databases are attached: they are certainly free once the reader is closed. */
  readonly attaches?: boolean
  readonly signal?: AbortSignal
}

/**
 * Opens a reader. Concurrent callers with the same options share a database, and thereby its threads and its
 * memory. After the last one the database is kept for a while for the next.
 */
export async function openLocalReader(options: LocalReaderOptions): Promise<LocalReader> {
  const { instance, release } = await useInstance(options)
  const connection = await instance.connect().catch(error => {
    release()
    throw error
  })
  const running = countRunning()
  const interrupt = () => connection.interrupt()
  options.signal?.addEventListener('abort', interrupt)
  return {
    rows: async sql => {
      // An interrupt between two statements has no effect on the next.
      options.signal?.throwIfAborted()
      return running.track(() => rowsOf(connection, sql))
    },
    columns: async sql => {
      options.signal?.throwIfAborted()
      return running.track(() => columnsOf(connection, sql))
    },
    close() {
      running.close(() => {
        options.signal?.removeEventListener('abort', interrupt)
        connection.closeSync()
        release()
      })
    },
  }
}

/** Opens a reader for one piece of work. */
export async function withLocalReader<T>(
  options: LocalReaderOptions,
  work: (local: LocalReader) => Promise<T>,
): Promise<T> {
  const local = await openLocalReader(options)
  try {
    return await work(local)
  } finally {
    local.close()
  }
}

interface SharedInstance {
  readonly opening: Promise<DuckDBInstance>
  users: number
}

/** Instances are shared because opening and closing a database costs more than most reads of a file. */
const instances = new Map<string, SharedInstance>()

async function useInstance(options: LocalReaderOptions) {
  const key = `${kindOf(options)} ${options.temporaryFolder ?? ''}`
  const shared = instances.get(key) ?? { opening: takeInstance(options), users: 0 }
  instances.set(key, shared)
  shared.users += 1
  const leave = () => {
    shared.users -= 1
    if (shared.users === 0) instances.delete(key)
    return shared.users === 0
  }
  const instance = await shared.opening.catch(error => {
    leave()
    throw error
  })
  let isReleased = false
  const release = () => {
    if (!isReleased && leave()) keepSpare(options, instance)
    isReleased = true
  }
  return { instance, release }
}

interface Spare {
  readonly instance: DuckDBInstance
  readonly closing: NodeJS.Timeout
}

/** One instance without users for each kind, because most commands look at one source after the other. */
const spares = new Map<string, Spare>()
const spareMs = 10_000

/** Whatever can be set again in an instance that has been used is no part of its kind. */
function kindOf({ threads = 2, memory, temporaryFolder, attaches = false }: LocalReaderOptions): string {
  return `${threads} ${memory ?? ''} ${temporaryFolder !== undefined} ${attaches}`
}

function keepSpare(options: LocalReaderOptions, instance: DuckDBInstance): void {
  const kind = kindOf(options)
  if (options.attaches === true || spares.has(kind)) {
    instance.closeSync()
    return
  }
  const closing = setTimeout(() => {
    spares.delete(kind)
    instance.closeSync()
  }, spareMs)
  closing.unref()
  spares.set(kind, { instance, closing })
}

async function takeInstance(options: LocalReaderOptions): Promise<DuckDBInstance> {
  const kind = kindOf(options)
  const spare = spares.get(kind)
  if (spare === undefined) return openInstance(options)
  spares.delete(kind)
  clearTimeout(spare.closing)
  try {
    await setUp(spare.instance, options, options.temporaryFolder)
    return spare.instance
  } catch {
    // It has written into its folder, which it cannot change then, or a fatal error has made it unusable.
    spare.instance.closeSync()
    return openInstance(options)
  }
}

async function openInstance(options: LocalReaderOptions): Promise<DuckDBInstance> {
  const { threads = 2, temporaryFolder } = options
  const { DuckDBInstance } = await loadDuckdb()
  const instance: DuckDBInstance = await DuckDBInstance.create(':memory:', {
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    threads: String(databaseThreads(threads)),
    ...(temporaryFolder === undefined ? {} : { temp_directory: temporaryFolder }),
  })
  await setUp(instance, options)
  return instance
}

async function setUp(instance: DuckDBInstance, { memory }: LocalReaderOptions, folder?: string) {
  const connection = await instance.connect()
  try {
    await connection.run("SET GLOBAL TimeZone = 'UTC'")
    if (folder !== undefined) await connection.run(`SET GLOBAL temp_directory = ${quoteLiteral(folder)}`)
    // Not among the options of opening, since RESET goes back to those.
    if (memory !== undefined) await connection.run(`SET GLOBAL memory_limit = '${memory}'`)
  } finally {
    connection.closeSync()
  }
}

async function rowsOf(connection: DuckDBConnection, sql: string): Promise<readonly LocalRow[]> {
  const reader = await connection.runAndReadAll(sql)
  return reader.getRowObjectsJson()
}

async function columnsOf(connection: DuckDBConnection, sql: string) {
  const result = await connection.run(`SELECT * FROM (${sql}) LIMIT 0`)
  const types = result.columnTypes()
  return result.columnNames().map((name, index) => {
    const type = types[index] as DuckDBType
    return { name, type: typeText(type), source: sourceType(type) }
  })
}

/** Returns a type as the database itself prints it: its library quotes all names of fields, and calls JSON in them VARCHAR. */
function typeText(type: DuckDBType): string {
  return localTypes.print(sqlType(type))
}

function sqlType(type: DuckDBType): SqlType {
  if ('memberTags' in type) {
    const members = type.memberTags.map((name, index) => ({
      name,
      type: sqlType(type.memberTypes[index] as DuckDBType),
    }))
    return { kind: 'union', members }
  }
  if ('keyType' in type) return { kind: 'map', key: sqlType(type.keyType), value: sqlType(type.valueType) }
  if ('length' in type) return { kind: 'array', element: sqlType(type.valueType), size: type.length }
  if ('entryNames' in type && 'entryTypes' in type) {
    const fields = type.entryNames.map((name, index) => ({
      name,
      type: sqlType(type.entryTypes[index] as DuckDBType),
    }))
    return { kind: 'struct', fields }
  }
  if (isList(type)) return { kind: 'list', element: sqlType(type.valueType) }
  return localTypes.parse(type.alias === 'JSON' ? 'JSON' : type.toString())
}

/** A map has a key type too, and an array has a length. */
function isList(type: DuckDBType): type is DuckDBListType {
  return 'valueType' in type && !('keyType' in type) && !('length' in type)
}

function sourceType(type: DuckDBType): SourceType {
  if ('entryNames' in type && 'entryTypes' in type) {
    // A UNION is such a struct in a Parquet file: the field that says which member counts has no name, and no SQL can ask for it.
    if (type.entryNames.includes('')) return { kind: 'mixed' }
    const fields = type.entryNames.map((name, index) => ({
      name,
      type: sourceType(type.entryTypes[index] as DuckDBType),
    }))
    return { kind: 'struct', fields }
  }
  if (isList(type)) return { kind: 'list', element: sourceType(type.valueType) }
  return { kind: 'scalar', type: typeText(type) }
}
