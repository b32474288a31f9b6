/** The example whose SQL both engines speak gives the same rows on both, before and after a change and its rollback. */
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProjectHere, type ProjectHere } from '../support/cli-here.ts'
import { canStartPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'

const example = join(import.meta.dirname, '..', '..', 'examples', 'library')
const tables = ['books', 'readers', 'loans', 'book_use', 'cities']

describe.runIf(canStartPostgres())('the library, on DuckDB and on PostgreSQL', () => {
  let server: PostgresServer
  let places: readonly (readonly [ProjectHere, { readonly WAREHOUSE: string }])[]

  beforeAll(async () => {
    server = await startPostgres()
    const warehouses = ['duckdb:./warehouse.duckdb', await server.createDatabase()]
    places = warehouses.map(WAREHOUSE => {
      const project = createProjectHere({})
      cpSync(example, project.root, { recursive: true })
      return [project, { WAREHOUSE }] as const
    })
  })

  afterAll(async () => {
    for (const [project] of places) project.dispose()
    await server.stop()
  })

  async function both(words: readonly string[]): Promise<readonly string[]> {
    const told: string[] = []
    for (const [project, env] of places) {
      const { code, stdout, stderr } = await project.svc([...words, '--env', 'prod'], { env })
      expect({ code, told: code === 0 ? '' : stderr + stdout }).toEqual({ code: 0, told: '' })
      told.push(stdout)
    }
    return told
  }

  /** The rows of every table, sorted; numbers by their value, as each engine has its own way to write them. */
  async function filmOf(): Promise<readonly unknown[]> {
    const films: Record<string, readonly string[]>[] = [{}, {}]
    for (const table of tables) {
      const answers = await both(['sample', table, '--limit', '100', '--json'])
      for (const [place, answer] of answers.entries()) {
        const { rows } = JSON.parse(answer) as { rows: Record<string, unknown>[] }
        const film = films[place]
        if (film !== undefined) film[table] = rows.map(textOf).sort()
      }
    }
    return films
  }

  function textOf(row: Readonly<Record<string, unknown>>): string {
    return JSON.stringify(Object.entries(row).map(([name, value]) => [name, plain(value)]))
  }

  function plain(value: unknown): unknown {
    const isNumber = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)
    return isNumber ? Number(value) : value
  }

  it('shows the same rows after its first run, after a change, and after the rollback', async () => {
    await both(['run'])
    const [onDuckdb, onPostgres] = await filmOf()
    expect(onPostgres).toEqual(onDuckdb)
    expect(Object.values(onDuckdb as Record<string, unknown[]>).map(rows => rows.length)).toEqual([
      5, 4, 7, 5, 6,
    ])
    for (const [project] of places) {
      const text = readFileSync(join(project.root, 'svc.yaml'), 'utf8')
      project.write('svc.yaml', text.replace('loan_days: 21', 'loan_days: 14'))
    }
    await both(['run'])
    const [changed, changedToo] = await filmOf()
    expect(changedToo).toEqual(changed)
    expect(changed).not.toEqual(onDuckdb)
    await both(['rollback'])
    expect(await filmOf()).toEqual([onDuckdb, onDuckdb])
  })
})
