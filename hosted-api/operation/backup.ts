/**
 * A backup is one file: gzipped lines of JSON, the same from every engine, so that a service can move between
 * engines. It is a consistent snapshot while others write, and ends with a hash, so that a truncated file is
 * detected.
 */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, statSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import {
  BackupError,
  type BackupTable,
  type Cell,
  type Queries,
  RestoreError,
  type RestoreTarget,
  readRows,
  readTables,
  restoreDatabase,
  type Storage,
} from '../storage/index.ts'

const format = 1

interface Header {
  readonly svc_backup: number
  readonly at: string
  readonly migrations: readonly string[]
}

interface End {
  readonly rows: number
  /** The hash of all previous lines. */
  readonly sha256: string
}

type Line = Header | BackupTable | { readonly rows: readonly (readonly Cell[])[] } | { readonly end: End }

/**
 * Writes a temporary file and renames it, so that the backup is complete or absent. Returns the number of
 * rows.
 */
export async function writeBackup(storage: Storage, path: string): Promise<number> {
  if (!existsSync(dirname(path))) throw new BackupError(`there is no folder ${dirname(path)}: make it first`)
  if (existsSync(path) && statSync(path).isDirectory())
    throw new BackupError(`${path} is a folder: give the name of a file`)
  const draft = `${path}.${process.pid}`
  let rows = 0
  try {
    await storage.snapshot(async queries => {
      const lines = backupLines(queries, storage.clock().toISOString(), count => {
        rows = count
      })
      // The file is private, because it contains hashes of tokens and everything else.
      await pipeline(Readable.from(lines), createGzip(), createWriteStream(draft, { mode: 0o600 }))
    })
    const file = await open(draft, 'r+')
    await file.sync()
    await file.close()
    await rename(draft, path)
    return rows
  } catch (error) {
    await rm(draft, { force: true })
    const { path: place, message } = error as NodeJS.ErrnoException
    // The draft is nobody's business: the message names the file that was asked for.
    if (place === draft) throw new BackupError(`cannot write ${path}: ${message.replace(draft, path)}`)
    throw error
  }
}

/** @throws RestoreError, and the errors of `restoreDatabase` */
export async function restoreBackup(target: RestoreTarget, path: string): Promise<number> {
  if (!existsSync(path)) throw new RestoreError(`there is no file ${path}`)
  const lines = checkedLines(path)
  const first = await lines.next()
  if (first.done === true || !('svc_backup' in first.value)) throw notABackup(path)
  const header = first.value
  if (header.svc_backup !== format)
    throw new RestoreError(`${path} was made by a later version of svc-hosted`)
  let count = 0
  async function* parts() {
    for await (const line of lines) {
      if ('table' in line) yield line
      else if ('rows' in line) {
        count += line.rows.length
        yield line.rows
      }
    }
  }
  await restoreDatabase(target, header.migrations, parts())
  return count
}

async function* backupLines(
  queries: Queries,
  at: string,
  tell: (rows: number) => void,
): AsyncGenerator<string> {
  const hash = createHash('sha256')
  const write = (line: Line): string => {
    const text = `${JSON.stringify(line)}\n`
    hash.update(text)
    return text
  }
  let count = 0
  const names = await queries.all<{ name: string }>('select name from migration order by name')
  yield write({ svc_backup: format, at, migrations: names.map(({ name }) => name) })
  for (const table of await readTables(queries)) {
    if (table.name === 'migration') continue
    yield write({ table: table.name, columns: table.columns, sequence: table.sequence ?? null })
    for await (const page of readRows(queries, table)) {
      count += page.length
      yield write({ rows: page.map(row => table.columns.map(column => row[column] ?? null)) })
    }
  }
  tell(count)
  yield write({ end: { rows: count, sha256: hash.copy().digest('hex') } })
}

/** Yields the lines of the file; throws at the end if the hash is missing or wrong. */
async function* checkedLines(path: string): AsyncGenerator<Line> {
  const hash = createHash('sha256')
  let rows = 0
  try {
    const file = createReadStream(path)
    const unpacked = file.on('error', error => unpacked.destroy(error)).pipe(createGunzip())
    for await (const text of createInterface({ input: unpacked, crlfDelay: Number.POSITIVE_INFINITY })) {
      const line = JSON.parse(text) as Line
      if ('end' in line) {
        if (line.end.rows !== rows || line.end.sha256 !== hash.digest('hex')) throw notABackup(path)
        return
      }
      hash.update(`${text}\n`)
      if ('rows' in line) rows += line.rows.length
      yield line
    }
  } catch (error) {
    throw isUnreadable(error) ? notABackup(path) : error
  }
  throw notABackup(path)
}

function isUnreadable(error: unknown): boolean {
  const code = String((error as { code?: unknown }).code ?? '')
  return error instanceof SyntaxError || code.startsWith('Z_')
}

function notABackup(path: string): RestoreError {
  return new RestoreError(`${path} is no backup of svc-hosted, or not a whole one`)
}
