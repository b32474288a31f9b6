/** The public interface of the storage. */
export { readCursorKey } from './cursor-key.ts'

export { FileInUse } from './file-lock.ts'
export { grouped } from './grouped.ts'
export { type AuditRow, auditHash, serviceLedger } from './ledger.ts'
export { NewerDatabase } from './migrate.ts'
export {
  AddressError,
  MissingDatabase,
  openReaders,
  openStorage,
  type StorageOptions,
  sqlitePath,
} from './open-storage.ts'
export { pages } from './pages.ts'
export * from './restore.ts'
export * from './row-set.ts'
export { MissingDriver, type SqliteDriver, sqliteDrivers } from './sqlite-driver.ts'
export type * from './storage.ts'
export * from './storage-error.ts'
export { readRows, readTables, type Table } from './tables.ts'
