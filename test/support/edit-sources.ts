/** The sources of the matrix of edits: files here and over HTTP, a web service, and tables of four kinds of databases. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { type Edit, firstRows, type Row, row, type SourceName, secondRows } from './edit-cases.ts'
import { type MariadbServer, startMariadb } from './mariadb.ts'
import { type PostgresServer, startPostgres } from './postgres.ts'

export class Sources {
  private server: Server | undefined
  private readonly answers = new Map<string, readonly Row[]>()
  private mariadb: MariadbServer | undefined
  private postgres: PostgresServer | undefined
  private addresses: Readonly<Record<string, string>> = {}
  port = 0

  private readonly root: string

  constructor(root: string) {
    this.root = root
  }

  /** Starts the servers that the edits need, and returns the environment variables that name them. */
  async start(edits: readonly Edit[]): Promise<Readonly<Record<string, string>>> {
    this.server = createServer((request, response) => {
      const path = new URL(request.url ?? '/', 'http://x').pathname.replace(/^\/+/, '')
      const rows = this.answers.get(path.replace(/\.ndjson$/, '')) ?? []
      if (path.endsWith('.ndjson')) response.end(ndjson(rows))
      else response.setHeader('Content-Type', 'application/json').end(JSON.stringify(rows))
    })
    await new Promise<void>(resolve => this.server?.listen(0, '127.0.0.1', resolve))
    this.port = (this.server.address() as AddressInfo).port
    if (edits.some(({ kind }) => kind === 'mysql')) {
      this.mariadb = await startMariadb()
      this.addresses = { ...this.addresses, MARIADB: await this.mariadb.createDatabase() }
    }
    if (edits.some(({ kind }) => kind === 'postgres')) {
      this.postgres = await startPostgres()
      this.addresses = { ...this.addresses, POSTGRES: await this.postgres.createDatabase() }
    }
    return this.addresses
  }

  async stop(): Promise<void> {
    this.server?.close()
    await this.mariadb?.stop()
    await this.postgres?.stop()
  }

  /** Gives each edit's source its rows. */
  async fill(edits: readonly Edit[], round: 1 | 2): Promise<void> {
    for (const each of edits) {
      const rows = round === 1 ? firstRows.map(withHalf) : (each.second ?? secondRows).map(withHalf)
      const folder = join(this.root, 'data', each.name)
      mkdirSync(folder, { recursive: true })
      if (each.kind === 'rest') this.answers.set(each.name, rows)
      if (each.kind === 'http') {
        this.answers.set(`files/${each.name}/r`, rows)
        this.answers.set(`files/${each.name}/q`, [withHalf(row(8))])
      }
      if (each.kind === 'nested') {
        writeFileSync(join(folder, 'r.ndjson'), ndjson(rows.map(withList)))
        writeFileSync(join(folder, 'q.ndjson'), ndjson([withList(row(8))]))
      }
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
    if (this.addresses['MARIADB'] !== undefined) {
      const connection = await mysql.createConnection({ uri: this.addresses['MARIADB'] })
      await connection.query("SET SESSION sql_mode = 'ANSI_QUOTES'")
      for (const statement of statements('mysql')) await connection.query(statement)
      await connection.end()
    }
    if (this.addresses['POSTGRES'] !== undefined) {
      const client = new pg.Client({ connectionString: this.addresses['POSTGRES'] })
      await client.connect()
      for (const statement of statements('postgres')) await client.query(statement)
      await client.end()
    }
  }
}

export const withHalf = (each: Row): Row => ({ ...each, half: Number(each['w']) + 0.5 })

const withList = (each: Row): Row => ({
  ...withHalf(each),
  lines: [
    { sku: `a${each['id']}`, price: Number(each['id']) },
    { sku: `b${each['id']}`, price: 2 },
  ],
})

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
