export { type CatalogGroup, newCatalogGroup, openCatalog, type ShadowCatalog } from './catalog.ts'
export * from './embedded.ts'
export {
  type ExtensionProblem,
  loadOfDeclaration,
  noExtensions,
  prepareExtensions,
  type ReadyExtensions,
  tryDeclarations,
} from './extensions.ts'
export { groundOfFound } from './found-columns.ts'
export type { CatalogMemory, KeptAnalysis } from './memory.ts'
export type { FoundByAsset, FoundColumns } from './outside.ts'
export { readAheadDuring } from './read-ahead.ts'
export * from './source/find-files.ts'
export { type Glob, globOf } from './source/glob.ts'
export { pieceSize, readInPieces } from './source/read-in-pieces.ts'
export { type MayOpen, mayOpenAll, staysInside } from './source/stays-inside.ts'
export { zstdFileSize } from './source/zstd-size.ts'
export * from './source-shapes.ts'
export { prepareWorkers } from './worker/worker-child.ts'
