/**
 * The way back: production of a warehouse with a column of each type, published to every kind of destination, and read there
 * by the destination's own client. Each value is production's, its row is refused, or the publish warns of it.
 */
import { readFileSync } from 'node:fs'
import { openLocalReader, quoteLiteral } from '@svc/server/catalog'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { createProjectHere, type ProjectHere } from '../cli-here.ts'
import type { MariadbServer } from '../mariadb.ts'
import type { PostgresServer } from '../postgres.ts'
import type { Counts } from './judge.ts'
import type { TypedValues } from './postgres-values.ts'
import { startReceiver } from './receiver.ts'
import { isRightReason, isRightRefusal } from './right-refusals.ts'
import { isSame } from './same-value.ts'

/** The values that a destination has, by `id`, as texts of its own. */
export type Arrived = ReadonlyMap<number, string | null>

export interface Destination {
  readonly name: string
  /** Whether all rows are written or none. */
  readonly isWhole?: boolean
  /** The block of the target for a table or file of that name, in YAML's flow style. */
  block(table: string): string
  read(table: string, given: TypedValues): Promise<Arrived>
  close(): Promise<void>
}

export interface Servers {
  readonly postgres: PostgresServer
  readonly mariadb: MariadbServer | undefined
}

const taken = 'key: id, environments: [dev, prod]'

function arrived(rows: readonly Readonly<Record<string, unknown>>[]): Arrived {
  return new Map(
    rows.map(({ id, v }) => [
      Number(id),
      v === null || v === undefined ? null : Buffer.from(String(v), 'hex').toString(),
    ]),
  )
}

/** Destinations that lie in the folder of a project. */
async function destinationsOf(project: ProjectHere, servers: Servers): Promise<readonly Destination[]> {
  const mariadb = servers.mariadb === undefined ? [] : [await toMariadb(servers.mariadb)]
  return [
    await toPostgres(servers.postgres),
    ...mariadb,
    toDuckdb(project),
    toCsv(project),
    toNdjson(project),
    toParquet(project),
    await toHttp(),
  ]
}

async function toPostgres(server: PostgresServer): Promise<Destination> {
  const endpoint = await server.createDatabase()
  const client = new pg.Client({ connectionString: endpoint })
  await client.connect()
  await client.query("SET TIME ZONE 'UTC'")
  return {
    name: 'postgres',
    block: table => `{type: postgres, endpoint: "${endpoint}", resource: public.${table}, ${taken}}`,
    async read(table, { family }) {
      const text = family === 'bytes' ? "encode(v, 'hex')" : 'v::text'
      const { rows } = await client.query(
        `SELECT id, encode(convert_to(${text}, 'UTF8'), 'hex') AS v FROM ${table}`,
      )
      return arrived(rows)
    },
    close: () => client.end(),
  }
}

async function toMariadb(server: MariadbServer): Promise<Destination> {
  const endpoint = await server.createDatabase()
  const connection = await mysql.createConnection({ uri: endpoint })
  return {
    name: 'mysql',
    block: table =>
      `{type: mysql, endpoint: "${endpoint.replace(':sesame', '')}", resource: ${table}, ${taken}}`,
    async read(table, { family }) {
      const text =
        family === 'bytes'
          ? 'HEX(v)'
          : `CONVERT(${family === 'float32' ? 'CAST(v AS DOUBLE)' : 'v'} USING utf8mb4)`
      const [rows] = await connection.query(`SELECT id, HEX(${text}) AS v FROM ${table}`)
      return arrived(rows as Readonly<Record<string, unknown>>[])
    },
    close: () => connection.end(),
  }
}

function toDuckdb({ root }: ProjectHere): Destination {
  return {
    name: 'duckdb',
    block: table => `{type: duckdb, endpoint: "duckdb:./there.duckdb", resource: ${table}, ${taken}}`,
    async read(table, given) {
      const local = await openLocalReader({ attaches: true })
      try {
        await local.rows(`ATTACH ${quoteLiteral(`${root}/there.duckdb`)} AS there (READ_ONLY)`)
        return await readHere(local, `there.${table}`, given)
      } finally {
        await local.rows('DETACH there')
        local.close()
      }
    },
    close: async () => undefined,
  }
}

async function readHere(
  local: { rows(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> },
  from: string,
  { family }: TypedValues,
): Promise<Arrived> {
  const [column] = await local.rows(`SELECT typeof(v) AS type FROM ${from} LIMIT 1`)
  const type = String(column?.['type'])
  const isNested = /\]$|^(STRUCT|MAP|UNION)/.test(type)
  const text = isNested
    ? 'CAST(to_json(v) AS VARCHAR)'
    : type === 'BLOB' && family === 'bytes'
      ? 'hex(v)'
      : 'CAST(v AS VARCHAR)'
  return arrived(
    await local.rows(`SELECT id, CASE WHEN v IS NOT NULL THEN hex(encode(${text})) END AS v FROM ${from}`),
  )
}

function toParquet({ root }: ProjectHere): Destination {
  return {
    name: 'parquet',
    isWhole: true,
    block: table => `{type: file, endpoint: ./out, resource: ${table}.parquet, environments: [dev, prod]}`,
    async read(table, given) {
      const local = await openLocalReader({})
      try {
        return await readHere(local, `read_parquet(${quoteLiteral(`${root}/out/${table}.parquet`)})`, given)
      } finally {
        local.close()
      }
    },
    close: async () => undefined,
  }
}

function toCsv({ root }: ProjectHere): Destination {
  return {
    name: 'csv',
    isWhole: true,
    block: table => `{type: file, endpoint: ./out, resource: ${table}.csv, environments: [dev, prod]}`,
    async read(table, given) {
      const rows = csvRows(readFileSync(`${root}/out/${table}.csv`, 'utf8'))
      return isNestedType(given.type) ? await castBack(rows, given.type) : rows
    },
    close: async () => undefined,
  }
}

/** The types of DuckDB are written in capitals. */
function isNestedType(type: string): boolean {
  return /^[A-Z].*\]$|^(STRUCT|MAP)\b/.test(type)
}

/** Lists and structs are written as DuckDB writes them, which reads them from that again. */
async function castBack(rows: Arrived, type: string): Promise<Arrived> {
  const local = await openLocalReader({})
  try {
    const found = new Map<number, string | null>()
    for (const [id, text] of rows) {
      // DuckDB does not read the lists of documents with NULL that it writes.
      const written = type.replace(/\bJSON\b/g, 'VARCHAR')
      const value = `CAST(CAST(${text === null ? 'NULL' : quoteLiteral(text)} AS ${written}) AS ${type})`
      const [row] = await local.rows(
        `SELECT CASE WHEN v IS NOT NULL THEN CAST(to_json(v) AS VARCHAR) END AS json FROM (SELECT ${value} AS v)`,
      )
      found.set(id, row?.['json'] === null ? null : String(row?.['json']))
    }
    return found
  } finally {
    local.close()
  }
}

/** Nothing between commas is NULL, and two quotes are an empty text. */
function csvRows(text: string): Arrived {
  const rows = [...text.matchAll(/([^,\n]*),("(?:[^"]|"")*"|[^\n]*)\n/g)].slice(1)
  return new Map(
    rows.map(([, id, written = '']) => [
      Number(id),
      written === '' ? null : written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written,
    ]),
  )
}

function toNdjson({ root }: ProjectHere): Destination {
  return {
    name: 'ndjson',
    isWhole: true,
    block: table => `{type: file, endpoint: ./out, resource: ${table}.ndjson, environments: [dev, prod]}`,
    async read(table, given) {
      const lines = readFileSync(`${root}/out/${table}.ndjson`, 'utf8').trimEnd().split('\n')
      return jsonRows(lines, given)
    },
    close: async () => undefined,
  }
}

async function toHttp(): Promise<Destination> {
  const receiver = await startReceiver()
  return {
    name: 'http',
    block: table => `{type: http, endpoint: "${receiver.address}", resource: ${table}, ${taken}}`,
    read: async (table, given) => jsonRows(receiver.records(table), given),
    close: () => receiver.close(),
  }
}

/** Objects `{"id":1,"v":…}` as they were written, so that no number is read. */
function jsonRows(records: readonly string[], { family }: TypedValues): Arrived {
  return new Map(
    records.map(record => {
      const [, id, value = ''] = /^\{"id":(\d+),"v":(.*)\}$/s.exec(record) ?? []
      if (value === 'null') return [Number(id), null]
      const isText = value.startsWith('"') && family !== 'json'
      return [Number(id), isText ? (JSON.parse(value) as string) : value]
    }),
  )
}

export interface Way {
  /** The address of the warehouse, which is empty. */
  readonly warehouse: string
  readonly kind: 'duckdb' | 'postgres'
  readonly servers: Servers
  readonly cases: readonly TypedValues[]
  /** The names of destinations; all where it is absent. */
  readonly to?: readonly string[]
}

export async function judgePublish(counts: Counts, way: Way): Promise<void> {
  const project = createProjectHere({ 'svc.yaml': `name: back\nwarehouse: ${way.warehouse}\n` })
  const destinations = await destinationsOf(project, way.servers)
  const asked = destinations.filter(({ name }) => way.to?.includes(name) ?? true)
  try {
    for (const [index, given] of way.cases.entries())
      project.write(`models/t${index}.svc`, assetOf(`t${index}`, given, asked))
    const ran = await project.svc(['run', '--all'])
    if (ran.code !== 0) counts.silent.push(`${way.kind}: ${ran.stderr.slice(0, 2000)}`)
    const texts = await productionOf(project, way)
    for (const [index, given] of way.cases.entries()) {
      const rows = texts[index]
      if (rows === undefined) continue
      for (const destination of asked) {
        counts.types.add(`${way.kind} ${given.type} to ${destination.name}`)
        await judgeArrived(counts, project, { ...way, given, rows, destination, table: `t${index}` })
      }
    }
  } finally {
    for (const each of destinations) await each.close()
    project.dispose()
  }
}

function assetOf(name: string, { type, values }: TypedValues, destinations: readonly Destination[]): string {
  const rows = [...values, 'NULL'].map(
    (value, index) => `SELECT ${index + 1} AS id, CAST(${value} AS ${type}) AS v`,
  )
  const targets = destinations.map(each => `  ${each.name}: ${each.block(name)}\n`)
  return `name: ${name}\ningest: none\ntransform: |\n  ${rows.join('\n  UNION ALL ')}\ndeploy: {materialize: table}\npublish:\n${targets.join('')}`
}

/** What the warehouse itself writes for the values of each asset; undefined for a type that it cannot have. */
async function productionOf(project: ProjectHere, { kind, cases, warehouse }: Way) {
  const found: (Arrived | undefined)[] = []
  if (kind === 'postgres') {
    const client = new pg.Client({ connectionString: warehouse })
    await client.connect()
    await client.query("SET TIME ZONE 'UTC'")
    for (const [index, given] of cases.entries()) {
      const text = given.text?.('v') ?? 'v::text'
      const sql = `SELECT id, encode(convert_to(${text}, 'UTF8'), 'hex') AS v FROM analytics_dev.t${index}`
      found.push(
        await client.query(sql).then(
          ({ rows }) => arrived(rows),
          () => undefined,
        ),
      )
    }
    await client.end()
    return found
  }
  const local = await openLocalReader({ attaches: true })
  try {
    await local.rows(
      `ATTACH ${quoteLiteral(`${project.root}/${warehouse.replace('duckdb:', '')}`)} AS production (READ_ONLY)`,
    )
    for (const [index, given] of cases.entries()) {
      const text = given.text?.('v') ?? 'CAST(v AS VARCHAR)'
      const sql = `SELECT id, CASE WHEN v IS NOT NULL THEN hex(encode(${text})) END AS v FROM production.analytics_dev.t${index}`
      found.push(await local.rows(sql).then(arrived, () => undefined))
    }
    await local.rows('DETACH production')
    return found
  } finally {
    local.close()
  }
}

interface Judged extends Way {
  readonly given: TypedValues
  readonly rows: Arrived
  readonly destination: Destination
  readonly table: string
}

interface Report {
  readonly error?: { readonly code: string; readonly message: string }
  readonly rejects?: readonly { readonly key: string; readonly reason: string }[]
  readonly warnings?: readonly string[]
}

async function judgeArrived(counts: Counts, project: ProjectHere, judged: Judged): Promise<void> {
  const { kind, given, rows, destination, table } = judged
  const where = `${kind} ${given.type} → ${destination.name}`
  counts.values += rows.size
  const { code, value } = (await project.json(['publish', table, '--to', destination.name, '--json'], {
    env: { DESTINATION__MYSQL__CREDENTIALS: 'sesame' },
  })) as { readonly code: number; readonly value: Report }
  if (value.error !== undefined && value.rejects === undefined) {
    const { code, message } = value.error
    if (destination.isWhole === true && isRightRefusal(code, message)) counts.rejected += rows.size
    else counts.silent.push(`${where}: ${code}: ${message.slice(0, 300)}`)
    return
  }
  const reasons = new Map(
    (value.rejects ?? []).map(({ key, reason }) => [Number(/\d+/.exec(key)?.[0]), reason]),
  )
  if (code !== 0 && reasons.size === 0) counts.silent.push(`${where}: exit ${code}`)
  const there = await destination.read(table, given)
  for (const [id, text] of rows) {
    const found = there.get(id)
    const reason = reasons.get(id)
    if (reason !== undefined && found === undefined) {
      counts.rejected++
      if (!isRightReason(destination.name, reason)) counts.silent.push(`${where}: ${text}: ${reason}`)
    } else if (found === undefined) counts.silent.push(`${where}: ${text} did not arrive`)
    else if (isSameThere(judged, text, found)) continue
    else if ((value.warnings ?? []).length > 0) counts.warned++
    else
      counts.silent.push(
        `${where}: ${JSON.stringify(text?.slice(0, 80))} is ${JSON.stringify(found?.slice(0, 80) ?? null)}`,
      )
  }
}

/** Whether it is the same value, as that destination writes it. */
function isSameThere(
  { given, destination: { name } }: Judged,
  text: string | null,
  found: string | null,
): boolean {
  const { family, type } = given
  if (isSame(family, text, found)) return true
  if (text === null) return false
  const isText = name === 'csv' || name === 'ndjson' || name === 'http'
  // Documents are members of the row, where no value is a null too.
  if (family === 'json' && found === null) return text === 'null' && (name === 'ndjson' || name === 'http')
  if (found === null) return false
  if (family === 'bytes' && isText) return bytesOf(found) === text.toLowerCase().replace(/^\\x/, '')
  if (name !== 'mysql') return false
  // MySQL has times with zones in UTC, and no zero that is negative.
  if (/ZONE|tz/i.test(type)) return isSame('moment', text, found)
  return /^-0(\.0)?$/.test(text) && Number(found) === 0
}

/** Returns the hexadecimal digits of bytes as DuckDB writes them: those that are letters, and the others with escapes. */
function bytesOf(text: string): string {
  return text.replace(/\\x([0-9a-f]{2})|[\s\S]/gi, (letter, digits?: string) =>
    (digits ?? letter.charCodeAt(0).toString(16).padStart(2, '0')).toLowerCase(),
  )
}
