/** The files that other programs read (decisions 4). */
import {
  anything,
  count,
  document,
  flag,
  hash,
  list,
  mapOf,
  nullable,
  number,
  object,
  oneOf,
  severity,
  testStatus,
  testSummary,
  text,
  time,
} from './schema.ts'

const project = object({ id: text, name: text, warehouse: text, default_schema: text })

const aboutColumn = {
  name: text,
  type: nullable(text),
  nullable: flag,
  description: nullable(text),
  pii: flag,
  masked: { const: true },
}

const documentedColumn = object(aboutColumn, ['masked'])

const assetSchema = object({ columns: list(documentedColumn) })

const edge = object({
  from: text,
  to: text,
  kind: oneOf('ref', 'exposure'),
  columns: list(object({ from: text, to: text, masking: { const: true } }, ['masking'])),
})

const testDefinition = object({
  asset: text,
  name: text,
  kind: text,
  column: nullable(text),
  severity,
  definition: mapOf(anything),
})

export const manifestSchema = document(
  '.svc/manifest.json, svc manifest --json',
  object({
    version: { const: 1 },
    generated_at: time,
    project,
    assets: list(
      object({
        id: text,
        name: text,
        path: text,
        definition_hash: hash,
        text_hash: hash,
        blocks: mapOf(anything),
        schema: assetSchema,
      }),
    ),
    lineage: list(edge),
    schemas: mapOf(assetSchema),
    tests: list(testDefinition),
  }),
)

const outcome = object({ name: text, status: testStatus, execution_time: number })

/** interface.md 2.14 */
export const testResultsSchema = document(
  '.svc/test_results.json',
  mapOf(object({ asset_name: text, timestamp: time, tests: list(outcome), summary: testSummary })),
)

const limits = object({ warn_after_seconds: nullable(number), error_after_seconds: nullable(number) })

const term = object({ name: text, description: text, from: nullable(text) })

const catalogAsset = object({
  name: text,
  path: text,
  kind: oneOf('source', 'model', 'publish'),
  description: nullable(text),
  owner: nullable(text),
  tags: list(text),
  columns: list(object({ ...aboutColumn, term }, ['term', 'masked'])),
  raw_sql: text,
  compiled_sql: text,
  definition_hash: hash,
  active_hash: nullable(hash),
  status: nullable(oneOf('deployed', 'Failed')),
  last_run: nullable(time),
  seconds: nullable(number),
  rows: nullable(count),
  freshness: nullable(limits),
  tests: list(outcome),
  summary: testSummary,
  upstream: list(text),
  downstream: list(text),
})

export const catalogSchema = document(
  'svc_catalog.json, /api/catalog.json',
  object({
    version: { const: 1 },
    generated_at: time,
    environment: text,
    project,
    assets: list(catalogAsset),
    exposures: list(
      object({
        name: text,
        asset: text,
        type: text,
        url: nullable(text),
        owner: nullable(text),
        description: nullable(text),
      }),
    ),
    lineage: list(edge),
    excluded_columns: count,
    active_assets: count,
  }),
)

const glossaryEntry = { id: count, name: text }
const described = { ...glossaryEntry, identifier: text, description: text }

/** interface.md 2.7 */
export const glossarySchema = document(
  '.svc/glossary.json, svc glossary export',
  object({
    project: object({ id: count, name: text }),
    terms: list(
      object({
        ...described,
        synonyms: list(text),
        owner: nullable(text),
        links: list(
          object({
            asset: text,
            column: nullable(text),
            role: nullable(oneOf('primary_key', 'foreign_key', 'attribute')),
          }),
        ),
      }),
    ),
    metrics: list(
      object({
        ...described,
        sql_definition: nullable(text),
        time_grain: nullable(text),
        source_assets: list(text),
        owner: nullable(text),
      }),
    ),
    dimensions: list(object({ ...described, values: list(anything), type: text })),
    policies: list(
      object({
        ...glossaryEntry,
        rule: text,
        pii_columns: list(text),
        applies_to: list(text),
        enforcement: oneOf('strict', 'warn', 'off'),
      }),
    ),
  }),
)
