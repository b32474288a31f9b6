/** The kinds of database that rows are read from, one line a kind. Each is loaded only when it is used. */
import { withNativePart } from '@svc/server/catalog'
import { SvcError } from '../../errors.ts'
import type { Database, DatabaseOptions } from './database.ts'

type Open = (options: DatabaseOptions) => Database | Promise<Database>

const postgres = async () => (await import('./postgres.ts')).openPostgres
const mysql = async () => (await import('./mysql.ts')).openMysql
const duckdb = async () => (await withNativePart(() => import('./duckdb-file.ts'))).openDuckdbFile
const sqlite = async () => (await import('./sqlite.ts')).openSqlite

const kinds: Readonly<Record<string, () => Promise<Open>>> = {
  postgres,
  postgresql: postgres,
  mysql,
  mariadb: mysql,
  duckdb,
  sqlite,
}

const files: ReadonlySet<string> = new Set(['duckdb', 'sqlite'])

/** The checks of a file say so too, unless the address is in a variable. */
function refuseParts({ ingest, address }: DatabaseOptions): void {
  if (ingest.split === undefined) return
  throw new SvcError(
    'invalid-project',
    `"ingest.split" means nothing here: ${address.scheme} is a file, which is read at once`,
    {
      hint: 'Take it out, or check endpoint.',
    },
  )
}

/** Throws `not-built-yet` for a scheme that only `env:` can bring: the checks of files refuse it otherwise. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { scheme } = options.address
  const load = Object.hasOwn(kinds, scheme) ? kinds[scheme] : undefined
  if (files.has(scheme)) refuseParts(options)
  if (load !== undefined) return (await load())(options)
  throw new SvcError('not-built-yet', `reading rows from ${scheme}: is not built yet`, {
    hint: 'Known are postgres://, mysql://, mariadb://, sqlite:///<file> and duckdb:<file>.',
  })
}
