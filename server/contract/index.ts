/**
 * The files, events and outputs that two programs share: their types and their JSON Schemas. A program that
 * needs no schema at run time imports only the types and loads nothing.
 */
import * as ai from './ai.ts'
import { aiApplySchema, aiPatchSchema } from './ai-patch.ts'
import * as dashboard from './dashboard.ts'
import { importDbtSchema } from './dbt-import.ts'
import * as files from './files.ts'
import * as glossary from './glossary.ts'
import * as keeping from './keeping-outputs.ts'
import * as outputs from './outputs.ts'
import { contextPackSchema } from './pack.ts'
import { policyReportSchema } from './policy-report.ts'
import * as publishOutputs from './publish-outputs.ts'
import { eventSchema } from './run-events.ts'
import type { JsonSchema, Shape } from './schema.ts'
import * as setupOutputs from './setup-outputs.ts'
import { uploadSchema } from './upload.ts'

export type * from './ai-patch.ts'
export type * from './column-path.ts'
export type * from './dashboard.ts'
export type * from './files.ts'
export type * from './outputs.ts'
export type { ContextPack, PackVersion } from './pack.ts'
export type * from './parts.ts'
export type * from './run-events.ts'
export type { JsonSchema } from './schema.ts'
export type { Warning, WarningCode } from './warnings.ts'
export { warningCodes } from './warnings.ts'

const schemas = {
  init: setupOutputs.initSchema,
  'create-asset': setupOutputs.createAssetSchema,
  agents: setupOutputs.agentsSchema,
  discover: outputs.discoverSchema,
  'import-dbt': importDbtSchema,
  doctor: outputs.doctorSchema,
  explain: outputs.explainSchema,
  validate: outputs.validateSchema,
  fmt: outputs.fmtSchema,
  plan: outputs.planSchema,
  inspect: outputs.inspectSchema,
  ls: outputs.lsSchema,
  logs: keeping.logsSchema,
  run: outputs.runSchema,
  preview: outputs.runSchema,
  promote: outputs.runSchema,
  rollback: outputs.runSchema,
  'rollback-preview': outputs.rollbackPreviewSchema,
  gc: keeping.gcSchema,
  backup: keeping.backupSchema,
  retry: outputs.retrySchema,
  event: eventSchema,
  events: eventSchema,
  status: outputs.statusSchema,
  versions: outputs.versionsSchema,
  sample: outputs.sampleSchema,
  query: outputs.querySchema,
  compile: outputs.compileSchema,
  metric: outputs.metricSchema,
  rejects: publishOutputs.rejectsSchema,
  publish: publishOutputs.publishSchema,
  test: outputs.testSchema,
  freshness: outputs.freshnessSchema,
  'notify-test': outputs.notifyTestSchema,
  manifest: files.manifestSchema,
  catalog: files.catalogSchema,
  'test-results': files.testResultsSchema,
  'glossary-add-term': glossary.addTermSchema,
  'glossary-add-metric': glossary.addMetricSchema,
  'glossary-add-dimension': glossary.addDimensionSchema,
  'glossary-add-policy': glossary.addPolicySchema,
  'glossary-edit': glossary.editSchema,
  'glossary-remove': glossary.removeSchema,
  'glossary-link-term': glossary.linkTermSchema,
  'glossary-unlink-term': glossary.unlinkTermSchema,
  'glossary-import': glossary.importSchema,
  'glossary-pull': glossary.pullSchema,
  'glossary-push': glossary.pushSchema,
  'glossary-list': glossary.glossaryListSchema,
  'glossary-search': glossary.glossarySearchSchema,
  'glossary-export': files.glossarySchema,
  'policy-report': policyReportSchema,
  dashboard: dashboard.dashboardSchema,
  quality: dashboard.qualitySchema,
  history: files.historySchema,
  runs: dashboard.attemptedRunsSchema,
  problems: dashboard.problemsSchema,
  'column-path': dashboard.columnPathSchema,
  'stream-event': dashboard.streamEventSchema,
  upload: uploadSchema,
  'ai-context': contextPackSchema,
  'ai-explain': ai.aiExplainSchema,
  'ai-review': ai.aiReviewSchema,
  'config-ai': ai.configAiSchema,
  'ai-patch': aiPatchSchema,
  'ai-new': aiPatchSchema,
  'ai-fix': aiPatchSchema,
  'ai-tests': aiPatchSchema,
  'ai-apply': aiApplySchema,
  error: outputs.errorSchema,
}

export const { askedExplanation, proposedAsset, proposedOps } = ai

/** Schemas by the name under which `svc schema <name>` prints them. */
export const outputSchemas: Readonly<Record<string, JsonSchema>> = schemas
export type JsonOf<Name extends keyof typeof schemas> = Shape<(typeof schemas)[Name]>
