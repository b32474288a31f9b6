export { fileStamp } from './cache/file-stamp.ts'
export { openCache } from './cache/open-cache.ts'
export { readRecordFile, writeRecordFile } from './cache/record-file.ts'
export { declarationTexts, isDeclarationPath } from './declarations.ts'
export { encodingProblems, withEncoding } from './encoding-problems.ts'
export {
  environmentsOf,
  joined,
  joinedProblems,
  otherEngines,
  type ProblemsOnEngine,
} from './engine-problems.ts'
export { environmentNames, isStateOfDev, stateNameOf } from './environment-names.ts'
export { type ExtensionsRead, readExtensions } from './extensions.ts'
export { FileFailure } from './file-failure.ts'
export { defaultModels, findRoot, settingsFile } from './find-root.ts'
export {
  foundColumnsContent,
  foundColumnsFile,
  isSameFound,
  packedFound,
  readFoundColumns,
} from './found-columns.ts'
export { gitBranch, gitCommit } from './git-branch.ts'
export { passedOver } from './passed-over.ts'
export { projectProblems } from './project-problems.ts'
export { pythonDiagnostics } from './python-diagnostics.ts'
export { isAssetPath, listAssets, readAsset } from './read-assets.ts'
export { type FilesInSlicesOptions, readFilesInSlices } from './read-files-in-slices.ts'
export { readGlossary } from './read-glossary.ts'
export { readIfExists } from './read-if-exists.ts'
export { isMacroPath, listMacros, readMacros } from './read-macros.ts'
export { isOwnTestPath, listOwnTests, readOwnTests } from './read-own-tests.ts'
export { readSettings } from './read-settings.ts'
export { type SourceReader, schemaLockFile, sourceReader } from './read-sources.ts'
export { sha256 } from './sha256.ts'
export { variablesIn } from './variables.ts'
