import { counted } from '../project/counted.ts'
import type { JsonValue, SqlIngest } from '../schema/definition.ts'
import {
  formatted,
  type Key,
  keysOf,
  object,
  otherWordsFor,
  type TextFormat,
  text,
  wholeNumber,
} from '../schema/shape.ts'
import { addressText, folderText } from '../source/place-text.ts'
import { placeholder } from '../text/snippet.ts'
import { sqlConflicts, sqlLimit } from './cursor-rules.ts'
import { addressParts, type ExternalDataset } from './external-dataset.ts'
import { unlessSame } from './history-rules.ts'
import { sharedIdentity } from './shared-identity.ts'
import { sharedKeysWith } from './shared-keys.ts'
import type { SourceKind } from './source-kind.ts'

/** The beginnings of addresses of databases that rows are read from. */
export const databaseSchemes: readonly string[] = [
  'postgres',
  'postgresql',
  'mysql',
  'mariadb',
  'sqlite',
  'duckdb',
]

/** For messages and help. */
export const databaseExamples = 'postgres://…, mysql://…, mariadb://…, sqlite:///file, duckdb:file'

const databaseFormat: TextFormat = {
  pattern: /^((postgres(ql)?|mysql|mariadb):\/\/\S+|(duckdb|sqlite):\S.*|env:[A-Za-z_]\w*)$/,
  rule: 'a database is postgres://user@host/name, mysql://user@host/name, mariadb://user@host/name, sqlite:///file, duckdb:file, or env:NAME',
  unbuilt: {
    pattern: /^(sqlserver|mssql|oracle|snowflake|redshift|mongodb|clickhouse):/i,
    what: 'reading rows from this database',
    hint: 'Known are PostgreSQL, MySQL, MariaDB, files of SQLite and files of DuckDB.',
  },
}

/** A file of SQLite or DuckDB is read at once, by whoever may read it. What is no address is reported as that alone. */
const onlyForServers = {
  key: 'endpoint',
  pattern: /^(?!(?:sqlite|duckdb):)/i,
  what: 'a database that runs as a server',
}

const keys: readonly Key[] = [
  ...keysOf({
    endpoint: {
      names: 'address',
      doc: 'Address of the database (postgres://, mysql://, mariadb://, sqlite:///, duckdb:), or env:NAME.',
      shape: formatted(databaseFormat),
      required: true,
    },
    resource: {
      names: 'table',
      doc: 'Table or view: schema.table, or a name that the database finds.',
      shape: text,
    },
    query: { names: 'text', doc: 'A SELECT in the SQL of the database, in place of a table.', shape: text },
    where: {
      names: 'text',
      doc: 'A condition in the SQL of the database: only its rows are sent.',
      shape: text,
    },
    split: {
      onlyFor: onlyForServers,
      doc: 'Reads parts of a table at the same time, all of one moment.',
      shape: object({
        by: {
          names: 'source column',
          doc: 'A column of whole numbers whose ranges are the parts; PostgreSQL splits tables without one.',
          shape: text,
        },
        parts: { doc: 'How many parts.', shape: wholeNumber(1), default: 2 },
      }),
    },
  }),
  ...sharedKeysWith({
    without: ['rate', 'concurrency', 'body', 'ratio', 'record', 'depth', 'pages', 'files', 'names'],
    why: 'a database is asked for rows, and split says how many parts are read at once',
  }).map(key => (key.name === 'credentials' ? { ...key, onlyFor: onlyForServers } : key)),
]

interface Server {
  readonly scheme: string
  readonly port: number
  /** The schema of a table that is written without one; absent where databases have no schemas. */
  readonly schema?: string
}

const postgres: Server = { scheme: 'postgres', port: 5432, schema: 'public' }
const mysql: Server = { scheme: 'mysql', port: 3306 }
const servers: Readonly<Record<string, Server>> = { postgres, postgresql: postgres, mysql, mariadb: mysql }

/** What a query reads has no name. */
function datasetOf({ resource }: SqlIngest, endpoint: string): ExternalDataset | undefined {
  return resource === undefined ? undefined : tableOfDatabase(endpoint, resource.replaceAll(/["`]/g, ''))
}

/** The name of `schema.table` of the database at an address; undefined if the address is of no known kind. */
export function tableOfDatabase(endpoint: string, table: string): ExternalDataset | undefined {
  return inFile(endpoint, table) ?? onServer(endpoint, table)
}

/** As the warehouse names its own tables: by the name of its file, whose folder is another one on each machine. */
function inFile(endpoint: string, table: string): ExternalDataset | undefined {
  const [, kind = '', path = ''] = /^(sqlite|duckdb):([^?#]+)/i.exec(endpoint) ?? []
  const file = path.split(/[\\/]/).at(-1)
  if (!file) return undefined
  const schema = table.includes('.') ? '' : 'main.'
  return {
    namespace: `${kind.toLowerCase()}://${file}`,
    name: `${file.replace(/\.[^.]*$/, '')}.${schema}${table}`,
  }
}

function onServer(endpoint: string, table: string): ExternalDataset | undefined {
  const { scheme = '', host = '', path = '' } = addressParts(endpoint) ?? {}
  const server = Object.hasOwn(servers, scheme) ? servers[scheme] : undefined
  if (server === undefined) return undefined
  const hasDot = table.includes('.')
  // Before the dot stands the schema, and the database where there are no schemas.
  const database = server.schema === undefined && hasDot ? [] : [path.replace(/^\/+/, '')]
  const schema = hasDot || server.schema === undefined ? [] : [server.schema]
  return {
    namespace: `${server.scheme}://${/:\d+$/.test(host) ? host : `${host}:${server.port}`}`,
    name: [...database, ...schema, table].filter(part => part !== '').join('.'),
  }
}

/** Returns which database an address leads to: who asks, and how the connection is made, is no part of that. */
function databaseText(endpoint: string): string {
  const [, kind = '', file = ''] = /^(sqlite|duckdb):(?:\/\/)?([^?#]+)/i.exec(endpoint) ?? []
  if (file !== '') return `${kind.toLowerCase()}:${folderText(file)}`
  const { scheme = '', host = '', path = '' } = addressParts(endpoint) ?? {}
  const server = Object.hasOwn(servers, scheme) ? servers[scheme] : undefined
  if (server === undefined) return addressText(endpoint)
  const place = /:\d+$/.test(host) ? host : `${host}:${server.port}`
  return `${server.scheme}://${place}${path.replace(/\/+$/, '')}`
}

/** Where the lines of a query end, and with which characters, asks for nothing else. */
function linesText(value: JsonValue | undefined): string {
  return String(value ?? '')
    .replaceAll(/[ \t]*\r?\n/g, '\n')
    .trim()
}

export const sql: SourceKind<SqlIngest> = {
  variant: {
    value: 'sql',
    doc: 'A table or query of another database: PostgreSQL, MySQL, MariaDB, a SQLite or a DuckDB file.',
    keys,
    exactlyOne: {
      keys: ['resource', 'query'],
      what: 'table and no query',
      two: 'both name the rows',
      hint: 'Keep resource for a table, or query for a SELECT.',
    },
    otherWords: otherWordsFor(
      ['url', 'uri', 'dsn', 'connection', 'connection_string', 'host', 'database', 'table', 'schema', 'sql'],
      'A database has the keys endpoint, such as postgres://user@host/database, and resource, its schema.table, or query.',
    ),
  },
  inWords: 'a database',
  summary: ({ type, endpoint, resource, query }) => `${type} ${endpoint} ${resource ?? query ?? ''}`,
  dataset: datasetOf,
  cursorConflicts: sqlConflicts,
  limitedLoads: sqlLimit,
  identity: ({ type, endpoint, resource, query, where, split: _split, ...shared }) =>
    // The parts say how the rows are read, not which.
    counted({ type, endpoint, resource, query, where, ...sharedIdentity(shared) }),
  history: {
    endpoint: unlessSame('origin', value => databaseText(String(value))),
    resource: unlessSame('origin', value => String(value ?? '').replaceAll(/["`]/g, '')),
    query: unlessSame('origin', linesText),
    where: unlessSame('origin', linesText),
    split: 'none',
  },
  skeleton: {
    label: 'database source',
    detail: 'an asset read from a table of another database',
    ingest: name => [
      'ingest:',
      '  type: sql',
      `  endpoint: ${placeholder(3, 'env:SHOP_DATABASE')}`,
      `  resource: ${placeholder(4, `public.${name}`)}`,
    ],
  },
}
