// Inspects a project of the soak test from outside: what production shows, and leftovers that are no longer
// needed.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { views } from './soak-world.mjs'

/** Opens the warehouse read-only, so that inspecting it repairs nothing. */
async function withReader(root, read) {
  const file = join(root, 'warehouse.duckdb')
  if (!existsSync(file)) return undefined
  const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' })
  const connection = await instance.connect()
  try {
    return await read(async sql => (await connection.runAndReadAll(sql)).getRowsJson())
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

/** Returns what the second project shows: its number and twice that; undefined before its first run. */
export function lookAtOther(root) {
  return withReader(root, async query => {
    const there = await query("SELECT view_name FROM duckdb_views() WHERE schema_name = 'others' ORDER BY 1")
    if (there.length === 0) return undefined
    const [[number, twice]] = await query('SELECT n.version, t.version FROM others.number n, others.twice t')
    return [Number(number), Number(twice)]
  })
}

/** Returns `{view: [rows, keys, sum, version]}`; undefined if there is no view at all. */
export function lookAtProduction(root, schema = 'analytics') {
  return withReader(root, async query => {
    const viewRows = await query(
      `SELECT view_name FROM duckdb_views() WHERE schema_name = '${schema}' ORDER BY 1`,
    )
    if (viewRows.length === 0) return undefined
    const names = viewRows.map(([name]) => name)
    const queries = names.map(name => {
      const [key, value] = views[name] ?? ['1', '1']
      return `SELECT '${name}', count(*), count(DISTINCT ${key}), sum(${value})::BIGINT,
        CASE WHEN min(version) = max(version) THEN min(version) END FROM ${schema}.${name}`
    })
    const rows = await query(queries.join(' UNION ALL '))
    return Object.fromEntries(rows.map(([name, ...numbers]) => [name, numbers.map(toNumber)]))
  })
}

function toNumber(value) {
  return value === null ? null : Number(value)
}

/**
 * Returns a description of every leftover in a finished project. `previews`: the number of successful
 * previews, each kept for days.
 */
export async function orphansIn(root, previews = 0) {
  const inWarehouse = await withReader(root, async query => {
    const orphans = []
    const say = (what, rows) => orphans.push(...rows.map(row => `${what}: ${row.join('.')}`))
    const recorded = `SELECT relation_schema AS s, relation_name AS n FROM svc.svc_builds
      UNION SELECT c.value->'relation'->>'schema', c.value->'relation'->>'name'
      FROM svc.svc_builds, json_each(children) AS c`
    const green = "schema_name LIKE 'svc\\_g\\_%' ESCAPE '\\'"
    say(
      'table without a record',
      await query(`SELECT schema_name, table_name FROM duckdb_tables() WHERE ${green}
        AND (schema_name, table_name) NOT IN (${recorded})`),
    )
    say(
      'record without a relation',
      await query(`SELECT s, n FROM (${recorded}) WHERE (s, n) NOT IN (
        SELECT schema_name, table_name FROM duckdb_tables() UNION SELECT schema_name, view_name FROM duckdb_views())`),
    )
    say(
      'empty green schema',
      await query(`SELECT schema_name FROM duckdb_schemas() WHERE ${green} AND schema_name NOT IN (
        SELECT schema_name FROM duckdb_tables() UNION SELECT schema_name FROM duckdb_views())`),
    )
    say(
      'row that says running',
      await query("SELECT run_id FROM svc.svc_state_history WHERE status = 'running'"),
    )
    say(
      'drift of a load that is gone',
      await query(
        'SELECT asset, load_key FROM svc.svc_drift WHERE load_key NOT IN (SELECT build_key FROM svc.svc_builds)',
      ),
    )
    const [[schemas]] = await query(`SELECT count(*) FROM duckdb_schemas() WHERE ${green}`)
    if (Number(schemas) > mostGreenSchemas + previews) orphans.push(`${schemas} green schemas`)
    return orphans
  })
  return [...(inWarehouse ?? ['no warehouse']), ...strayFiles(root)]
}

/** The live schema, five archives, and the schemas of earlier or dead runs whose builds they reuse. */
const mostGreenSchemas = 40

const wanted = [
  /^svc\.yaml$/,
  /^schemas\.lock\.json$/,
  /^svc_catalog\.json$/,
  /^models(\/\w+\.svc)?$/,
  /^data(\/regions\.csv)?$/,
  /^warehouse\.duckdb(\.wal)?$/,
  /^\.svc$/,
  /^\.svc\/([\w-]+\.(json|ndjson|bin)|log_order)$/,
  /^\.svc\/(prod|staging|dev(_\w+)?|logs)$/,
  /^\.svc\/(prod|staging|dev(_\w+)?|logs)\/([\w.-]+\.(json|ndjson|bin|log)|seen_state)$/,
  /^\.svc\/cache(\/[\w.-]+)?$/,
  /^\.svc\/(prod|staging|dev(_\w+)?)\/work(\/\w+-[0-9a-f]{8})?$/,
]

function strayFiles(root) {
  const all = readdirSync(root, { recursive: true }).map(path => path.replaceAll('\\', '/'))
  return all
    .filter(path => /\.tmp$/.test(path) || !wanted.some(pattern => pattern.test(path)))
    .map(path => `file: ${path}`)
}
