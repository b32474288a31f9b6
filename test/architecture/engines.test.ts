import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { namingFiles, unhandedFiles } from './engines.ts'

const root = join(import.meta.dirname, '..', '..')

/** One line an engine. */
const doors = [
  'cli/engine/warehouse/open.ts',
  'server/catalog/embedded.ts',
  'server/catalog/worker/databases.ts',
  'server/language/engines/formatters.ts',
  'server/language/engines/index.ts',
]

/** Words that people read: a new project has a file of the usual engine, and hints name it. */
const texts = ['cli/commands/init.ts', 'cli/engine/error-meanings.ts']

describe('an engine', () => {
  it('is named in its rooms, and in the few files that are listed here', () => {
    expect(namingFiles(root)).toEqual([...doors, ...texts].sort())
  })

  it('comes from the project, and where none is named yet from the list of engines', () => {
    expect(unhandedFiles(root)).toEqual(['server/language/engines/index.ts'])
  })
})

describe('a planted name is found:', () => {
  let copy = ''

  beforeEach(() => {
    copy = mkdtempSync(join(tmpdir(), 'svc-engines-'))
  })

  afterEach(() => rmSync(copy, { recursive: true }))

  function plant(file: string, text: string): void {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    writeFileSync(join(copy, file), text)
  }

  it.each([
    ['an import', "import { x } from '../warehouse/duckdb/dialect.ts'"],
    ['an identifier', 'export const isDuckDb = true'],
    ['a string', "export const kind = 'postgres'"],
    ['a text', 'export const hint = `a warehouse of Trino`'],
  ])('%s', (_, text) => {
    plant('cli/engine/run/x.ts', text)
    expect(namingFiles(copy)).toEqual(['cli/engine/run/x.ts'])
  })

  it('not in a comment, nor in a room', () => {
    plant('cli/engine/run/x.ts', '/** As DuckDB does. */\n// DuckDB\nexport const x = 1 // duckdb\n')
    for (const file of [
      'server/language/engines/postgres.ts',
      'server/catalog/postgres/x.ts',
      'cli/engine/warehouse/trino/x.ts',
    ])
      plant(file, "export const kind = 'postgres or trino'")
    expect(namingFiles(copy)).toEqual([])
  })

  it('but beside a room', () => {
    plant('server/catalog/postgres-words.ts', "export const kind = 'postgres'")
    expect(namingFiles(copy)).toEqual(['server/catalog/postgres-words.ts'])
  })
})
