/** A shop with every way of keeping rows, two environments and a source that drops what it has delivered. */
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { closeLeftOpen } from '../../../cli/engine/warehouse/duckdb/open-instances.ts'
import { lineIn, type Said } from '../../cli/bad-input/command-line.ts'
import { optionsOf, type Place, type StorePlace } from './place.ts'

export const assets = ['orders', 'customers', 'prices', 'daily', 'events', 'top'] as const

/** Those whose rows are kept from load to load. */
export const gathering = ['orders', 'customers', 'events'] as const

const onFile = 'name: shop\nwarehouse: duckdb:./w.duckdb\n'
const onServer = 'name: shop\nwarehouse: env:WAREHOUSE\n'

export const orders = `name: orders
ingest: {type: file, endpoint: data, resource: orders.ndjson, write: append, incremental: {cursor: seq}}
transform: SELECT id, seq, price, placed_at FROM {{ source }}
freshness: {warn_after: 1d, error_after: 3d}
tests:
  - not_null: id
  - unique: id
`

export const customers = `name: customers
ingest: {type: file, endpoint: data, resource: customers.ndjson, write: merge, primary_key: id, incremental: {cursor: seq}}
transform: SELECT id, name FROM {{ source }}
freshness: {warn_after: 1d}
`

export const prices = `name: prices
ingest: {type: file, endpoint: data, resource: prices.csv}
transform: SELECT price, label FROM {{ source }}
tests:
  - accepted_values: {label: [cheap, dear]}
    severity: warn
`

export const daily = `name: daily
ingest: none
transform: SELECT o.price, count(*) AS n FROM {{ ref('orders') }} o GROUP BY o.price
deploy: {materialize: table}
tests:
  - relationships: {price: prices.price}
    severity: warn
`

export const events = `name: events
ingest: none
transform: SELECT id, placed_at FROM {{ ref('orders') }}
freshness: {warn_after: 2d, column: placed_at}
`

export const top = `name: top
ingest: none
transform: SELECT max(n) AS n FROM {{ ref('daily') }}
deploy: {materialize: view}
`

export const models: Readonly<Record<string, string>> = { orders, customers, prices, daily, events, top }

const firstDay = Date.parse('2026-03-01T12:00:00Z')

/** A project that acts are made on, with a clock that goes on with each command. */
export class Ground {
  root: string
  clock: Date
  /** The environment that comes first in this case: the one that acts are about. */
  here = 'prod'
  /** What all commands since the last question said. */
  heard: Said[] = []
  env: Record<string, string>
  /** The text of svc.yaml. */
  readonly settings: string
  readonly stores = new Map<string, StorePlace>()
  #delivered = 0
  #folder: string

  /** `server`: the address of a database; without one the warehouse is a file of the project. */
  constructor(from?: Ground, server?: string) {
    this.#folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-facts-')))
    this.root = join(this.#folder, 'shop')
    mkdirSync(this.root)
    this.clock = new Date(from?.clock ?? firstDay)
    this.env = { ...from?.env, ...(server !== undefined && { WAREHOUSE: server }) }
    this.settings = this.env['WAREHOUSE'] === undefined ? onFile : onServer
    this.#delivered = from === undefined ? 0 : from.#delivered
    if (from !== undefined) cpSync(from.root, this.root, { recursive: true })
  }

  path(name: string): string {
    return join(this.root, name)
  }

  /** Beside the project's folder. */
  beside(name: string): string {
    return join(this.#folder, name)
  }

  read(path: string): string {
    return readFileSync(this.path(path), 'utf8')
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(this.path(path)), { recursive: true })
    writeFileSync(this.path(path), text)
  }

  edit(path: string, from: string, to: string): void {
    const text = this.read(path)
    if (!text.includes(from)) throw new Error(`${path} has no ${from}`)
    this.write(path, text.replaceAll(from, to))
  }

  model(name: string, text: string): void {
    this.write(`models/${name}.svc`, text)
  }

  remove(path: string): void {
    rmSync(this.path(path), { recursive: true, force: true })
  }

  async move(from: string, to: string): Promise<void> {
    await closeLeftOpen()
    mkdirSync(dirname(this.path(to)), { recursive: true })
    if (existsSync(this.path(from))) renameSync(this.path(from), this.path(to))
  }

  async copy(from: string, to: string): Promise<void> {
    await closeLeftOpen()
    cpSync(this.path(from), this.path(to), { recursive: true })
  }

  checkOut(branch: string): void {
    this.write('.git/HEAD', `ref: refs/heads/${branch}\n`)
  }

  wait(ms: number): void {
    this.clock = new Date(this.clock.getTime() + ms)
  }

  place(environment = this.here): Place {
    const now = () => {
      this.wait(7)
      return new Date(this.clock)
    }
    return { root: this.root, environment, now, env: this.env, store: this.stores.get(environment) }
  }

  /** `svc <words>`, a minute after what was before. */
  async svc(...words: string[]): Promise<Said> {
    this.wait(60_000)
    const place = this.place()
    const said = await lineIn(this.root, words, optionsOf(place))
    this.heard.push(said)
    return said
  }

  /** `svc <words>` in the environment that this case begins with. */
  act(...words: string[]): Promise<Said> {
    return this.svc(...words, '--env', this.here)
  }

  /** The next rows of both sources that gather: each delivery has the rows of the one before, and none that are older. */
  deliver(): void {
    this.#delivered++
    const n = this.#delivered
    const seqs = [2 * n - 3, 2 * n - 2, 2 * n - 1, 2 * n].filter(seq => seq > 0)
    const lines = (make: (seq: number) => object) =>
      seqs.map(seq => `${JSON.stringify(make(seq))}\n`).join('')
    const at = (seq: number) =>
      new Date(firstDay + seq * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
    this.write(
      'data/orders.ndjson',
      lines(seq => ({ id: seq, seq, price: seq % 2, placed_at: at(seq) })),
    )
    this.write(
      'data/customers.ndjson',
      lines(seq => ({ id: seq % 2 === 0 ? seq / 2 : 1000 + seq, seq, name: `n${seq}` })),
    )
  }

  /** The keys that the sources deliver now, by the asset that gathers them. */
  delivered(): ReadonlyMap<string, readonly number[]> {
    const keys = (path: string) => {
      if (!existsSync(this.path(path))) return []
      const lines = this.read(path).split('\n').filter(Boolean)
      return [...new Set(lines.map(line => Number((JSON.parse(line) as { id?: unknown }).id)))].filter(
        Number.isFinite,
      )
    }
    return new Map([
      ['orders', keys('data/orders.ndjson')],
      ['customers', keys('data/customers.ndjson')],
      ['events', keys('data/orders.ndjson')],
    ])
  }

  append(path: string, text: string): void {
    appendFileSync(this.path(path), text)
  }

  async dispose(): Promise<void> {
    await closeLeftOpen()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** A shop in which each of the environments has had two deliveries, on the branch `main`. */
export async function settledGround(order: readonly string[], server?: string): Promise<Ground> {
  const ground = new Ground(undefined, server)
  ground.write('svc.yaml', ground.settings)
  ground.checkOut('main')
  ground.write('data/prices.csv', 'price,label\n0,cheap\n1,dear\n')
  for (const [name, text] of Object.entries(models)) ground.model(name, text)
  for (let round = 0; round < 2; round++) {
    ground.deliver()
    for (const environment of order) {
      const { code, stdout, stderr } = await ground.svc('run', '--env', environment)
      if (code !== 0) throw new Error(`the shop does not run in ${environment}:\n${stdout}${stderr}`)
    }
  }
  await closeLeftOpen()
  return ground
}
