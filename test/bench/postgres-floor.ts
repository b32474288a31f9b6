/**
 * A bare client doing the same as a run on PostgreSQL, one statement after the other. Started as a program:
 * `postgres-floor models <address> <folder of source files> <number of models>` copies the sources, builds the models and
 * runs their tests; `postgres-floor rows <address> <CSV file> <columns of the table>` copies the file and makes a table of it.
 */
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { plainStatements, postgresTypes } from './flavours.ts'
import { sourceCount, sourceName } from './layered-project.ts'

const [work = '', address = '', place = '', more = ''] = process.argv.slice(2)
const client = new pg.Client(address)
await client.connect()
if (work === 'rows') await buildRows()
else await buildModels(Number(more))
await client.end()

async function buildRows(): Promise<void> {
  await client.query('DROP SCHEMA IF EXISTS floor CASCADE; CREATE SCHEMA floor')
  await copy('floor.raw', more, place, false)
  await client.query('CREATE TABLE floor.people AS SELECT * FROM floor.raw')
}

async function buildModels(count: number): Promise<void> {
  await client.query('DROP SCHEMA IF EXISTS raw, mart CASCADE; CREATE SCHEMA raw; CREATE SCHEMA mart')
  for (let source = 0; source < sourceCount; source++) {
    const name = sourceName(source)
    await copy(`raw.${name}`, columnsOfSources(), join(place, `${name}.csv`), true)
  }
  const { models } = plainStatements(place, count)
  for (const { create } of models) await client.query(create)
  for (const test of models.flatMap(({ tests }) => tests)) {
    const { rows } = await client.query<{ count: string }>(
      test.replace(/^(SELECT count\(\*\) FROM \(.*\))$/s, '$1 AS found'),
    )
    if (Number(rows[0]?.count) > 0) throw new Error('the synthetic project fails its tests')
  }
}

function columnsOfSources(): string {
  return Object.entries(postgresTypes)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ')
}

async function copy(table: string, columns: string, file: string, hasHeader: boolean): Promise<void> {
  await client.query(`CREATE TABLE ${table} (${columns})`)
  const target = client.query(copyFrom(`COPY ${table} FROM STDIN (FORMAT csv, HEADER ${hasHeader})`))
  await pipeline(createReadStream(file, { highWaterMark: 1 << 20 }), target)
}
