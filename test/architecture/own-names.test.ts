import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bareNames, madeNames } from './own-names.ts'
import { plantedFiles } from './planted-files.ts'

const root = join(import.meta.dirname, '..', '..')

/** Files of which no statement has a column of a user in it, by what they read instead. */
const withoutColumns: Readonly<Record<string, readonly string[]>> = {
  'the catalogue of PostgreSQL': [
    'cli/engine/warehouse/postgres/blockers.ts',
    'cli/engine/warehouse/postgres/connections.ts',
    'cli/engine/warehouse/postgres/dependants.ts',
    'cli/engine/warehouse/postgres/grants.ts',
    'cli/engine/warehouse/postgres/lease.ts',
    'cli/engine/warehouse/postgres/owners.ts',
    'cli/engine/warehouse/postgres/promotion.ts',
    'cli/engine/warehouse/postgres/readers.ts',
    'cli/engine/warehouse/postgres/relations.ts',
    'cli/engine/warehouse/postgres/rights.ts',
    'cli/engine/warehouse/postgres/room.ts',
    'cli/engine/warehouse/postgres/shapes.ts',
    'cli/engine/warehouse/postgres/state-schema.ts',
    'cli/engine/ingest/sql/postgres-types.ts',
    'server/catalog/postgres/functions.ts',
    'server/catalog/postgres/type-names.ts',
  ],
  'the catalogue of DuckDB': [
    'cli/engine/warehouse/duckdb/relations.ts',
    'server/catalog/duckdb/bound-casts.ts',
  ],
  'the state of svc': ['cli/engine/warehouse/sql-state/'],
  'columns of a file that have names of the maker': [
    'cli/engine/publish/acknowledge.ts',
    'cli/engine/publish/difference.ts',
    'cli/engine/publish/send-difference.ts',
  ],
  'nothing: it is SQL of users, or of another tool': [
    'cli/commands/create-asset.ts',
    'cli/engine/import/',
    'server/language/engines/habits/',
  ],
}

/** Names in files that read rows of users too: in questions to a catalogue, settings, and sentences. */
const elsewhere: Readonly<Record<string, string>> = {
  'cli/engine/ingest/sql/duckdb-file.ts': 'name nullable schema',
  'cli/engine/ingest/sql/mysql.ts': 'c description name nullable place s t table_description',
  'cli/engine/ingest/sql/postgres.ts':
    'a c description i id kind n name pages place required schema table_description',
  'cli/engine/ingest/sql/sql-source.ts': 'other_',
  'cli/engine/publish/doubts.ts': 'key_hash row_hash',
  'cli/engine/publish/duckdb.ts': 'name names',
  'cli/engine/publish/find-in.ts': 'most',
  'cli/engine/publish/mysql.ts': 'comment name place',
  'cli/engine/publish/postgres.ts': 'columns identity name uniques',
  'cli/engine/warehouse/postgres/declared.ts': 'm modifier name sql',
  'cli/engine/warehouse/postgres/failures.ts': 'with',
  'cli/engine/warehouse/postgres/pointer.ts': 'c exists live n name p query schema statement',
  'cli/engine/warehouse/postgres/views.ts': 'c kind n name schema',
  'server/catalog/duckdb/binder-database.ts': 'i',
}

describe('a name that our SQL adds', () => {
  it('comes from the maker wherever a column of a user may be beside it', () => {
    const names = new Map<string, Set<string>>()
    for (const { file, name } of bareNames(root, Object.values(withoutColumns).flat()))
      names.set(file, (names.get(file) ?? new Set()).add(name))
    const found = [...names].map(([file, all]) => [file, [...all].sort().join(' ')])
    expect(Object.fromEntries(found)).toEqual(elsewhere)
  })

  it('is found by what the long suite of names takes for columns', () => {
    expect(madeNames(root)).toEqual(expect.arrayContaining(['record', 'row', 'stage', 'rows', 'n0', 'times']))
  })
})

describe('a planted name is found:', () => {
  const planted = plantedFiles()
  /** `§` stands for a dollar sign, which begins an expression in these texts of code. */
  const found = (text: string) => {
    planted.plant('cli/engine/run/x.ts', text.replaceAll('§', '$'))
    return bareNames(planted.root).map(({ name }) => name)
  }

  it.each([
    ['a column', 'const sql = `SELECT count(*) AS n FROM §{from}`', 'n'],
    ['a quoted column', `const sql = 'SELECT 1 AS "n"'`, 'n'],
    ['a table', 'const sql = `SELECT * FROM (§{all}) AS found WHERE x`', 'found'],
    ['a CTE', 'const sql = `WITH small AS (§{all}) SELECT 1`', 'small'],
    ['a further CTE', 'const sql = `WITH §{one} AS (§{all}), more AS (SELECT 1) SELECT 1`', 'more'],
    ['a parameter', 'const sql = `list_transform(§{list}, lambda item: §{value})`', 'item'],
    ['a temporary table', "const sql = 'CREATE OR REPLACE TEMP TABLE batch AS SELECT 1'", 'batch'],
    ['an alias without AS', 'const sql = `SELECT * FROM (VALUES §{values}) t (a)`', 't'],
    ['one inside of another template', 'const sql = `SELECT §{list.map(x => `§{x} AS c§{x}`)}`', 'c'],
  ])('%s', (_, text, name) => {
    expect(found(text)).toEqual([name])
  })

  it.each([
    ['a name of the maker', 'const sql = `SELECT 1 AS §{own.n} FROM (§{all}) AS §{own.found}`'],
    ['a column of svc in tables of sources', 'const sql = `SELECT md5(x) AS _svc_id`'],
    ['a type', 'const sql = `SELECT CAST(§{value} AS text), TRY_CAST(x AS double)`'],
    ['a comment', '// SELECT 1 AS n\n/** SELECT 1 AS n */'],
  ])('not %s', (_, text) => {
    expect(found(text)).toEqual([])
  })
})
