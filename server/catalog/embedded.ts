/**
 * The embedded engine's functions for files and function lists, chosen by engine. Other folders import them
 * from here.
 */

export * from './duckdb/csv-from.ts'
export * from './duckdb/csv-layout.ts'
export * from './duckdb/csv-types.ts'
export { readFunctionBook } from './duckdb/function-book.ts'
export * from './duckdb/guess-record-type.ts'
export * from './duckdb/local-reader.ts'
export { localTypes } from './duckdb/local-types.ts'
export { partitionParameters } from './duckdb/partition-parameters.ts'
export * from './duckdb/quoting.ts'
export * from './duckdb/type-rungs.ts'
export * from './duckdb/value-free-message.ts'
