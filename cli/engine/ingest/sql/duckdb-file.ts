/** A file of DuckDB as a source: attached to be read only, in a database in memory of svc's own. */
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type LocalReader, openLocalReader, quoteLiteral, quoteName } from '@svc/server/catalog'
import { internalName, type SourceType } from '@svc/server/language'
import { SvcError } from '../../errors.ts'
import { documentText } from '../../publish/json-sql.ts'
import { canonicalPath, readBytes } from '../../warehouse/duckdb/open-instances.ts'
import {
  type Database,
  type DatabaseColumn,
  DatabaseError,
  type DatabaseOptions,
  type ReadRows,
  scalar,
  type TableFacts,
} from './database.ts'
import { type Dialect, relationIn, resourceOf, selectOf, spanOf, spanSql, tableParts } from './relation.ts'
import { misfitMark } from './spooled-rows.ts'
import { factsOf } from './table-facts.ts'

/** A schema of the file may be called as a database that is attached: `memory`, `temp`, `system`. */
function dialectIn(attached: string): Dialect {
  return {
    quote: quoteName,
    named(parts) {
      const [table = '', schema = 'main'] = [...parts].reverse()
      return [attached, schema, table].map(quoteName).join('.')
    },
    textOf: value => `CAST(${value} AS VARCHAR)`,
  }
}

export function openDuckdbFile({ ingest, address, context }: DatabaseOptions): Database {
  const path = resolve(context.root, address.text.replace(/^duckdb:(\/\/(?=[/.]))?/i, ''))
  const use = <T>(work: (local: LocalReader, name: string) => Promise<T>) =>
    attached(path, address.shown, context, work)
  return {
    columns: () =>
      use(async (local, name) => {
        const columns = await local.columns(`SELECT * FROM ${relationIn(ingest, dialectIn(name))}`)
        return columns.map(({ name, type, source }) => columnOf(name, type, source))
      }),
    tables: () =>
      use(async local => {
        const rows = await local.rows(tablesSql)
        return rows.map(({ schema, name }) => resourceOf([String(schema), String(name)]))
      }),
    facts: table => use(local => factsIn(local, table)),
    span: bounds =>
      use(async (local, name) => {
        const [row] = await local.rows(spanSql(ingest, bounds, dialectIn(name)))
        return spanOf(row)
      }),
    read: (rows: ReadRows) =>
      use(async (local, name) => {
        const part = rows.spool.part(rows.part ?? 0)
        const select = selectOf(rows.columns, ingest, rows, dialectIn(name))
        const target = quoteLiteral(part.path)
        const [copied] = await local.rows(`COPY (${select}) TO ${target} (FORMAT csv, HEADER false)`)
        part.adopt(Number(copied?.['Count'] ?? 0))
        rows.onRows()
      }),
    close: async () => undefined,
  }
}

const tablesSql = `SELECT schema_name AS schema, table_name AS name FROM duckdb_tables()
    WHERE NOT internal AND database_name = current_database()
  UNION ALL SELECT schema_name, view_name FROM duckdb_views()
    WHERE NOT internal AND database_name = current_database()
  ORDER BY 1, 2`

async function factsIn(local: LocalReader, resource: string): Promise<TableFacts> {
  const [table = '', schema] = [...tableParts(resource)].reverse()
  const isTable = `database_name = current_database() AND table_name = ${quoteLiteral(table)}${
    schema === undefined ? '' : ` AND schema_name = ${quoteLiteral(schema)}`
  }`
  const [about] = await local.rows(`SELECT comment FROM duckdb_tables() WHERE ${isTable}`)
  const keys = await local.rows(
    `SELECT unnest(constraint_column_names) AS name FROM duckdb_constraints() WHERE constraint_type = 'PRIMARY KEY' AND ${isTable}`,
  )
  const columns = await local.rows(
    `SELECT column_name AS name, is_nullable AS nullable, comment FROM duckdb_columns() WHERE ${isTable} ORDER BY column_index`,
  )
  const places = new Map(keys.map(({ name }, index) => [name, index + 1]))
  return factsOf(
    columns.map(({ name, nullable, comment }) => ({
      name: String(name),
      isRequired: nullable === false,
      description: typeof comment === 'string' ? comment : undefined,
      keyPlace: places.get(name) ?? null,
    })),
    typeof about?.['comment'] === 'string' ? about['comment'] : undefined,
  )
}

let attachments = 0

/** Attaches the file for one piece of work. No instance of this process may have it open: closing would end its lock. */
async function attached<T>(
  path: string,
  shown: string,
  { spoolFolder, signal }: DatabaseOptions['context'],
  work: (local: LocalReader, name: string) => Promise<T>,
): Promise<T> {
  if (!existsSync(path)) {
    throw new SvcError('database-unreachable', `there is no file ${shown}`, {
      hint: "ingest.endpoint is duckdb: and a path, looked for from the project's root.",
    })
  }
  const done = await readBytes(canonicalPath(path), async () => {
    const local = await openLocalReader({
      temporaryFolder: dirname(spoolFolder),
      attaches: true,
      signal,
    })
    const name = internalName(`source_${++attachments}`)
    try {
      await local.rows(`ATTACH ${quoteLiteral(path)} AS ${name} (READ_ONLY)`)
      try {
        await local.rows(`USE ${name}`)
        return { result: await work(local, name) }
      } finally {
        await local.rows('USE memory').then(
          () => local.rows(`DETACH ${name}`),
          () => undefined,
        )
      }
    } catch (error) {
      throw failureOf(error)
    } finally {
      local.close()
    }
  })
  if (done !== undefined) return done.result
  throw new SvcError('database-denied', `${shown} is open in this process: it is the warehouse itself`, {
    hint: "Read an asset of this project with {{ ref('name') }}.",
  })
}

/** Types whose text is the value, under the same name. */
const plain =
  /^(BOOLEAN|U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL\(.*\)|DATE|TIME|TIMESTAMP(_S|_MS|_NS)?|TIME WITH TIME ZONE|TIMESTAMP WITH TIME ZONE|INTERVAL|UUID|VARCHAR|JSON)$/

function columnOf(name: string, type: string, source: SourceType): DatabaseColumn {
  const sql = quoteName(name)
  const isNested = source.kind !== 'scalar' || /[\])]$/.test(type)
  if (type === 'TIMESTAMP WITH TIME ZONE') {
    // The last days are written otherwise than they are read.
    const isLate = `${sql} > '294246-12-31' AND ${sql} < 'infinity'`
    const mark = `CASE WHEN ${isLate} THEN chr(${misfitMark.charCodeAt(0)}) ELSE '' END`
    return { name, select: `${mark} || CAST(${sql} AS VARCHAR)`, type: scalar(type), marksMisfits: true }
  }
  if (type === 'INTERVAL') {
    // Hours of nine digits and more are read by their name alone.
    const clock = `'(-?)([0-9]{9,}):([0-9]{2}):([0-9.]+)$'`
    const select = `regexp_replace(CAST(${sql} AS VARCHAR), ${clock}, '\\1\\2 hours \\1\\3 minutes \\1\\4 seconds')`
    return { name, select, type: scalar(type) }
  }
  if (plain.test(type)) return { name, select: sql, type: scalar(type) }
  if (type === 'BLOB')
    return { name, select: `hex(${sql})`, type: scalar('BLOB'), decode: hex => `unhex(${hex})` }
  if (isNested && !type.startsWith('ENUM'))
    return { name, select: `CAST(${documentText(sql, type)} AS JSON)`, type: scalar('JSON') }
  return { name, select: `CAST(${sql} AS VARCHAR)`, type: scalar('VARCHAR') }
}

function failureOf(error: unknown): unknown {
  if (!(error instanceof Error) || !/^[A-Z][A-Za-z ]+ Error: /.test(error.message)) return error
  const message = (error.message.split('\n')[0] ?? '').replace(/^[A-Z][A-Za-z ]+ Error: /, '')
  if (/Could not set lock/.test(message)) {
    return new DatabaseError('unreachable', `is being written by another program: ${message}`, {
      cause: error,
    })
  }
  if (
    /not a valid DuckDB database file|newer version|older version|storage version|version number|corrupt database|not read enough bytes/i.test(
      message,
    )
  ) {
    return new DatabaseError('denied', `cannot be read: ${message}`, {
      hint: 'Check that the file is one of DuckDB, whole, and written by a version that svc knows.',
      cause: error,
    })
  }
  return new DatabaseError('statement', message, {
    hint: 'Check ingest.query, ingest.where and ingest.resource.',
    cause: error,
  })
}
