/**
 * Started as a program: `rest-floor <address> <database file>` reads all pages one after the other into a file, as they
 * are, and lets DuckDB alone make the two tables of it. No retries, no types, no checks: the least that the work costs.
 */
import { createWriteStream, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { DuckDBInstance } from '@duckdb/node-api'
import { nestedQuestion } from './nested-records.ts'

const [address = '', database = ''] = process.argv.slice(2)
const spool = `${database}.ndjson`
await readPages()
const instance = await DuckDBInstance.create(database)
const connection = await instance.connect()
const pages = `read_json('${spool}', format = 'newline_delimited', maximum_object_size = 33554432)`
for (const statement of [
  `CREATE TEMP TABLE page_records AS SELECT unnest(data, recursive := false) AS r FROM ${pages}`,
  `CREATE TABLE records AS SELECT r.id, r.uid, r.name, r.email, r.active, r.score, r.created_at, r.country, r.note,
     r.address.street AS address__street, r.address.city AS address__city, r.address.zip AS address__zip
   FROM page_records`,
  `CREATE TABLE orders AS SELECT id AS parent_id, o.sku, o.qty, o.price
   FROM (SELECT r.id, unnest(r.orders) AS o FROM page_records)`,
]) {
  await connection.run(statement)
}
const answer = (await connection.runAndReadAll(nestedQuestion('records', 'orders'))).getRowsJson()
console.log(JSON.stringify(answer))
connection.closeSync()
instance.closeSync()
rmSync(spool)

async function readPages(): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const file = createWriteStream(spool)
  const count = (JSON.parse((await read(agent, 1)).toString()) as { pages: number }).pages
  for (let page = 1; page <= count; page++) {
    const body = await read(agent, page)
    if (!file.write(body)) await new Promise<void>(resolve => file.once('drain', () => resolve()))
    file.write('\n')
  }
  await new Promise<void>(resolve => file.end(() => resolve()))
  agent.destroy()
}

function read(agent: Agent, page: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    get(`${address}/records?page=${page}`, { agent }, response => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('end', () => resolve(Buffer.concat(chunks)))
    }).once('error', reject)
  })
}
