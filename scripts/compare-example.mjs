// Compares the tables of a finished example run with what DuckDB computes from the raw files alone. The SQL
// in test/example/expected is written by hand, differs from the models, and is never compiled SQL.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { dataFile } from './example.mjs'
import { withProduction } from './example-production.mjs'

const expectedFolder = join(dirname(fileURLToPath(import.meta.url)), '..', 'test', 'example', 'expected')
/** Sums of floating-point numbers depend on their order; a larger relative difference is a deviation. */
const tolerance = 1e-9

/**
 * @typedef {import('./example-production.mjs').OnDuckdb | import('./example-production.mjs').OnPostgres} Warehouse
 * @typedef {{ table: string, rows: number, columns: number, problems: string[] }} Comparison
 * @param {Warehouse & { only?: string[] }} warehouse the production schema, and the tables to compare (all without it)
 * @returns {Promise<Comparison[]>} one for each table of the schema and each expected one
 */
export async function compareExample(warehouse) {
  const { schema, only } = warehouse
  return withProduction(warehouse, async production => {
    for (const statement of readSql('_raw')
      .split(/;\s*\n/)
      .filter(text => text.trim() !== ''))
      await production.query(statement)
    const present = await production.tables()
    const expected = readdirSync(expectedFolder)
      .map(name => basename(name, '.sql'))
      .filter(name => name !== '_raw')
    const comparisons = []
    for (const table of only ?? [...new Set([...expected, ...present])].sort()) {
      const problems = []
      if (!present.includes(table)) problems.push(`${table} is not in ${schema}`)
      if (!expected.includes(table))
        problems.push(`${table} is in ${schema}, but nothing says what it should hold`)
      comparisons.push(
        problems.length > 0 ? { table, rows: 0, columns: 0, problems } : await compare(production, table),
      )
    }
    return comparisons
  })
}

/**
 * Returns a line per table, `name rows hash`: two states of production with equal lines show the same rows.
 * @param {Warehouse} warehouse
 */
export async function fingerprints(warehouse) {
  return withProduction(warehouse, async production => {
    const lines = []
    for (const table of (await production.tables()).sort())
      lines.push([table, ...(await production.fingerprint(table))].join(' '))
    return lines
  })
}

async function compare({ query, take }, table) {
  await query(`CREATE OR REPLACE TEMP TABLE expected AS ${readSql(table)}`)
  await take(table)
  const describe = async relation =>
    (await query(`DESCRIBE ${relation}`)).map(([name, type]) => `${name} ${type}`)
  const [wanted, found] = [await describe('expected'), await describe('actual')]
  const result = { table, rows: 0, columns: found.length, problems: [] }
  if (wanted.join(', ') !== found.join(', ')) {
    result.problems.push(`columns of ${table} are ${found.join(', ')}; expected ${wanted.join(', ')}`)
    return result
  }
  const [[wantedRows, foundRows]] = await query(
    'SELECT (SELECT count(*) FROM expected), (SELECT count(*) FROM actual)',
  )
  result.rows = Number(foundRows)
  if (wantedRows !== foundRows) result.problems.push(`${table} has ${foundRows} rows; expected ${wantedRows}`)
  result.problems.push(...(await differingRows(query, table, found)))
  return result
}

/** Sorts both in the same way and compares them row by row. */
async function differingRows(query, table, columns) {
  const [exact, inexact] = [columns.filter(column => !isInexact(column)), columns.filter(isInexact)].map(
    names,
  )
  const order = [...exact, ...inexact].join(', ')
  const numbered = relation => `(SELECT *, row_number() OVER (ORDER BY ${order}) AS _row FROM ${relation})`
  const differs = [
    ...exact.map(name => `e.${name} IS DISTINCT FROM a.${name}`),
    ...inexact.map(
      name =>
        `((e.${name} IS NULL) <> (a.${name} IS NULL)` +
        ` OR abs(e.${name} - a.${name}) > ${tolerance} * greatest(1, abs(e.${name})))`,
    ),
  ].join(' OR ')
  const from = `FROM ${numbered('expected')} AS e FULL JOIN ${numbered('actual')} AS a USING (_row) WHERE ${differs}`
  const [[count]] = await query(`SELECT count(*) ${from}`)
  if (count === 0n) return []
  const [[wanted, found]] = await query(
    `SELECT to_json(e)::VARCHAR, to_json(a)::VARCHAR ${from} ORDER BY _row LIMIT 1`,
  )
  return [`${count} rows of ${table} differ; the first one is ${found}, expected ${wanted}`]
}

function isInexact(column) {
  return / (DOUBLE|FLOAT)$/.test(column)
}

function names(columns) {
  return columns.map(column => `"${column.slice(0, column.indexOf(' '))}"`)
}

function readSql(name) {
  const folder = dirname(dataFile('airports.csv')).replaceAll("'", "''")
  return readFileSync(join(expectedFolder, `${name}.sql`), 'utf8').replaceAll('$data', folder)
}
