/**
 * Started as a program: `database-floor postgres <address> <table>` copies a table as CSV, `database-floor mariadb <address>
 * <table>` selects it; the rows go nowhere. The least that asking for them costs.
 */
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import mysql from 'mysql2'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'

const [kind = '', address = '', table = ''] = process.argv.slice(2)
if (kind === 'postgres') await copy()
else await select()

async function copy(): Promise<void> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  const nobody = new Writable({ write: (_chunk, _encoding, done) => done() })
  await pipeline(client.query(copyTo(`COPY ${table} TO STDOUT (FORMAT csv)`)), nobody)
  await client.end()
}

async function select(): Promise<void> {
  const connection = mysql.createConnection(address)
  const query = connection.query({
    sql: `SELECT * FROM ${table}`,
    rowsAsArray: true,
    typeCast: field => field.buffer(),
  })
  await new Promise<void>((resolve, reject) => {
    query.on('result', () => undefined)
    query.on('error', reject)
    query.on('end', () => resolve())
  })
  connection.destroy()
}
