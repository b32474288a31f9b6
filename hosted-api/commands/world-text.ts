/** Turns an error of the operating system or a database into one line: what, where, and what to do. */
import { BootstrapTokenError } from '../access/index.ts'
import {
  AddressError,
  BackupError,
  FileInUse,
  MissingDatabase,
  MissingDriver,
  NewerDatabase,
  RestoreError,
  StorageError,
} from '../storage/index.ts'
import { UsageError } from './world.ts'

const told = [
  UsageError,
  AddressError,
  BootstrapTokenError,
  BackupError,
  FileInUse,
  MissingDatabase,
  MissingDriver,
  NewerDatabase,
  RestoreError,
]

/** Returns undefined for a bug. */
export function worldText(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (told.some(type => error instanceof type)) return error.message
  const cause = error instanceof StorageError && error.cause instanceof Error ? error.cause : error
  const { code, address, port, path } = cause as NodeJS.ErrnoException & { address?: string; port?: number }
  if (code === undefined)
    return textOfMessage(cause.message) ?? (error instanceof StorageError ? error.message : undefined)
  const place = address === undefined ? '' : ` (${address}${port === undefined ? '' : `:${port}`})`
  const hint = hints[code]
  if (hint !== undefined) return hint(place, cause.message, path ?? '')
  return `${cause.message.split('\n')[0]} (${code})`
}

/** Recognizes errors of pg that have no code. */
function textOfMessage(message: string): string | undefined {
  if (/^SASL/.test(message)) return 'PostgreSQL wants a password: set PGPASSWORD, or give it in --db'
  if (/timeout/i.test(message)) return `the database does not answer (${message}): look at --db`
  if (/^Connection terminated/.test(message)) return 'the database closed the connection: look at its log'
  return undefined
}

function noDatabase(place: string): string {
  return `no database listens there${place}: start PostgreSQL, or look at --db`
}

type Hint = (place: string, message: string, path: string) => string

/** Error codes of Node, of SQLite's drivers and of PostgreSQL. */
const hints: Readonly<Record<string, Hint>> = {
  EADDRINUSE: place => `the port is taken${place}: give another one with --port, or stop what listens there`,
  EADDRNOTAVAIL: place => `this machine has no such address${place}: give another one with --host`,
  EACCES: (place, message) =>
    place === '' ? message : `the port needs more rights${place}: take one from 1024 on`,
  // Only a connection has an address: here that of a Unix socket.
  ENOENT: (place, _, path) => (place === '' ? `there is no ${path}` : noDatabase(place)),
  ENOTFOUND: (_, message) => `the database's host is not known (${message}): look at --db`,
  ERR_INVALID_URL: () =>
    'the address cannot be read: characters such as @ and / in a password are written %40 and %2F',
  ECONNREFUSED: noDatabase,
  ENOSPC: () => 'the disk is full',
  EROFS: (_, __, path) => `${path} is on a disk that cannot be written`,
  SQLITE_CANTOPEN: () => 'SQLite cannot open the file: may this user read and write it, and its folder?',
  SQLITE_READONLY: () => 'SQLite may only read the file: may this user write it, and its folder?',
  SQLITE_NOTADB: () => 'the file is no SQLite database: look at --db',
  SQLITE_CORRUPT: () => 'the file is damaged: restore a backup (svc-hosted restore)',
  SQLITE_BUSY: () => 'another program holds the file',
  '28P01': () => 'PostgreSQL refuses the password: look at --db, or set PGPASSWORD',
  '28000': (_, message) => `PostgreSQL refuses this user (${message})`,
  '3D000': (_, message) => `${message}: make it first (createdb)`,
  '42501': (_, message) => `PostgreSQL: ${message}: the user needs the right to make tables`,
}
