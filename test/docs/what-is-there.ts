/**
 * What people of other tools ask for, each with texts that the product takes where it is there. The tables of
 * `docs/coming-from.md` name these, and `what-is-there.test.ts` compares both with the product.
 */
import { allCommands } from '../../cli/commands/index.ts'
import { parseAsset, parseSettings } from '../../server/language/index.ts'
import { hash } from '../support/spec-project.ts'

export interface Feature {
  /** As the first cell of its row says it. */
  readonly says: string
  /** Texts that are taken without a word against them, if it is there; each of them counts. */
  readonly texts?: readonly string[]
  /** Settings of `svc.yaml`, the same way. */
  readonly settings?: readonly string[]
  readonly command?: string
}

const asset = (...lines: readonly string[]) => ['name: a', ...lines, ''].join('\n')
const source = (ingest: string) => asset(`ingest: ${ingest}`, 'transform: SELECT * FROM {{ source }}')
const model = (...more: readonly string[]) => asset('ingest: none', 'transform: SELECT 1 AS id', ...more)
const settings = (line: string) => `name: shop\n${line}\n`
const service = 'type: rest_api, endpoint: https://a.example, resource: x'

export const missing: readonly Feature[] = [
  { says: 'incremental models', texts: [model('deploy: {materialize: incremental}')] },
  { says: 'materialized views of the warehouse', texts: [model('deploy: {materialize: materialized_view}')] },
  { says: 'Python models', texts: [asset('ingest: none', 'transform: {python: "x = 1"}')] },
  { says: 'Python sources', texts: [source('{type: python}')] },
  {
    says: 'SQL Server, Oracle and others as a source',
    texts: ['mssql', 'oracle', 'snowflake'].map(kind =>
      source(`{type: sql, endpoint: "${kind}://u@h/d", resource: x}`),
    ),
  },
  {
    says: 'Snowflake, BigQuery, Databricks, Redshift as the warehouse',
    settings: ['snowflake', 'bigquery', 'databricks', 'redshift'].map(kind =>
      settings(`warehouse: "${kind}://u@h/d"`),
    ),
  },
  {
    says: 'Jinja in SQL',
    texts: [asset('ingest: none', 'transform: |', '  {% for a in [1] %} SELECT {{ a }} AS id {% endfor %}')],
  },
  { says: 'packages', settings: [settings('packages: [{package: dbt_utils}]')] },
  { says: 'partitions of built tables', texts: [model('deploy: {partition_by: day}')] },
  { says: 'hooks around a whole run', settings: [settings('on_run_start: SELECT 1')] },
  { says: 'a scheduler', command: 'schedule' },
]

export const there: readonly Feature[] = [
  {
    says: 'OAuth 2 and session logins of web services',
    texts: [
      source(
        `{${service}, auth: {type: oauth2, token_url: https://a.example/t, client_id: env:ID, client_secret: env:SECRET}}`,
      ),
      source(
        `{${service}, auth: {type: session, login_url: https://a.example/login, body: {user: env:USER_NAME, password: env:PASSWORD}, token_path: token}}`,
      ),
    ],
  },
  {
    says: 'PostgreSQL, MySQL, MariaDB, SQLite and DuckDB as a source',
    texts: ['postgres://u@h/d', 'mysql://u@h/d', 'mariadb://u@h/d', 'sqlite:./a.db', 'duckdb:./a.duckdb'].map(
      address => source(`{type: sql, endpoint: "${address}", resource: x}`),
    ),
  },
  { says: 'PostgreSQL as the warehouse', settings: [settings('warehouse: postgres://u@h/d')] },
  {
    says: 'loads of what is new alone, append and merge',
    texts: [
      source(`{${service}, incremental: {cursor: at, start: "2026-01-01"}, write: merge, primary_key: id}`),
      source(`{${service}, incremental: {cursor: at, start: "2026-01-01"}, write: append}`),
    ],
  },
  { says: 'every version of a record', texts: [source(`{${service}, write: scd2, primary_key: id}`)] },
  {
    says: 'statements around a build, indexes, grants',
    texts: [
      model(
        'deploy:',
        '  before: SELECT 1',
        '  after: SELECT 1',
        '  indexes: [{columns: [id]}]',
        '  grants: {select: [reader]}',
      ),
    ],
  },
  { says: 'keys of built tables', texts: [model('contract: {constraints: {primary_key: id}}')] },
  { says: 'numbers of metrics', command: 'metric' },
  { says: 'the import of a dbt project', command: 'import dbt' },
]

/** Returns of each part of it whether the product takes it. */
export function takenOf({ texts = [], settings: files = [], command }: Feature): readonly boolean[] {
  const commands = command === undefined ? [] : [allCommands.some(({ name }) => name === command)]
  return [...commands, ...texts.map(takesAsset), ...files.map(takesSettings)]
}

const refusals = ['not-built-yet', 'wrong-value', 'wrong-type', 'unknown-key', 'missing-key', 'invalid-tag']

function takesAsset(text: string): boolean {
  const file = parseAsset('models/a.svc', text, parseSettings(settings('warehouse: duckdb:./a.duckdb')), hash)
  return !file.diagnostics.some(({ code }) => refusals.includes(code))
}

function takesSettings(text: string): boolean {
  return !parseSettings(text).diagnostics.some(({ code }) => refusals.includes(code))
}
