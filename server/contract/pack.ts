/**
 * The context pack (interface.md 2.8): every member that `svc` writes into its files and no others, so that
 * misspelt ones are reported. A sender may leave members out. Members with several forms only get size limits
 * here; the store validates them.
 */
import { type TProperties, Type } from '@sinclair/typebox'
import { choice, document, orNull, type Shape } from './schema.ts'

/** `external`: occurs only in the lineage. `exposure`: a consumer of an asset. */
export const nodeKinds = ['source', 'model', 'publish', 'external', 'exposure'] as const
export type NodeKind = (typeof nodeKinds)[number]

/** The statuses in the contract (3.2). */
export const versionStatuses = ['deployed', 'Failed'] as const
export type VersionStatus = (typeof versionStatuses)[number]

const strict = { additionalProperties: false }
const object = <T extends TProperties>(properties: T) => Type.Object(properties, strict)
const Name = Type.String({ minLength: 1, maxLength: 255 })
const Path = Type.String({ maxLength: 4096 })
const Prose = Type.String({ maxLength: 65_536 })
const Hash = Type.String({ minLength: 1, maxLength: 128 })
const Time = Type.String({ format: 'date-time' })
const Free = Type.Record(Type.String(), Type.Unknown())
const Count = Type.Integer({ minimum: 0 })
const Seconds = Type.Number({ minimum: 0 })

const Column = object({
  name: Name,
  type: Type.Optional(orNull(Type.String({ maxLength: 1024 }))),
  nullable: Type.Optional(Type.Boolean()),
  description: Type.Optional(orNull(Prose)),
  pii: Type.Optional(Type.Boolean()),
  masked: Type.Optional(Type.Boolean()),
  // The term in a catalogue. The glossary has it too and is read instead.
  term: Type.Optional(Free),
})

const Columns = Type.Array(Column, { maxItems: 10_000 })
/** `complete: false`: there may be more columns than these. */
const AssetSchema = object({ columns: Type.Optional(Columns), complete: Type.Optional(Type.Boolean()) })

/** The number of tests that one scan computed, whose time is the time of each of them. */
const Scan = object({ tests: Count })

const Outcome = object({
  name: Name,
  status: choice(['pass', 'fail']),
  execution_time: Seconds,
  scan: Type.Optional(Scan),
  at: Type.Optional(Time),
})

const Summary = object({ total: Count, passed: Count, failed: Count })

/** interface.md 2.14 */
const TestResultsEntry = object({
  asset_name: Name,
  timestamp: Time,
  tests: Type.Array(Outcome, { maxItems: 10_000 }),
  summary: Type.Optional(Summary),
})

/** `.svc/test_results.json`. */
export const TestResultsFile = Type.Record(Type.String(), TestResultsEntry)

const aboutTest = {
  kind: Type.Optional(Name),
  type: Type.Optional(Name),
  column: Type.Optional(orNull(Name)),
  severity: Type.Optional(choice(['error', 'warn'])),
  definition: Type.Optional(Type.Unknown()),
}

/** A test definition; in a catalogue, a test is an outcome instead. */
const AssetTest = object({
  name: Name,
  status: Type.Optional(choice(['pass', 'fail'])),
  execution_time: Type.Optional(Seconds),
  scan: Type.Optional(Scan),
  at: Type.Optional(Time),
  ...aboutTest,
})

const Test = object({ asset: Name, name: Name, ...aboutTest })

const Version = object({
  hash: Hash,
  deployed_at: Time,
  status: Type.Optional(choice(versionStatuses)),
  run_id: Type.Optional(orNull(Name)),
})

const Asset = object({
  id: Type.Optional(Name),
  name: Type.Optional(Name),
  path: Type.Optional(Path),
  kind: Type.Optional(choice(nodeKinds.slice(0, 3))),
  description: Type.Optional(orNull(Prose)),
  owner: Type.Optional(orNull(Name)),
  tags: Type.Optional(Type.Array(Name, { maxItems: 1000 })),
  definition_hash: Type.Optional(orNull(Hash)),
  text_hash: Type.Optional(orNull(Hash)),
  active_hash: Type.Optional(orNull(Hash)),
  deployed_at: Type.Optional(orNull(Time)),
  deployed_by: Type.Optional(orNull(Name)),
  status: Type.Optional(orNull(choice([...versionStatuses, 'skipped']))),
  last_run: Type.Optional(orNull(Time)),
  seconds: Type.Optional(orNull(Seconds)),
  loaded_at: Type.Optional(orNull(Time)),
  rows: Type.Optional(orNull(Count)),
  // What a catalogue says of the last run; the store keeps versions and results.
  repaired: Type.Optional(Type.String()),
  gone: Type.Optional(Type.String()),
  attempt: Type.Optional(Free),
  failure: Type.Optional(Free),
  warnings: Type.Optional(Type.Array(Free)),
  freshness: Type.Optional(orNull(Free)),
  blocks: Type.Optional(Free),
  inherited: Type.Optional(Free),
  schema: Type.Optional(AssetSchema),
  columns: Type.Optional(Columns),
  columns_complete: Type.Optional(Type.Boolean()),
  tests: Type.Optional(Type.Array(AssetTest, { maxItems: 10_000 })),
  summary: Type.Optional(Summary),
  raw_sql: Type.Optional(Type.String()),
  compiled_sql: Type.Optional(Type.String()),
  upstream: Type.Optional(Type.Array(Name)),
  downstream: Type.Optional(Type.Array(Name)),
})

const Project = object({
  id: Type.Optional(Name),
  name: Type.Optional(Name),
  warehouse: Type.Optional(orNull(Type.String({ maxLength: 1024 }))),
  default_schema: Type.Optional(orNull(Name)),
})

const Exposure = object({
  name: Name,
  asset: Name,
  type: Type.Optional(Name),
  url: Type.Optional(orNull(Type.String({ maxLength: 4096 }))),
  owner: Type.Optional(orNull(Name)),
  description: Type.Optional(orNull(Prose)),
})

const Git = object({
  commit: Type.Optional(Type.String({ maxLength: 64 })),
  branch: Type.Optional(Type.String({ maxLength: 255 })),
  dirty: Type.Optional(Type.Boolean()),
})

/** The glossary validates each entry separately. */
const Entries = Type.Array(Free, { maxItems: 100_000 })

export const ContextPack = object({
  version: Type.Optional(Type.Integer({ minimum: 1, maximum: 1 })),
  generated_at: Type.Optional(Time),
  settings_hash: Type.Optional(Type.String({ maxLength: 200 })),
  environment: Type.Optional(Name),
  scope: Type.Optional(choice(['full', 'partial'])),
  project: Project,
  assets: Type.Array(Asset, { maxItems: 1_000_000 }),
  lineage: Type.Optional(Type.Array(Type.Unknown(), { maxItems: 10_000_000 })),
  glossary: Type.Optional(
    Type.Unsafe<unknown>({
      type: ['array', 'object'],
      items: { type: 'object', additionalProperties: true },
      description: 'Entries, or the document of svc glossary export.',
    }),
  ),
  terms: Type.Optional(Entries),
  metrics: Type.Optional(Entries),
  dimensions: Type.Optional(Entries),
  policies: Type.Optional(Entries),
  links: Type.Optional(Entries),
  schemas: Type.Optional(Type.Record(Type.String(), AssetSchema)),
  tests: Type.Optional(Type.Array(Test)),
  test_results: Type.Optional(TestResultsFile),
  versions: Type.Optional(Type.Record(Type.String(), Type.Array(Version, { maxItems: 10_000 }))),
  history: Type.Optional(Type.Array(Free)),
  exposures: Type.Optional(Type.Array(Exposure)),
  /** In a catalogue: the targets of svc publish. Their edges are enough here. */
  publishes: Type.Optional(Entries),
  git: Type.Optional(orNull(Git)),
  excluded_columns: Type.Optional(Count),
  active_assets: Type.Optional(Count),
})
export type ContextPack = Shape<typeof ContextPack>

const eitherGlossary = { anyOf: [{ type: 'array', items: { type: 'object' } }, { type: 'object' }] }

/** In the words of the other outputs, so that strict checkers take it. The store itself checks times. */
const published = JSON.parse(
  JSON.stringify(
    { ...ContextPack, properties: { ...ContextPack.properties, glossary: eitherGlossary } },
    (key, value) => (key === 'format' && value === 'date-time' ? undefined : value),
  ),
) as typeof ContextPack
export const contextPackSchema = document('svc ai context --json, the context pack of an upload', published)
export type PackVersion = Shape<typeof Version>
export type PackTestResults = Shape<typeof TestResultsFile>
