/**
 * Which state a DuckDB file is in, without opening it as a database. Whatever is committed is either in a log beside the
 * file or in the file, and then a header with the next number of its checkpoints has been written.
 */
import { createHash } from 'node:crypto'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { canonicalPath, instances } from './open-instances.ts'

/** The main header and the two headers of the database, which take turns; 4 KiB each. */
const headerBytes = 3 * 4096

/** Of a log that is written, and of those that a checkpoint or a recovery leaves for a moment. */
const logs = ['.wal', '.wal.checkpoint', '.wal.recovery']

/**
 * Undefined: there is no such file, it cannot be looked at, it is open in this process (to open and close it here would
 * free the locks that DuckDB has on it), or a log holds more than it does.
 */
export async function fileVersion(file: string): Promise<string | undefined> {
  try {
    // The log first: what is in it by now will be in the header or still in the log when somebody asks again.
    if (instances.has(canonicalPath(file)) || (await hasLog(file))) return undefined
    const handle = await open(file, 'r')
    try {
      return await versionOf(handle)
    } finally {
      await handle.close()
    }
  } catch {
    return undefined
  }
}

async function versionOf(handle: FileHandle): Promise<string> {
  const header = Buffer.alloc(headerBytes)
  await handle.read(header, 0, headerBytes, 0)
  const { dev, ino, size, mtimeMs, ctimeMs } = await handle.stat()
  const hash = createHash('sha256').update(header).digest('hex')
  return [dev, ino, size, mtimeMs, ctimeMs, hash].join(' ')
}

async function hasLog(file: string): Promise<boolean> {
  const found = await Promise.all(logs.map(ending => stat(`${file}${ending}`).catch(() => undefined)))
  return found.some(each => each !== undefined)
}
