import { databaseKind } from './databases.ts'

export const duckdb = databaseKind({
  value: 'duckdb',
  doc: 'A table in a DuckDB file.',
  inWords: 'a table in a DuckDB file',
  form: 'duckdb:file',
  pattern: /^(duckdb:\S.*|env:[A-Za-z_]\w*)$/,
  batch: 50_000,
  idle: { without: ['timeout'], why: 'a file is written to by this process, which waits for nobody' },
})
