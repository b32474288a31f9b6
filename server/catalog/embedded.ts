/**
 * The embedded engine's functions for files and function lists, chosen by engine. Other folders import them
 * from here.
 */
import type { Engine, FunctionBook } from '../language/index.ts'
import { readFunctionBook as ofDuckdb } from './duckdb/function-book.ts'

export * from './duckdb/csv-from.ts'
export * from './duckdb/csv-reason.ts'
export * from './duckdb/csv-types.ts'
export { decimalOf } from './duckdb/decimal-width.ts'
export * from './duckdb/guess-record-type.ts'
export * from './duckdb/json-from.ts'
export * from './duckdb/local-reader.ts'
export { localTypes } from './duckdb/local-types.ts'
export { loadDuckdb } from './duckdb/memory-database.ts'
export { withNativePart } from './duckdb/native-part.ts'
export { replaced } from './duckdb/number-rungs.ts'
export { partitionParameters } from './duckdb/partition-parameters.ts'
export * from './duckdb/quoting.ts'
export { repeatsKeys } from './duckdb/repeated-keys.ts'
export { TextFileError } from './duckdb/text/decode.ts'
export * from './duckdb/text/file-layouts.ts'
export type { TextLayout } from './duckdb/text/find-layout.ts'
export * from './duckdb/text/look-at-text.ts'
export { readHead } from './duckdb/text/read-text.ts'
export { createUtf8Check } from './duckdb/text/utf8-check.ts'
export { databaseThreads } from './duckdb/threads.ts'
export * from './duckdb/type-rungs.ts'
export * from './duckdb/value-free-message.ts'
export { readWholeTexts } from './duckdb/whole-texts.ts'

type ReadBook = (load: readonly string[]) => Promise<FunctionBook>

/** One line an engine. */
const readers: Readonly<Record<string, ReadBook>> = {
  duckdb: ofDuckdb,
  postgres: async () => (await import('./postgres/function-book.ts')).readFunctionBook(),
}

const books = new Map<string, Promise<FunctionBook>>()

/**
 * Returns the functions that an engine knows, with their descriptions; they are read once a process, so that a
 * caller that needs them soon should ask early. `load` has the statements that load extensions.
 */
export function readFunctionBook(engine: Engine, load: readonly string[] = []): Promise<FunctionBook> {
  const key = [engine.kind, ...load].join(';')
  const read = readers[engine.kind]
  const book = books.get(key) ?? read?.(load)
  if (book === undefined) throw new Error(`nothing tells the functions of ${engine.label}`)
  books.set(key, book)
  return book
}
