/** Returns an example value of a schema. */
import type { Json, JsonObject, OpenApi } from './document.ts'

type Schemas = Pick<OpenApi, 'components'>

export interface ExampleOptions {
  /** Leaves out optional members. */
  readonly requiredOnly?: boolean
}

/** Deeper examples are not useful. */
const mostDepth = 5

export function exampleOf(
  schema: JsonObject,
  document: Schemas,
  options: ExampleOptions = {},
  depth = 0,
): Json {
  const { $ref: reference, enum: values, const: value, anyOf, allOf, examples, default: standard } = schema
  if (Array.isArray(examples) && examples.length > 0) return examples[0] as Json
  if (typeof reference === 'string') {
    const target = document.components.schemas[reference.split('/').at(-1) ?? '']
    return exampleOf((target ?? {}) as JsonObject, document, options, depth)
  }
  if (value !== undefined) return value
  if (standard !== undefined) return standard
  if (Array.isArray(values)) return values[0] as Json
  const [branch] = (anyOf ?? allOf ?? []) as readonly JsonObject[]
  if (branch !== undefined) return exampleOf(branch, document, options, depth)
  switch (schema['type']) {
    case 'object':
      return objectExample(schema, document, options, depth)
    case 'array':
      return depth >= mostDepth
        ? []
        : [exampleOf((schema['items'] ?? {}) as JsonObject, document, options, depth + 1)]
    case 'integer':
    case 'number':
      return Number(schema['minimum'] ?? 1)
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return schema['format'] === 'date-time' ? '2026-11-01T09:30:00.000Z' : 'text'
  }
}

function objectExample(schema: JsonObject, document: Schemas, options: ExampleOptions, depth: number): Json {
  if (depth >= mostDepth) return {}
  const required = (schema['required'] ?? []) as readonly string[]
  const members = Object.entries((schema['properties'] ?? {}) as JsonObject).filter(
    ([name]) => options.requiredOnly !== true || required.includes(name),
  )
  return Object.fromEntries(
    members.map(([name, member]) => [name, exampleOf(member as JsonObject, document, options, depth + 1)]),
  )
}
