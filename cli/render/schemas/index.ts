/** Every JSON output by the name under which `svc schema <name>` prints its schema. */
import {
  createAssetSchema,
  doctorSchema,
  errorSchema,
  freshnessSchema,
  initSchema,
  inspectSchema,
  logsSchema,
  lsSchema,
  planSchema,
  runSchema,
  sampleSchema,
  statusSchema,
  testSchema,
  validateSchema,
  versionsSchema,
} from './commands.ts'
import { eventSchema } from './events.ts'
import { catalogSchema, manifestSchema, testResultsSchema } from './files.ts'
import type { JsonSchema } from './schema.ts'

export const outputSchemas: Readonly<Record<string, JsonSchema>> = {
  init: initSchema,
  'create-asset': createAssetSchema,
  doctor: doctorSchema,
  validate: validateSchema,
  plan: planSchema,
  inspect: inspectSchema,
  ls: lsSchema,
  logs: logsSchema,
  run: runSchema,
  preview: runSchema,
  promote: runSchema,
  rollback: runSchema,
  event: eventSchema,
  events: eventSchema,
  status: statusSchema,
  versions: versionsSchema,
  sample: sampleSchema,
  test: testSchema,
  freshness: freshnessSchema,
  manifest: manifestSchema,
  catalog: catalogSchema,
  'test-results': testResultsSchema,
  error: errorSchema,
}
