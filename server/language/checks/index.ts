/** Lists every check. A new check is a file beside these and a line here. */

import { changedByColumn } from './changed-by-column.ts'
import type { Check, FileCheck, ProjectCheck } from './check.ts'
import { columnDocUnknown } from './column-doc-unknown.ts'
import { constraintImpossible } from './constraint-impossible.ts'
import { constraintUnknownColumn } from './constraint-unknown-column.ts'
import { contractAbsentColumn } from './contract-absent-column.ts'
import { contractExcludedColumn } from './contract-excluded-column.ts'
import { contractUnknownColumn } from './contract-unknown-column.ts'
import { contractWithoutSource } from './contract-without-source.ts'
import { cursorConflict } from './cursor-conflict.ts'
import { cycle } from './cycle.ts'
import { disabledParent } from './disabled-parent.ts'
import { duplicateName } from './duplicate-name.ts'
import { ephemeralWithoutReader } from './ephemeral-without-reader.ts'
import { exposureDuplicate } from './exposure-duplicate.ts'
import { forEachColumn } from './for-each-column.ts'
import { forEachPlaceholder } from './for-each-placeholder.ts'
import { freshnessColumn } from './freshness-column.ts'
import { freshnessOrder } from './freshness-order.ts'
import { grantsImpossible } from './grants-impossible.ts'
import { hardCodedCredentials } from './hard-coded-credentials.ts'
import { hookImpossible } from './hook-impossible.ts'
import { incompleteWrite } from './incomplete-write.ts'
import { indexImpossible } from './index-impossible.ts'
import { indexUnknownColumn } from './index-unknown-column.ts'
import { maskConflict } from './mask-conflict.ts'
import { nameTooLong } from './name-too-long.ts'
import { policyBreach } from './policy-breach.ts'
import { publishPersonal } from './publish-personal.ts'
import { publishTarget } from './publish-target.ts'
import { publishUnknownColumn } from './publish-unknown-column.ts'
import { pythonTransform } from './python-transform.ts'
import { relationshipUnknownColumn } from './relationship-unknown-column.ts'
import { reservedName } from './reserved-name.ts'
import { selfRef } from './self-ref.ts'
import { sourceColumnsUnknown } from './source-columns-unknown.ts'
import { sourceWithoutIngest } from './source-without-ingest.ts'
import { sqlNullComparison } from './sql-null-comparison.ts'
import { tableOptionIdle } from './table-option-idle.ts'
import { testDuplicate } from './test-duplicate.ts'
import { testImpossible } from './test-impossible.ts'
import { testNameDuplicate } from './test-name-duplicate.ts'
import { testNullableKey } from './test-nullable-key.ts'
import { testUnknownColumn } from './test-unknown-column.ts'
import { testWrongType } from './test-wrong-type.ts'
import { unitTestOption } from './unit-test-option.ts'
import { unknownEnvironment } from './unknown-environment.ts'
import { unknownPlaceholder } from './unknown-placeholder.ts'
import { unknownRef } from './unknown-ref.ts'
import { unknownSourceChild } from './unknown-source-child.ts'
import { unknownTerm } from './unknown-term.ts'
import { unknownType } from './unknown-type.ts'
import { unknownVar } from './unknown-var.ts'
import { unusedSource } from './unused-source.ts'
import { whereReachesOut } from './where-reaches-out.ts'

export const fileChecks: readonly FileCheck[] = [
  contractExcludedColumn,
  contractWithoutSource,
  cursorConflict,
  forEachPlaceholder,
  freshnessOrder,
  grantsImpossible,
  hardCodedCredentials,
  hookImpossible,
  incompleteWrite,
  maskConflict,
  nameTooLong,
  pythonTransform,
  reservedName,
  sourceWithoutIngest,
  sqlNullComparison,
  tableOptionIdle,
  testDuplicate,
  testImpossible,
  testNameDuplicate,
  unitTestOption,
  unknownPlaceholder,
  unknownType,
  unusedSource,
]

export const projectChecks: readonly ProjectCheck[] = [
  changedByColumn,
  columnDocUnknown,
  constraintImpossible,
  constraintUnknownColumn,
  contractAbsentColumn,
  contractUnknownColumn,
  cycle,
  disabledParent,
  duplicateName,
  ephemeralWithoutReader,
  exposureDuplicate,
  forEachColumn,
  freshnessColumn,
  indexImpossible,
  indexUnknownColumn,
  policyBreach,
  publishPersonal,
  publishTarget,
  publishUnknownColumn,
  whereReachesOut,
  relationshipUnknownColumn,
  selfRef,
  sourceColumnsUnknown,
  testNullableKey,
  testUnknownColumn,
  testWrongType,
  unknownEnvironment,
  unknownRef,
  unknownSourceChild,
  unknownTerm,
  unknownVar,
]

export const checks: readonly Check[] = [...fileChecks, ...projectChecks]
