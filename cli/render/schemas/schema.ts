/** A few words to write JSON Schemas (2020-12) with: every object is closed, every key required unless it says so. */

export type JsonSchema = Readonly<Record<string, unknown>>

export const text: JsonSchema = { type: 'string' }
export const number: JsonSchema = { type: 'number' }
export const count: JsonSchema = { type: 'integer', minimum: 0 }
export const flag: JsonSchema = { type: 'boolean' }
/** ISO 8601 UTC. */
export const time: JsonSchema = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T[0-9:.]+Z$' }
/** SHA-256, lower-case hex. */
export const hash: JsonSchema = { type: 'string', pattern: '^[0-9a-f]{64}$' }
/** `path:line:column` */
export const place: JsonSchema = { type: 'string' }
export const anything: JsonSchema = {}

export function oneOf(...values: readonly string[]): JsonSchema {
  return { enum: values }
}

export function nullable(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: 'null' }] }
}

export function list(items: JsonSchema): JsonSchema {
  return { type: 'array', items }
}

/** Any keys, values of one kind. */
export function mapOf(values: JsonSchema): JsonSchema {
  return { type: 'object', additionalProperties: values }
}

export function object(
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties).filter(name => !optional.includes(name)),
    additionalProperties: false,
  }
}

/** A whole document: the schema that a reader may keep. */
export function document(title: string, schema: JsonSchema): JsonSchema {
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', title, ...schema }
}

export const severity = oneOf('error', 'warn')
export const testStatus = oneOf('pass', 'fail')

export const column = object({ name: text, type: nullable(text) })

export const position = object({ line: count, column: count })

/** A change that mends the problem: all its edits together. */
const fix = object({
  title: text,
  edits: list(object({ path: text, start: position, end: position, new_text: text })),
})

export const diagnostic = object({
  code: text,
  severity: oneOf('error', 'warning', 'information', 'hint'),
  message: text,
  hint: nullable(text),
  path: text,
  start: position,
  end: position,
  suggestions: list(text),
  fixes: list(fix),
})

/** Of a unit test: rows in the order of `expect` (`row` counts from 0), then those that came besides. */
export const unitDiff = object({
  columns: list(text),
  rows: list(
    object(
      {
        kind: oneOf('changed', 'missing', 'unexpected'),
        row: count,
        cells: list(
          object({ expected: nullable(text), actual: nullable(text), same: flag }, ['expected', 'actual']),
        ),
      },
      ['row'],
    ),
  ),
  more: count,
  expected: count,
  actual: count,
})

export const testResult = object({
  /** Stays the same as long as asset and test keep their names. */
  id: text,
  asset: text,
  name: text,
  kind: text,
  column: nullable(text),
  severity,
  status: testStatus,
  failures: count,
  message: nullable(text),
  sample: list(mapOf(anything)),
  diff: nullable(unitDiff),
  execution_time: number,
  ran: flag,
  place,
})

/** `child` and `column` are absent for the table of the source, and for a whole table; `page` between loads. */
export const driftProperties = {
  kind: oneOf('added', 'vanished', 'retyped'),
  child: nullable(text),
  column: nullable(text),
  from: nullable(text),
  to: nullable(text),
  page: count,
}
export const driftChange = object(driftProperties, ['child', 'column', 'from', 'to', 'page'])

/** What a contract keeps out of a load. */
export const rejectCounts = {
  rows: count,
  values: count,
  columns: list(text),
  tables: list(text),
  refused: flag,
}

export const testSummary = object({ total: count, passed: count, failed: count })
