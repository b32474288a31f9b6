/** The types of the client as TypeScript text, from the OpenAPI document: what the service says of itself compiles. */
import type { Json, JsonObject, OpenApi, Operation } from './document.ts'

export function clientTypes(document: OpenApi): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const schemas = Object.entries(document.components.schemas) as readonly (readonly [string, JsonObject])[]
  return [
    '// Generated from the routes of the service by `npm run docs`; not edited by hand.',
    '',
    ...schemas.flatMap(([name, schema]) => [`export type ${name} = ${typeOf(schema, '')}`, '']),
    '/** Of an operation without such a part. */',
    'export type Nothing = Readonly<Record<never, never>>',
    '',
    'export interface Operations {',
    ...operations.flatMap(({ operation }) => operationType(operation)),
    '}',
    '',
    'export const operations = {',
    ...operations.map(
      ({ path, method, operation }) =>
        `  ${operation.operationId}: { method: '${method}', path: '${path}' },`,
    ),
    '} as const satisfies Readonly<Record<keyof Operations, { readonly method: string; readonly path: string }>>',
    '',
  ].join('\n')
}

function operationType(operation: Operation): readonly string[] {
  const { operationId, summary, parameters, requestBody, responses } = operation
  const content = requestBody?.['content'] as JsonObject | undefined
  return [
    `  /** ${summary} */`,
    `  readonly ${operationId}: {`,
    `    readonly path: ${parametersType(parameters, 'path')}`,
    `    readonly query: ${parametersType(parameters, 'query')}`,
    `    readonly body: ${content === undefined ? 'undefined' : contentType(content)}`,
    `    readonly answer: ${answerType(responses)}`,
    '  }',
  ]
}

function parametersType(parameters: readonly JsonObject[], place: string): string {
  const members = parameters
    .filter(parameter => parameter['in'] === place)
    .map(({ name, required, schema }) =>
      member(String(name), schema as JsonObject, required === true, '    '),
    )
  return members.length === 0 ? 'Nothing' : `{\n${members.join('')}    }`
}

/** All successful answers of the operation; without a body: undefined. */
function answerType(responses: Operation['responses']): string {
  const types = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content }]) => (content === undefined ? 'undefined' : contentType(content as JsonObject)))
  return [...new Set(types)].join(' | ')
}

/** The first media type: others are the same thing written otherwise. */
function contentType(content: JsonObject): string {
  const [[media = '', described] = []] = Object.entries(content)
  if (!media.endsWith('json')) return 'string'
  return typeOf((described as { readonly schema: JsonObject }).schema, '    ')
}

function typeOf(schema: JsonObject, indent: string): string {
  const { $ref: reference, enum: values, const: value, anyOf, allOf, type } = schema
  if (typeof reference === 'string') return reference.split('/').at(-1) ?? 'unknown'
  if (value !== undefined) return literal(value)
  if (Array.isArray(values)) return values.map(literal).join(' | ')
  if (Array.isArray(anyOf)) return anyOf.map(each => typeOf(each as JsonObject, indent)).join(' | ')
  if (Array.isArray(allOf)) return allOf.map(each => typeOf(each as JsonObject, indent)).join(' & ')
  if (Array.isArray(type)) return type.map(each => typeOf({ ...schema, type: each }, indent)).join(' | ')
  switch (type) {
    case 'object':
      return objectType(schema, indent)
    case 'array':
      return `readonly (${typeOf((schema['items'] ?? {}) as JsonObject, indent)})[]`
    case 'integer':
    case 'number':
      return 'number'
    case 'string':
    case 'boolean':
    case 'null':
      return type
    default:
      return 'unknown'
  }
}

function objectType(schema: JsonObject, indent: string): string {
  const required = (schema['required'] ?? []) as readonly string[]
  const members = Object.entries((schema['properties'] ?? {}) as JsonObject).map(([name, property]) =>
    member(name, property as JsonObject, required.includes(name), indent),
  )
  const rest = restType(schema, indent)
  if (members.length === 0) return rest ?? '{}'
  // Other members than the named ones are there to be passed over.
  return `{\n${members.join('')}${indent}}`
}

/** What members have that no name is given for. */
function restType(schema: JsonObject, indent: string): string | undefined {
  const { additionalProperties: rest, patternProperties: patterns } = schema
  const [pattern] = Object.values((patterns ?? {}) as JsonObject)
  const type = pattern ?? rest
  if (type === false) return undefined
  const isSchema = typeof type === 'object' && type !== null
  return `{ readonly [name: string]: ${isSchema ? typeOf(type as JsonObject, indent) : 'unknown'} }`
}

function member(name: string, schema: JsonObject, isRequired: boolean, indent: string): string {
  const { description } = schema
  const comment =
    typeof description === 'string' ? `${indent}  /** ${description.replaceAll('*/', '* /')} */\n` : ''
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
  return `${comment}${indent}  readonly ${key}${isRequired ? '' : '?'}: ${typeOf(schema, `${indent}  `)}\n`
}

function literal(value: Json): string {
  return typeof value === 'string'
    ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
    : JSON.stringify(value)
}
