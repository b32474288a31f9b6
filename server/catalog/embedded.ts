/**
 * The embedded engine's functions for files and function lists, chosen by engine. Other folders import them
 * from here.
 */

export * from './duckdb/csv-layout.ts'
export { readFunctionBook } from './duckdb/function-book.ts'
export * from './duckdb/guess-record-type.ts'
export * from './duckdb/local-reader.ts'
export * from './duckdb/quoting.ts'
