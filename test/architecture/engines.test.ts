import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { namingFiles, unhandedFiles } from './engines.ts'
import { plantedFiles } from './planted-files.ts'

const root = join(import.meta.dirname, '..', '..')

/** One line an engine. */
const doors = [
  'cli/engine/import/dbt/dialect.ts',
  'cli/engine/warehouse/open.ts',
  'server/catalog/embedded.ts',
  'server/catalog/shadow-tables.ts',
  'server/catalog/unit/unit-sql.ts',
  'server/catalog/worker/databases.ts',
  'server/language/engines/formatters.ts',
  'server/language/engines/index.ts',
]

/** Words that people read: a new project has a file of the usual engine, and hints name it; databases to read from; an example of a problem that one engine alone has. */
const texts = [
  'cli/commands/init.ts',
  'cli/engine/error-meanings.ts',
  'cli/engine/import/dbt/databases.ts',
  'server/language/checks/examples/schema.ts',
  'server/language/sources/sql.ts',
]

describe('an engine', () => {
  it('is named in its rooms, and in the few files that are listed here', () => {
    expect(namingFiles(root)).toEqual([...doors, ...texts].sort())
  })

  it('comes from the project, and where none is named yet from the list of engines', () => {
    expect(unhandedFiles(root)).toEqual(['server/language/engines/index.ts'])
  })
})

describe('a planted name is found:', () => {
  const planted = plantedFiles()

  it.each([
    ['an import', "import { x } from '../warehouse/duckdb/dialect.ts'"],
    ['an identifier', 'export const isDuckDb = true'],
    ['a string', "export const kind = 'postgres'"],
    ['a text', 'export const hint = `a warehouse of Trino`'],
  ])('%s', (_, text) => {
    planted.plant('cli/engine/run/x.ts', text)
    expect(namingFiles(planted.root)).toEqual(['cli/engine/run/x.ts'])
  })

  it('not in a comment, nor in a room', () => {
    planted.plant('cli/engine/run/x.ts', '/** As DuckDB does. */\n// DuckDB\nexport const x = 1 // duckdb\n')
    for (const file of [
      'server/language/engines/postgres.ts',
      'server/catalog/postgres/x.ts',
      'cli/engine/warehouse/trino/x.ts',
    ])
      planted.plant(file, "export const kind = 'postgres or trino'")
    expect(namingFiles(planted.root)).toEqual([])
  })

  it('but beside a room', () => {
    planted.plant('server/catalog/postgres-words.ts', "export const kind = 'postgres'")
    expect(namingFiles(planted.root)).toEqual(['server/catalog/postgres-words.ts'])
  })
})
