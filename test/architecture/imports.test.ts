import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findViolations, readRules } from './imports.ts'

const root = join(import.meta.dirname, '..', '..')
const rules = readRules(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8'))

describe('the source', () => {
  it('imports only what ARCHITECTURE.md allows', () => {
    expect(findViolations(root, rules)).toEqual([])
  })
})

describe('a planted violation is found:', () => {
  let copy = ''

  beforeEach(() => {
    copy = mkdtempSync(join(tmpdir(), 'svc-architecture-'))
    for (const file of ['cli/engine/errors.ts', 'server/language/index.ts']) {
      mkdirSync(dirname(join(copy, file)), { recursive: true })
      cpSync(join(root, file), join(copy, file))
    }
  })

  afterEach(() => rmSync(copy, { recursive: true }))

  function plant(file: string, text: string): readonly string[] {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    writeFileSync(join(copy, file), text)
    return findViolations(copy, rules).map(violation => `${violation.file} ${violation.message}`)
  }

  const cases: readonly (readonly [string, string, string, string])[] = [
    [
      'the language reads files',
      'server/language/text/x.ts',
      "import { readFileSync } from 'node:fs'",
      'node:fs',
    ],
    [
      'the language knows the CLI',
      'server/language/x.ts',
      "import '../../cli/engine/errors.ts'",
      'cli/engine/errors.ts',
    ],
    [
      'the catalogue knows the CLI',
      'server/catalog/x.ts',
      "export * from '../../cli/engine/errors.ts'",
      'cli/engine',
    ],
    [
      'a plan runs',
      'cli/engine/plan/x.ts',
      "import type { RunReport } from '../run/events.ts'",
      'cli/engine/run',
    ],
    [
      'the engine renders',
      'cli/engine/run/x.ts',
      "const x = await import('../../render/table.ts')",
      'cli/render',
    ],
    [
      'a report reads the clock of the system',
      'cli/render/x.ts',
      "import { hostname } from 'node:os'",
      'node:os',
    ],
    ['an unknown package', 'cli/commands/x.ts', "import lodash from 'lodash/fp'", 'lodash/fp'],
    ['DuckDB outside its folder', 'cli/engine/run/x.ts', "import '@duckdb/node-api'", '@duckdb/node-api'],
    [
      'several lines',
      'cli/render/x.ts',
      "import {\n  a,\n  b,\n} from '../commands/run.ts'",
      'cli/commands/run.ts',
    ],
    ['a folder that is not on the map', 'cli/engine/magic/x.ts', 'export {}', 'map'],
    ['a folder in no layer', 'server/elsewhere/x.ts', 'export {}', 'no layer'],
  ]

  it.each(cases)('%s', (_, file, text, named) => {
    expect(plant(file, text)).toEqual([expect.stringContaining(named)])
  })

  it('and nothing else is', () => {
    expect(
      plant('cli/engine/run/x.ts', "// import 'lodash'\nimport '../errors.ts'\nimport 'node:path'\n"),
    ).toEqual([])
  })
})

describe('the document', () => {
  it('cannot lose its tables unnoticed', () => {
    expect(() => readRules('# Architecture\n')).toThrow('no readable')
  })

  it('confines the DuckDB client', () => {
    expect(rules.confined).toEqual([
      {
        package: '@duckdb/node-api',
        folders: ['server/catalog', 'cli/engine/warehouse/duckdb'],
      },
    ])
  })
})
