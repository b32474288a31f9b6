/**
 * Started as a program: `postgres-rest-floor <address of the database> <address of the pages>` reads all pages one after
 * the other and copies their records and orders as they come into two tables. No retries, no checks: the least that the
 * work costs. Prints what the tables have.
 */
import { Agent, get } from 'node:http'
import { PassThrough } from 'node:stream'
import { finished } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { countedQuestion, type NestedRecord } from './nested-records.ts'

const [address = '', pages = ''] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const [first, second] = [new pg.Client(address), new pg.Client(address)]
await Promise.all([first.connect(), second.connect()])
await first.query('DROP SCHEMA IF EXISTS floor CASCADE; CREATE SCHEMA floor')
const records = await copyInto(
  first,
  'floor.records',
  `id bigint, uid text, name text, email text, active boolean, score double precision, created_at timestamptz,
  country text, note text, address__street text, address__city text, address__zip text`,
)
const orders = await copyInto(
  second,
  'floor.orders',
  'parent_id bigint, sku text, qty bigint, price double precision',
)
const count = (await page(1)).pages
for (let number = 1; number <= count; number++) await copyPage((await page(number)).data)
await Promise.all([records.end(), orders.end()])
const { rows } = await first.query(countedQuestion('floor.records', 'floor.orders'))
console.log(JSON.stringify(rows))
await Promise.all([first.end(), second.end()])
agent.destroy()

interface Copy {
  write(lines: string): Promise<void>
  end(): Promise<void>
}

async function copyInto(client: pg.Client, table: string, columns: string): Promise<Copy> {
  await client.query(`CREATE UNLOGGED TABLE ${table} (${columns})`)
  const target = client.query(copyFrom(`COPY ${table} FROM STDIN (FORMAT csv)`))
  const source = new PassThrough({ highWaterMark: 1 << 20 })
  source.pipe(target)
  return {
    async write(lines) {
      if (lines !== '' && !source.write(lines)) await new Promise(resolve => source.once('drain', resolve))
    },
    async end() {
      source.end()
      await finished(target)
    },
  }
}

async function copyPage(data: readonly NestedRecord[]): Promise<void> {
  let [lines, of] = ['', '']
  for (const { id, uid, name, email, active, score, created_at, country, note, address, orders } of data) {
    const { street, city, zip } = address
    lines += `${id},${uid},${name},${email},${active},${score},${created_at},${country},${note ?? ''},${street},${city},${zip}\n`
    for (const { sku, qty, price } of orders) of += `${id},${sku},${qty},${price}\n`
  }
  await Promise.all([records.write(lines), orders.write(of)])
}

interface Page {
  readonly data: readonly NestedRecord[]
  readonly pages: number
}

function page(number: number): Promise<Page> {
  return new Promise((resolve, reject) => {
    get(`${pages}/records?page=${number}`, { agent }, response => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString()) as Page))
    }).once('error', reject)
  })
}
