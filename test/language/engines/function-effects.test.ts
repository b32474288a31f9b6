/** Each function of the engines' catalogues is classed once: one without a class, or with two, fails here. */
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { duckdb as duckdbEngine } from '../../../server/language/engines/duckdb/duckdb.ts'
import { extensionFunctions } from '../../../server/language/engines/duckdb/extension-names.generated.ts'
import * as duckdb from '../../../server/language/engines/duckdb/function-effects.ts'
import { type EffectLists, effectWords, isOpen } from '../../../server/language/engines/function-effects.ts'
import * as postgres from '../../../server/language/engines/postgres/function-effects.ts'
import { postgres as postgresEngine } from '../../../server/language/engines/postgres/postgres.ts'
import { lazyPostgres } from '../../support/pglite.ts'
import { functionsOfServer, listedNowhere, withoutEffect } from '../../support/postgres-functions.ts'

let instance: DuckDBInstance
let connection: DuckDBConnection
const server = lazyPostgres()
beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:')
  connection = await instance.connect()
})
afterAll(async () => {
  connection.closeSync()
  instance.closeSync()
  await server.close()
})

async function texts(sql: string): Promise<readonly string[]> {
  return (await connection.runAndReadAll(sql)).getRows().map(([text]) => String(text))
}

function twice(lists: EffectLists): readonly string[] {
  const all = Object.values(lists).flatMap(names => names.trim().split(/\s+/))
  return all.filter((name, index) => all.indexOf(name) !== index)
}

describe('DuckDB', () => {
  it('has no function without a class', async () => {
    const names = await texts(
      "SELECT DISTINCT lower(function_name) FROM duckdb_functions() WHERE regexp_matches(function_name, '^[A-Za-z_]')",
    )
    expect(names.length).toBeGreaterThan(800)
    expect(names.filter(name => duckdb.effectOf(name) === undefined)).toEqual([])
  })

  it('has no class for what it does not have', async () => {
    const names = new Set(await texts('SELECT DISTINCT lower(function_name) FROM duckdb_functions()'))
    const known = (listed: string) =>
      listed.endsWith('*')
        ? [...names].some(name => name.startsWith(listed.slice(0, -1)))
        : names.has(listed.replace(/\/\d+$/, ''))
    const listed = Object.values(duckdb.effectLists).flatMap(text => text.trim().split(/\s+/))
    const { valueWords } = duckdbEngine.functions
    expect(listed.filter(name => !known(name) && !valueWords.has(name))).toEqual([
      // They are of the command line alone, and of an extension that is no longer maintained.
      'getenv',
      'from_substrait',
      'from_substrait_json',
      'get_substrait',
      'get_substrait_json',
    ])
  })

  it('has no class for a function twice, and one for each of its extensions', () => {
    expect(twice(duckdb.effectLists)).toEqual([])
    const names = Object.values(extensionFunctions).flatMap(text => text.split(' '))
    expect(names.filter(name => duckdb.effectOf(name) === undefined)).toEqual([])
    expect(['read_xlsx', 'st_read', 'postgres_query', 'sqlite_scan'].filter(name => isOpenIn(name))).toEqual(
      [],
    )
    expect(['st_area', 'excel_text', 'host'].filter(name => !isOpenIn(name))).toEqual([])
  })

  const isOpenIn = (name: string) => isOpen(duckdb.effectOf(name) ?? 'pure')

  it('has relations of its own, which are all known', async () => {
    const paths = await texts(
      "SELECT concat_ws('.', nullif(schema_name, 'main'), view_name) FROM duckdb_views() WHERE internal",
    )
    expect(paths.length).toBeGreaterThan(40)
    expect(paths.filter(path => !duckdbEngine.binding.isOfEngine(path.split('.')))).toEqual([])
    // Those of pg_catalog are found without their schema too.
    expect(duckdbEngine.binding.isOfEngine(['pg_class'])).toBe(true)
    expect(duckdbEngine.binding.isOfEngine(['memory', 'information_schema', 'tables'])).toBe(true)
    expect(duckdbEngine.binding.isOfEngine(['orders'])).toBe(false)
  })
})

describe('PostgreSQL', () => {
  it('has no function without a class, but for those that may not look at the database', async () => {
    const found = await functionsOfServer(server.rows)
    expect(found.length).toBeGreaterThan(500)
    expect(withoutEffect(found)).toEqual([])
  })

  it('has no class for what it does not have, nor two', async () => {
    const all = (await server.rows('SELECT DISTINCT proname FROM pg_proc')).map(([name]) => String(name))
    expect(listedNowhere(all)).toEqual([])
    expect(twice(postgres.effectLists)).toEqual([])
  })

  it('has relations of its own, which are all known', async () => {
    const paths = await server.rows(
      `SELECT concat_ws('.', nullif(relnamespace::regnamespace::text, 'pg_catalog'), relname) FROM pg_class
        WHERE relnamespace::regnamespace::text IN ('pg_catalog', 'information_schema')`,
    )
    expect(paths.length).toBeGreaterThan(200)
    const { isOfEngine } = postgresEngine.binding
    expect(paths.filter(([path]) => !isOfEngine(String(path).split('.')))).toEqual([])
    expect(isOfEngine(['pg_catalog', 'pg_stats'])).toBe(true)
    expect(isOfEngine(['public', 'orders'])).toBe(false)
  })
})

it('has words for each effect that is not open', () => {
  for (const [effect, { does, instead }] of Object.entries(effectWords)) {
    expect(isOpen(effect as keyof typeof effectWords)).toBe(false)
    expect(does).toMatch(/^[a-z].*[^.]$/)
    expect(instead).toMatch(/\.$/)
  }
})
