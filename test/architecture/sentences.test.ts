/**
 * Sentences are not data (decisions 9): no code reads a message, a hint or a reason that svc itself wrote. What other programs
 * need of it stands in `facts`. The files listed here read the words of somebody else, who offers nothing but words.
 */
import { expect, it } from 'vitest'
import { codeFiles, codeOf } from './code.ts'

/** The file, and whose words it reads. */
const foreignWords: Readonly<Record<string, string>> = {
  'cli/commands/options.ts': "commander's errors",
  'cli/engine/ingest/file-source.ts': "DuckDB's errors",
  'cli/engine/ingest/sql/duckdb-file.ts': "DuckDB's errors",
  'cli/engine/ingest/sql/mysql-failures.ts': "the driver's errors",
  'cli/engine/ingest/sql/postgres-failures.ts': "the driver's errors",
  'cli/engine/ingest/sql/sqlite.ts': "SQLite's errors",
  'cli/engine/memory-failure.ts': "Node's and DuckDB's errors",
  'cli/engine/publish/duckdb.ts': "DuckDB's errors",
  'cli/engine/publish/find-in.ts': "DuckDB's errors",
  'cli/engine/publish/sftp-place.ts': "the library's errors",
  'cli/engine/sftp/client.ts': "the library's errors",
  'cli/engine/warehouse/duckdb/failures.ts': "DuckDB's errors",
  'cli/engine/warehouse/postgres/failures.ts': "PostgreSQL's and its driver's errors",
  'hosted-api/commands/world-text.ts': "the driver's errors",
  'server/catalog/duckdb/csv-reason.ts': "DuckDB's errors",
  'server/catalog/duckdb/read-bind-error.ts': "DuckDB's errors",
  'server/catalog/duckdb/value-free-message.ts': "DuckDB's errors",
  'server/catalog/postgres/read-bind-error.ts': "PostgreSQL's errors",
  'server/catalog/unit/run-unit-tests.ts':
    "the engine's errors, compared with what a unit test expects of them",
  'server/catalog/unit/unit-failure.ts': "a code in the engine's error",
  'server/language/syntax/yaml-messages.ts': "the YAML parser's errors",
  'server/language/syntax/yaml-recovering.ts': "the YAML parser's errors",
}

const folders = ['cli', 'server', 'extension', 'webview', 'hosted-api']
const sentence = '(?:message|hint|because)'
/** A sentence that is searched, tested by a pattern, or compared with another one. */
const reading = new RegExp(
  [
    String.raw`\b${sentence}\b(?:\.toLowerCase\(\))?[)\]]?\??\.(?:match|matchAll|includes|startsWith|endsWith|search|indexOf|lastIndexOf)\(`,
    String.raw`\.(?:test|exec)\(\s*[^()]*\b${sentence}\b[^()]*\)`,
    String.raw`(?<!typeof )\b${sentence} [!=]== ['"\`](?!['"\`])`,
  ].join('|'),
)

it('no code reads a sentence that svc wrote', () => {
  const read = codeFiles('.', folders).filter(path => reading.test(codeOf(path)))
  expect(read).toEqual(Object.keys(foreignWords).sort())
})
