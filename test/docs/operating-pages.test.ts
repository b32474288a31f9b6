/** What the pages about sizes and about uninstalling say, compared with what was measured and with what svc leaves. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lineIn } from '../cli/bad-input/command-line.ts'

const root = join(import.meta.dirname, '..', '..')
const read = (name: string) => readFileSync(join(root, 'docs', name), 'utf8')

/** The cells of all tables of a text, heads included. */
const rowsOf = (text: string) =>
  text
    .split('\n')
    .filter(line => line.startsWith('|') && !line.startsWith('|-'))
    .map(line => line.split('|').slice(1, -1))

describe('docs/sizing.md', () => {
  it('has no figure of time or memory that docs/benchmarks.md does not have for the same work', () => {
    const measured = read('benchmarks.md').split('\n')
    const isMeasured = (numbers: readonly string[]) =>
      measured.some(line => numbers.every(number => line.split(/[^\d.,]+/).includes(number)))
    const rows = rowsOf(read('sizing.md')).slice(1)
    expect(rows.length).toBeGreaterThan(10)
    for (const [work = '', ...figures] of rows) {
      const numbers = figures.flatMap(cell => cell.match(/\d[\d.,]*/g) ?? [])
      expect(numbers.length, work).toBeGreaterThan(0)
      expect([work, isMeasured(numbers)]).toEqual([work, true])
    }
  })
})

describe('docs/uninstalling.md', () => {
  const page = read('uninstalling.md')
  const firstCells = (title: string) => {
    const part = page.split(/^## /m).find(text => text.startsWith(`${title}\n`)) ?? ''
    return rowsOf(part)
      .slice(1)
      .map(([cell = '']) => cell.trim())
  }
  const folder = mkdtempSync(join(tmpdir(), 'svc-left-'))
  const [project, home, temporary] = ['shop', 'home', 'tmp'].map(name => join(folder, name))
  const svc = async (line: string) => {
    const env = { PATH: process.env['PATH'] ?? '', HOME: String(home), TMPDIR: String(temporary) }
    const { code, stdout, stderr } = await lineIn(String(project), line.split(' '), { env, program: 'tests' })
    expect(code, line + stdout + stderr).toBe(0)
  }
  let before: readonly string[] = []

  beforeAll(async () => {
    for (const place of [home, temporary]) mkdirSync(String(place))
    cpSync(join(root, 'test', 'fixtures', 'shop'), String(project), { recursive: true })
    before = readdirSync(String(project))
    for (const line of [
      'init',
      'validate',
      'plan',
      'run',
      'run --env prod',
      'sample orders --env prod --size 5',
      'status',
    ])
      await svc(line)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('names all files that svc leaves in a project, and that there are none elsewhere', () => {
    const made = readdirSync(String(project)).filter(name => !before.includes(name))
    const named = firstCells('In the project').map(cell => cell.replace(/^`|\/?`$/g, ''))
    expect(made.toSorted()).toEqual(named.toSorted())
    expect([readdirSync(String(home)), readdirSync(String(temporary))]).toEqual([[], []])
  })

  it('names all schemas of the warehouse, and its query lists those that are not production', async () => {
    const instance = await DuckDBInstance.create(join(String(project), 'warehouse.duckdb'), {
      access_mode: 'READ_ONLY',
    })
    const connection = await instance.connect()
    const schemas = async (sql: string) =>
      (await connection.runAndReadAll(sql)).getRows().map(([name]) => String(name))
    const query = /^SELECT schema_name .*$/m.exec(page)?.[0] ?? ''
    const listed = new Set(await schemas(query))
    const all = await schemas(
      "SELECT DISTINCT schema_name FROM information_schema.schemata WHERE catalog_name = 'warehouse'",
    )
    connection.closeSync()
    instance.closeSync()
    const own = all.filter(name => !['main', 'information_schema', 'pg_catalog'].includes(name))
    const production = own.filter(name => name.startsWith('analytics'))
    expect(production).toHaveLength(2)
    expect(listed).toEqual(new Set(own.filter(name => !production.includes(name))))
    const named = firstCells('In the warehouse').flatMap(cell => cell.match(/(?<=`)[a-z_]+/g) ?? [])
    for (const name of own)
      expect([
        name,
        named.some(begin => name === begin || name.startsWith(`${begin.replace(/_$/, '')}_`)),
      ]).toEqual([name, true])
    for (const kind of ['svc_g_', 'svc_samples'])
      expect(
        [...listed].some(name => name.startsWith(kind)),
        kind,
      ).toBe(true)
  })

  it('names the one file of the home', async () => {
    await svc('config ai --provider openai --model gpt --api-key env:OPENAI_API_KEY')
    expect(readdirSync(String(home), { recursive: true })).toEqual(['.svc', join('.svc', 'config')])
    expect(firstCells('On the machine')).toContain('`~/.svc/config`')
  })
})
