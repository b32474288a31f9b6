export type * from './analysis.ts'
export { factsOf, hasNewFacts } from './checks/asset-facts.ts'
export { checkAsset, checkProject, type IsClean } from './checks/check-project.ts'
export { analysesAsked } from './checks/check-state.ts'
export { cleanResult, isUnread, sharedInputs } from './checks/clean-assets.ts'
export * from './checks/credentials.ts'
export { type DiagnosticCode, diagnosticCodes, diagnosticsPage } from './checks/diagnostic-codes.ts'
export { metricProblems } from './checks/metrics.ts'
export { compileSql } from './compile/compile-sql.ts'
export { cteQuery, ctesOf, cteTemplate } from './compile/cte-query.ts'
export { readerSql, readerSqlWithMap } from './compile/reader-sql.ts'
export { hasAlias } from './compile/table-alias.ts'
export { formatOfName } from './destinations/file.ts'
export { type DestinationType, destinationKindOf, destinationKinds } from './destinations/index.ts'
export * from './destinations/target.ts'
export type { Declaration, Engine, EngineTypes } from './engines/engine.ts'
export { EngineMissing } from './engines/engine-missing.ts'
export { extensibleEngines } from './engines/extensions.ts'
export { engineOf, engines, kindOf, readingEngine, usualEngine, usualWarehouse } from './engines/index.ts'
export { typeNameOfSource, typeOfSource, type ValueGaps } from './engines/portable-types.ts'
export type { SqlToken } from './engines/sql-token.ts'
export type * from './engines/sql-type.ts'
export { isNumeric, isPointInTime } from './engines/sql-type.ts'
export { functionBook } from './features/functions/function-book.ts'
export type * from './features/knowledge.ts'
export { type CsvRow, parseCsv } from './glossary/csv.ts'
export { flowScalar, withChanges, withEntries, withEntry, withoutEntry } from './glossary/edit-glossary.ts'
export * from './glossary/entries.ts'
export { entryId } from './glossary/entry-id.ts'
export { exportGlossary } from './glossary/export-glossary.ts'
export * from './glossary/glossary.ts'
export { cachePath, isMetricKey, metricAssets, metricKey } from './glossary/metric-asset.ts'
export { type MetricBreakdown, metricQuery } from './glossary/metric-query.ts'
export { isMetricDate, metricTimeColumns } from './glossary/metric-time.ts'
export { parseGlossary } from './glossary/parse-glossary.ts'
export { type FoundEntry, searchGlossary } from './glossary/search-glossary.ts'
export { type TermReference, termReferences } from './glossary/term-references.ts'
export {
  appliesTo,
  findTerm,
  inheritedTerm,
  type PolicySubject,
  termOf,
} from './glossary/terms.ts'
export * from './internal-names.ts'
export { type ColumnReach, columnPath, columnReach, type LineageBook } from './lineage/column-path.ts'
export { edgesOf, lineageBelow, lineageBook, sentTo } from './lineage/edges.ts'
export { groupBy } from './lists.ts'
export { createMacros } from './macros/create-macros.ts'
export { asWritten, expandAsset } from './macros/expand-asset.ts'
export { type Macro, type Macros, macrosFolder, signatureOf } from './macros/macro.ts'
export * from './materialize/index.ts'
export type { Materialization } from './materialize/materialization.ts'
export * from './names/called.ts'
export * from './names/find-column.ts'
export { resolveName, type Spelling } from './names/resolve-name.ts'
export type { NoticeEvent, NotifierType } from './notifiers/index.ts'
export { once, oncePer } from './once.ts'
export { createOwnTests } from './own-tests/create-own-tests.ts'
export { noOwnTests, type OwnTests, ownTestsFolder } from './own-tests/own-test.ts'
export { appliesAtDoor, doorOf } from './personal/at-the-door.ts'
export { breachText, forbids, originText } from './personal/breach.ts'
export * from './personal/facts.ts'
export * from './personal/flow.ts'
export { smallGroups } from './personal/k-anonymity.ts'
export * from './personal/marking.ts'
export * from './personal/personal-report.ts'
export * from './personal/project-flow.ts'
export { type QueryMarks, queryMarks } from './personal/query-marks.ts'
export { type AiChanges, parseGlobalSettings, withAiSettings } from './project/ai-settings.ts'
export { mayDiffer } from './project/asset-changes.ts'
export { knownDefinitionHash, knownRawHash, knownTestHash } from './project/asset-hashes.ts'
export { createProject, type ProjectFile } from './project/create-project.ts'
export { environmentNameForm, isEnvironmentName, type Variables } from './project/environment-engines.ts'
export {
  type AssetSettings,
  inheritedBy,
  inheritedKeys,
  inheritedValue,
  isDeclared,
} from './project/folder-defaults.ts'
export { type FreshnessVerdict, freshnessVerdict } from './project/freshness-verdict.ts'
export * from './project/history-changes.ts'
export * from './project/identity.ts'
export { locate, nodeAt } from './project/locate.ts'
export { parseAsset } from './project/parse-asset.ts'
export { parseSettings, settingsPath } from './project/parse-settings.ts'
export type * from './project/project.ts'
export { isReadAs, readWithOf } from './project/read-with.ts'
export { selectorMethods } from './project/select-methods.ts'
export { type Selection, selectAssets, withoutAssets } from './project/selectors.ts'
export { limitedIngest } from './project/source-limits.ts'
export { type AssetFacts, storedAsset } from './project/stored-asset.ts'
export { templatesOf } from './project/templates.ts'
export { usualPromotion } from './project/usual-promotion.ts'
export { removeAt } from './project/yaml-edits.ts'
export { pythonProblems } from './python/python-problems.ts'
export { ruffRules } from './python/python-rules.ts'
export type * from './python/python-tools.ts'
export type * from './schema/definition.ts'
export { formatDuration, parseDuration } from './schema/formats.ts'
export * from './schema/json-schema.ts'
export { type KeyFile, type KeyLine, type KeyPage, keyPages, keyPaths } from './schema/key-pages.ts'
export { limitsPage } from './schema/limits-page.ts'
export { plainValue } from './schema/read-value.ts'
export { referencePage } from './schema/reference-page.ts'
export * from './source/column-type.ts'
export { cursorEndPlaceholder, cursorPlaceholder } from './source/cursor-placeholders.ts'
export { storedType } from './source/delivered-type.ts'
export * from './source/file-options.ts'
export * from './source/find-records.ts'
export * from './source/history.ts'
export { JsonProblem, JsonScanner } from './source/json-scanner.ts'
export * from './source/json-shape.ts'
export { keepPrevious, leavesOut } from './source/keep-previous.ts'
export { withKnownLists } from './source/known-lists.ts'
export { listStep } from './source/list-step.ts'
export { declaredTables, lockedAsDeclared } from './source/locked-tables.ts'
export * from './source/masks.ts'
export * from './source/page-shapes.ts'
export { fillParent, onlyPlaceholder } from './source/parent-columns.ts'
export * from './source/partitions.ts'
export * from './source/raw-tables.ts'
export * from './source/record-reader.ts'
export { shortTags } from './source/request-tags.ts'
export * from './source/schema-lock.ts'
export * from './source/snake-case.ts'
export type * from './source/source-shape.ts'
export { fieldAtSource } from './source/struct-type.ts'
export * from './source/table-contract.ts'
export * from './source/text-layout.ts'
export { unmatchedMasks } from './source/unmatched-masks.ts'
export type { ExternalDataset } from './sources/external-dataset.ts'
export type { ClassedChange, StoredIngest, StoredSource } from './sources/history-rules.ts'
export {
  changesToldOf,
  externalDatasetOf,
  forEachOf,
  isInWarehouse,
  loadsOnlyNew,
  localFilesOf,
  ownRecordsOf,
  rowRequestsOf,
  sourceKindOf,
  sourceKinds,
  textOptionsOf,
} from './sources/index.ts'
export { type RemoteScheme, remoteScheme } from './sources/remote-access.ts'
export type { ChangesTold, SourceIngest } from './sources/source-kind.ts'
export { databaseExamples, databaseSchemes, tableOfDatabase } from './sources/sql.ts'
export { outsideOfCondition, outsideWords } from './sql/outside-reads.ts'
export type * from './syntax/node.ts'
export { scalarPositions } from './syntax/scalar-positions.ts'
export { scanTemplate } from './syntax/scan-template.ts'
export type * from './syntax/template.ts'
export { timesWrittenOut } from './syntax/template.ts'
export { parseYaml } from './syntax/yaml.ts'
export { isAhead } from './tests/ahead.ts'
export {
  isDataTest,
  measureOf,
  testColumn,
  testColumns,
  testConditions,
  testKindOf,
  testKinds,
  testWord,
} from './tests/index.ts'
export type { Measure, MeasureContext } from './tests/measure.ts'
export { addressSecrets } from './text/address-secrets.ts'
export {
  type CommandLine,
  commandWords,
  type Hint,
  hintIn,
  svcIn,
  usualEnvironment,
} from './text/command-line.ts'
export type * from './text/diagnostic.ts'
export { type LineIndex, lineIndex, type Position, placeAt } from './text/lines.ts'
export { didYouMean, nearestNames } from './text/nearest-names.ts'
export * from './text/range.ts'
export { isRecord } from './text/record.ts'
export { redact, redacted } from './text/redact.ts'
export { withoutPlaceholders } from './text/snippet.ts'
export { hasUnitTests, inputKey, type UnitCase, unitCases } from './unit/unit-case.ts'
export type { UnitDiff, UnitDiffCell, UnitDiffRow, UnitTestResult } from './unit/unit-result.ts'
export { yamlText } from './unit/yaml-value.ts'
