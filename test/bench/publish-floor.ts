/**
 * Started as a program: `publish-floor copy <database file> <address> <table>` writes the rows as CSV and copies them into
 * a new table with a key; `publish-floor post <database file> <address>` posts them, a thousand a request, four at a time.
 * No difference, no outcomes, no retries: the least that the work costs.
 */
import { createReadStream, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

const [way = '', database = '', address = '', table = ''] = process.argv.slice(2)
const spool = `${database}.spool`
if (way === 'copy') await copy()
else await post()
rmSync(spool)

async function write(options: string, columns = '*'): Promise<void> {
  const instance = await DuckDBInstance.create(database, { access_mode: 'READ_ONLY' })
  const connection = await instance.connect()
  await connection.run(`COPY (SELECT ${columns} FROM mart.people) TO '${spool}' ${options}`)
  connection.closeSync()
  instance.closeSync()
}

async function copy(): Promise<void> {
  await write('(FORMAT csv, HEADER false)')
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  await client.query(
    `CREATE TABLE ${table} (id bigint PRIMARY KEY, email text, name text, amount double precision, day date, active boolean)`,
  )
  await pipeline(createReadStream(spool), client.query(copyFrom(`COPY ${table} FROM STDIN (FORMAT csv)`)))
  await client.end()
}

async function post(): Promise<void> {
  await write('(FORMAT json)')
  const lines = readFileSync(spool, 'utf8').trimEnd().split('\n')
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  let next = 0
  async function work(): Promise<void> {
    for (let from = next; from < lines.length; from = next) {
      next = from + 1000
      await send(agent, `[${lines.slice(from, next).join(',')}]`)
    }
  }
  await Promise.all([work(), work(), work(), work()])
  agent.destroy()
}

function send(agent: Agent, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(address, { method: 'POST', agent }, response => {
      response.resume()
      response.once('end', () => resolve())
    })
    sent.once('error', reject)
    sent.end(body)
  })
}
