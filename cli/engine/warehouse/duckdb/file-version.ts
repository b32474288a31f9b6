/**
 * Identifies the state of a DuckDB file without opening it as a database. Everything committed is either in a
 * log beside the file, or in the file; in that case a header with the next checkpoint number has been
 * written.
 */
import { createHash } from 'node:crypto'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { canonicalPath, instances, readBytes } from './open-instances.ts'
import { logEndings } from './waiting-log.ts'

/** The main header and the two headers of the database, which are written in turn; 4 KiB each. */
const headerBytes = 3 * 4096

/**
 * Returns undefined if the file does not exist or cannot be read, if it is open in this process (opening and
 * closing it here would release DuckDB's locks on it), or if there is a log with further changes.
 */
export async function fileVersion(file: string): Promise<string | undefined> {
  try {
    // The log is checked first: its content will either be in the header later, or still in the log at the
    // next check.
    const key = canonicalPath(file)
    if (instances.has(key) || (await hasLog(file))) return undefined
    return await readBytes(key, () => versionIn(file))
  } catch {
    return undefined
  }
}

async function versionIn(file: string): Promise<string> {
  const handle = await open(file, 'r')
  try {
    return await versionOf(handle)
  } finally {
    await handle.close()
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
  const found = await Promise.all(logEndings.map(ending => stat(`${file}${ending}`).catch(() => undefined)))
  return found.some(each => each !== undefined)
}
