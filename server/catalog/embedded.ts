/** What the embedded engine is asked of files and functions, whichever engine it is: the door of its room. */

export * from './duckdb/csv-layout.ts'
export { readFunctionBook } from './duckdb/function-book.ts'
export * from './duckdb/guess-record-type.ts'
export * from './duckdb/local-reader.ts'
export * from './duckdb/quoting.ts'
