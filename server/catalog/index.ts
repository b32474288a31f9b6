export { openCatalog, type ShadowCatalog } from './catalog.ts'
export {
  type ExtensionProblem,
  noExtensions,
  prepareExtensions,
  type ReadyExtensions,
} from './extensions.ts'
export { readFunctionBook } from './function-book.ts'
export type { CatalogMemory, KeptAnalysis } from './memory.ts'
export * from './quoting.ts'
export * from './source/csv-layout.ts'
export * from './source/find-files.ts'
export * from './source/guess-record-type.ts'
export * from './source/local-duckdb.ts'
export * from './source-shapes.ts'
