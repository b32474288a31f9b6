// Production of a finished example run, to be looked at with DuckDB: the views of a DuckDB file as they are, those of a
// PostgreSQL as copies.
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

/**
 * @typedef {{ database: string, schema: string }} OnDuckdb the file
 * @typedef {{ server: string, schema: string }} OnPostgres the address
 * @typedef {{
 *   query: (sql: string) => Promise<unknown[][]>,
 *   tables: () => Promise<string[]>,
 *   take: (table: string) => Promise<void>,
 *   fingerprint: (table: string) => Promise<unknown[]>,
 * }} Production query: asks DuckDB; take: makes the table `actual` from a view; fingerprint: its rows and a hash of them
 * @template T
 * @param {OnDuckdb | OnPostgres} warehouse
 * @param {(production: Production) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function withProduction(warehouse, use) {
  const { DuckDBInstance } = await import('@duckdb/node-api')
  const isServer = 'server' in warehouse
  const options = isServer ? {} : { access_mode: 'READ_ONLY' }
  const instance = await DuckDBInstance.create(isServer ? ':memory:' : warehouse.database, options)
  const connection = await instance.connect()
  const query = async sql => (await connection.runAndReadAll(sql)).getRowsJS()
  try {
    if (!isServer) return await use(onDuckdb(query, warehouse))
    return await withPostgres(query, warehouse, use)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

function onDuckdb(query, { schema }) {
  return {
    query,
    tables: async () =>
      (await query(`SELECT view_name FROM duckdb_views() WHERE schema_name = '${schema}'`)).flat(),
    take: table => query(`CREATE OR REPLACE TEMP TABLE actual AS FROM "${schema}"."${table}"`),
    fingerprint: async table =>
      (await query(`SELECT count(*), bit_xor(hash(shown)) FROM "${schema}"."${table}" AS shown`))[0],
  }
}

/** What DuckDB calls the types of the example's columns; any other type is a deviation by its own name. */
const namesInDuckdb = {
  text: 'VARCHAR',
  'character varying': 'VARCHAR',
  'double precision': 'DOUBLE',
  'timestamp without time zone': 'TIMESTAMP',
}

async function withPostgres(query, { server, schema }, use) {
  const { default: pg } = await import('pg')
  const { to: copyTo } = await import('pg-copy-streams')
  const client = new pg.Client(server)
  await client.connect()
  const folder = mkdtempSync(join(tmpdir(), 'svc-compare-'))
  const ask = async sql => (await client.query({ text: sql, rowMode: 'array' })).rows
  const columnsOf = async table => {
    const rows = await ask(`SELECT column_name, data_type FROM information_schema.columns
      WHERE table_schema = '${schema}' AND table_name = '${table}' ORDER BY ordinal_position`)
    return rows.map(([name, type]) => `'${name}': '${namesInDuckdb[type] ?? type.toUpperCase()}'`).join(', ')
  }
  try {
    return await use({
      query,
      tables: async () => (await ask(`SELECT viewname FROM pg_views WHERE schemaname = '${schema}'`)).flat(),
      async take(table) {
        const file = join(folder, `${table}.csv`)
        const rows = client.query(
          copyTo(`COPY (SELECT * FROM "${schema}"."${table}") TO STDOUT (FORMAT csv)`),
        )
        await pipeline(rows, createWriteStream(file))
        const options = `header = false, allow_quoted_nulls = false, columns = {${await columnsOf(table)}}`
        await query(`CREATE OR REPLACE TEMP TABLE actual AS FROM read_csv('${file}', ${options})`)
        rmSync(file)
      },
      fingerprint: async table =>
        (
          await ask(`SELECT count(*), bit_xor(hashtextextended(CAST(shown AS text), 0))
            FROM "${schema}"."${table}" AS shown`)
        )[0],
    })
  } finally {
    await client.end()
    rmSync(folder, { recursive: true })
  }
}
