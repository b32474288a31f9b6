/**
 * Allows one server per SQLite file, because a second one would not see the writes of the first in its
 * caches.
 */
import { existsSync, rmSync } from 'node:fs'
import { openSqlite, type SqliteDriver } from './sqlite-driver.ts'
import { readStorageError, StorageError } from './storage-error.ts'

export class FileInUse extends Error {
  override readonly name = 'FileInUse'
}

/**
 * Holds an exclusive lock on `<path>.lock`, which SQLite takes from the operating system: it is released when
 * the process ends, in any way. Returns the function that releases it.
 * @throws FileInUse
 */
export async function lockFile(driver: SqliteDriver | undefined, path: string): Promise<() => Promise<void>> {
  const connection = await openSqlite(driver, `${path}.lock`, false)
  try {
    await connection.exec('begin exclusive')
    return async () => {
      await connection.close()
      // A restore that failed leaves no lock of a database that does not exist.
      if (!existsSync(path)) rmSync(`${path}.lock`, { force: true })
    }
  } catch (error) {
    await connection.close()
    const told = readStorageError(error)
    if (!(told instanceof StorageError) || told.kind !== 'busy') throw told
    throw new FileInUse(`another svc-hosted serves ${path}; stop it first, or serve another database`)
  }
}
