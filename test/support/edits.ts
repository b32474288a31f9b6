/**
 * Edits of sources whose loads gather rows: load 1, the edit, load 2 of a source that has dropped its old rows. What was gathered
 * is kept, or a run counts it and asks. All assets of a warehouse are one project, so that a matrix is two runs.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { planWithState } from '../../cli/engine/run/plan-run.ts'
import type { TestProject } from '../engine/run/test-project.ts'
import { type Edit, firstRows, placeOf, type Row, row, type SourceName, secondRows } from './edit-cases.ts'

// ---------------------------------------------------------------- sources

class Sources {
  private server: Server | undefined
  private readonly answers = new Map<string, readonly Row[]>()
  port = 0

  private readonly root: string

  constructor(root: string) {
    this.root = root
  }

  async start(): Promise<void> {
    this.server = createServer((request, response) => {
      const path = new URL(request.url ?? '/', 'http://x').pathname.replace(/^\/+/, '')
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(this.answers.get(path) ?? []))
    })
    await new Promise<void>(resolve => this.server?.listen(0, '127.0.0.1', resolve))
    this.port = (this.server.address() as AddressInfo).port
  }

  stop(): void {
    this.server?.close()
  }

  /** Gives each edit's source its rows. */
  async fill(edits: readonly Edit[], round: 1 | 2): Promise<void> {
    for (const each of edits) {
      const rows = round === 1 ? firstRows.map(withHalf) : (each.second ?? secondRows).map(withHalf)
      const folder = join(this.root, 'data', each.name)
      mkdirSync(folder, { recursive: true })
      if (each.kind === 'rest') this.answers.set(each.name, rows)
      if (each.kind === 'ndjson') {
        writeFileSync(join(folder, 'r.ndjson'), ndjson(rows))
        writeFileSync(join(folder, 'q.ndjson'), ndjson([withHalf(row(8))]))
      }
      if (each.kind === 'csv') writeFileSync(join(folder, 'r.csv'), csv(rows))
      if (each.kind === 'files') {
        rmSync(folder, { recursive: true })
        mkdirSync(folder)
        const isNothing = round === 2 && rows.length === 0
        if (isNothing || round === 1) writeFileSync(join(folder, 'a1.csv'), csv(firstRows.map(withHalf)))
        else writeFileSync(join(folder, 'b2.csv'), csv(rows.slice(1)))
      }
    }
    await this.fillDatabases(edits, round)
  }

  private async fillDatabases(edits: readonly Edit[], round: 1 | 2): Promise<void> {
    const statements = (kind: SourceName) =>
      edits
        .filter(each => each.kind === kind)
        .flatMap(({ name, second }) => [
          `DROP TABLE IF EXISTS ${name}`,
          ...tableOf(name, round === 1 ? firstRows : (second ?? secondRows)),
        ])
    const { default: Libsql } = await import('libsql')
    const database = new Libsql(join(this.root, 'shop.db'))
    for (const statement of statements('sqlite')) database.exec(statement)
    database.close()
    const { DuckDBInstance } = await import('@duckdb/node-api')
    const instance = await DuckDBInstance.create(join(this.root, 'shop.duckdb'))
    const connection = await instance.connect()
    for (const statement of statements('duckdb')) await connection.run(statement)
    connection.closeSync()
    instance.closeSync()
  }
}

const withHalf = (each: Row): Row => ({ ...each, half: Number(each['w']) + 0.5 })

function ndjson(rows: readonly Row[]): string {
  return rows.map(each => `${JSON.stringify(each)}\n`).join('')
}

function csv(rows: readonly Row[]): string {
  const names = Object.keys(withHalf(row(1)))
  return `${[names.join(','), ...rows.map(each => names.map(name => each[name]).join(','))].join('\n')}\n`
}

function tableOf(name: string, rows: readonly Row[]): readonly string[] {
  const lines = rows.map(({ id, at, v, w, mail }) => `(${id}, '${at}', '${v}', ${w}, '${mail}')`)
  return [
    `CREATE TABLE ${name} (id INTEGER, "at" TEXT, v TEXT, w INTEGER, mail TEXT)`,
    ...(lines.length === 0 ? [] : [`INSERT INTO ${name} VALUES ${lines.join(', ')}`]),
  ]
}

function assetText({ name, kind }: Edit, keys: string, port: number): string {
  if (keys === '=none') return 'ingest: none\ntransform: SELECT 1 AS id'
  const rowsText = (rows: readonly Row[]) => JSON.stringify(rows.map(withHalf))
  const own = keys.startsWith('=')
    ? keys.slice(1)
    : [placeOf[kind]({ name, port }), keys].filter(Boolean).join(', ')
  const ingest = own
    .replace('$port', String(port))
    .replace('$first', () => rowsText(firstRows))
    .replace('$second', () => rowsText(secondRows))
  return `ingest: {${ingest}}\ntransform: SELECT * FROM {{ source }}`
}

// ---------------------------------------------------------------- the matrix

/** Runs all edits in one project, and returns what is wrong. */
export async function wrongEdits(
  p: TestProject,
  edits: readonly Edit[],
  environment = 'prod',
): Promise<readonly string[]> {
  const sources = new Sources(p.root)
  await sources.start()
  try {
    p.settings = `environments: {${environment}: {promotion: passed}}`
    p.env = { SVC_MASK_KEY: 'a key of the tests that is long enough', TOKEN: 'a token' }
    const write = (which: 'before' | 'after') => {
      for (const each of edits) p.files[each.name] = assetText(each, each[which], sources.port)
    }
    await sources.fill(edits, 1)
    write('before')
    const first = await p.run({}, environment)
    if (first.status !== 'deployed') return [`load 1: ${first.failure?.asset} ${first.failure?.message}`]
    await sources.fill(edits, 2)
    write('after')
    const planned = await plannedRefusals(p, environment)
    const report = await p.run({}, environment)
    const wrong: string[] = []
    for (const each of edits) {
      const status = report.assets.find(({ name }) => name === each.name)?.status
      const found = await wrongOf(p, each, { status, refusal: planned.get(each.name), environment })
      wrong.push(...found.map(text => `${each.name}: ${text}`))
    }
    return wrong
  } finally {
    sources.stop()
  }
}

async function plannedRefusals(p: TestProject, environment: string): Promise<ReadonlyMap<string, string>> {
  const workspace = await p.workspace(environment)
  try {
    const request = { kind: 'run', selector: undefined, noIngest: false, allTests: false } as const
    const { refusals } = await planWithState(workspace, request, () => undefined)
    return new Map(refusals.map(({ asset, message }) => [asset, message]))
  } finally {
    await workspace.close()
  }
}

async function wrongOf(
  p: TestProject,
  { name, kind, wanted, finds, warns, ids }: Edit,
  found: {
    readonly status: string | undefined
    readonly refusal: string | undefined
    readonly environment: string
  },
): Promise<readonly string[]> {
  const table = `${found.environment === 'prod' ? 'analytics' : `analytics_${found.environment}`}.${name}`
  const mine = p.events.flatMap(event => ('asset' in event && event.asset === name ? [event] : []))
  const failed = mine.find(event => event.type === 'asset-failed')
  const warnings = mine.flatMap(event => (event.type === 'warning' ? [event] : []))
  const lost = warnings.find(({ code }) => code === 'lost-history')
  const here = (await p.query(`SELECT DISTINCT id FROM ${table} ORDER BY 1`)).map(({ id }) => Number(id))
  const meant = wanted === 'asked' ? [1, 2, 3] : (ids ?? [1, 2, 3, 4])
  const wrong: string[] = []
  if (String(here) !== String(meant))
    wrong.push(
      `has ${here}, and ${meant} was meant${failed?.type === 'asset-failed' ? ` (${failed.message})` : ''}`,
    )
  if (wanted === 'asked') {
    if (failed?.type !== 'asset-failed' || failed.code !== 'history-lost')
      wrong.push(`was not refused: ${JSON.stringify(failed)}`)
    else if (!failed.message.includes('the 3 rows')) wrong.push(`does not count: ${failed.message}`)
  } else if (failed !== undefined) wrong.push(`failed: ${JSON.stringify(failed)}`)
  if ((wanted === 'asked') !== (found.refusal?.includes('the 3 rows') === true))
    wrong.push(`the plan says of a refusal: ${found.refusal}`)
  if (wanted === 'told' && lost?.count !== 3) wrong.push(`loses without a word: ${JSON.stringify(warnings)}`)
  if (warns !== undefined && !warnings.some(({ message }) => warns.test(message)))
    wrong.push(`warns of ${JSON.stringify(warnings.map(({ message }) => message))}`)
  if (finds !== undefined && failed === undefined) {
    const rows = (await p.query(finds[0].replace('$t', table))).map(each => JSON.stringify(each, plain))
    if (String(rows) !== String(finds[1].map(each => JSON.stringify(each, plain))))
      wrong.push(`${finds[0]} gives ${rows} (${kind})`)
  }
  return wrong
}

/** Numbers of both engines are compared as texts. */
function plain(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' || typeof value === 'number' ? String(value) : value
}
