/** The addresses of databases that svc reads, from what a profile of dbt says of them. */
import { isAbsolute, join, relative } from 'node:path'

export interface DatabaseAddress {
  readonly endpoint: string
  readonly isFile: boolean
}

interface Folders {
  /** The dbt project, which its paths are relative to. */
  readonly dbt: string
  /** The new project. */
  readonly output: string
}

type Value = (key: string) => string | undefined

/** By the adapter of dbt: the scheme of addresses, and the port that they leave out. */
const servers: Readonly<Record<string, { readonly scheme: string; readonly port: string }>> = {
  postgres: { scheme: 'postgres', port: '5432' },
  mysql: { scheme: 'mysql', port: '3306' },
  mysql5: { scheme: 'mysql', port: '3306' },
  mariadb: { scheme: 'mariadb', port: '3306' },
}

export function isReadable(adapter: string | undefined): boolean {
  return adapter !== undefined && (adapter === 'duckdb' || Object.hasOwn(servers, adapter))
}

/** Returns undefined for a database that svc does not read, or whose address is not written out. */
export function addressOf(
  adapter: string | undefined,
  value: Value,
  folders: Folders,
): DatabaseAddress | undefined {
  if (adapter === 'duckdb') return fileAddress(value('path'), folders)
  const server = adapter !== undefined && Object.hasOwn(servers, adapter) ? servers[adapter] : undefined
  const host = value('host') ?? value('server')
  const name = value('dbname') ?? value('database') ?? value('schema')
  if (server === undefined || host === undefined || name === undefined) return undefined
  const user = value('user') ?? value('username')
  const port = value('port') ?? server.port
  const who = user === undefined ? '' : `${encodeURIComponent(user)}@`
  const where = `${host}${port === server.port ? '' : `:${port}`}`
  const mode = server.scheme === 'postgres' ? value('sslmode') : undefined
  const more = mode === undefined ? '' : `?sslmode=${encodeURIComponent(mode)}`
  return { endpoint: `${server.scheme}://${who}${where}/${encodeURIComponent(name)}${more}`, isFile: false }
}

function fileAddress(path: string | undefined, { dbt, output }: Folders): DatabaseAddress | undefined {
  if (path === undefined || path === ':memory:' || /^\w{2,}:/.test(path)) return undefined
  const full = isAbsolute(path) ? path : join(dbt, path)
  const away = relative(output, full).replaceAll('\\', '/')
  return { endpoint: `duckdb:${away.startsWith('.') ? away : `./${away}`}`, isFile: true }
}
