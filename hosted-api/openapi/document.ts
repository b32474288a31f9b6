/** Generates the OpenAPI 3.1 document from the table of routes, so that it cannot disagree with them. */
import { type TObject, type TSchema, Type } from '@sinclair/typebox'
import { type AnyRoute, ProblemBody, type ProblemCode, pageMedia, problemKinds } from '../http/index.ts'

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }
export type JsonObject = { readonly [name: string]: Json }

export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly parameters: readonly JsonObject[]
  readonly requestBody?: JsonObject
  readonly responses: Readonly<Record<string, JsonObject>>
  readonly security: readonly JsonObject[]
}

export interface OpenApi {
  readonly openapi: '3.1.0'
  readonly info: JsonObject
  readonly servers: readonly JsonObject[]
  readonly tags: readonly JsonObject[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: JsonObject; readonly [name: string]: Json }
}

export function openApiDocument(routes: readonly AnyRoute[], version: string): OpenApi {
  const schemas = new Map<string, JsonObject>()
  schemas.set('Problem', problemSchema(schemas))
  const paths: Record<string, Record<string, Operation>> = {}
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, schemas) }
  }
  const tags = [...new Set(routes.map(({ tag }) => tag))]
  return {
    openapi: '3.1.0',
    info: {
      title: 'svc hosted API',
      version,
      description:
        'Business glossary and metadata store of svc projects. Every path works with and without a slash at the end.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: tags.map(name => ({ name })),
    paths,
    components: {
      schemas: Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'A token of this service: svc_…' },
      },
    },
  }
}

/** Returns the codes with which a route may refuse. Any other status is a bug, which the fuzzer looks for. */
export function problemsOf(route: AnyRoute): readonly ProblemCode[] {
  const isPublic = route.scope === 'public'
  const writes = route.method !== 'GET'
  const hasBody = route.body !== undefined
  const names = route.project.from !== 'none' || route.params !== undefined
  const rules: readonly (readonly [boolean, readonly ProblemCode[]])[] = [
    [true, ['invalid', 'unsupported_media_type', 'internal', 'unavailable']],
    [!isPublic, ['unauthorized', 'rate_limited']],
    [!isPublic && route.scope !== 'any', ['forbidden']],
    [names || hasBody, ['not_found']],
    [!writes && route.query !== undefined, ['invalid_cursor']],
    [hasBody, ['malformed_json', 'timeout', 'too_large']],
    [writes, writeProblems],
    [route.id === 'rotateToken', ['ended']],
  ]
  const codes = new Set(rules.flatMap(([holds, added]) => (holds ? added : [])))
  return (Object.keys(problemKinds) as ProblemCode[]).filter(code => codes.has(code))
}

const writeProblems = [
  'invalid_header',
  'forbidden',
  'already_exists',
  'in_use',
  'project_mismatch',
  'request_in_progress',
  'version_mismatch',
  'idempotency_key_reused',
  'storage_full',
] as const satisfies readonly ProblemCode[]

function operationOf(route: AnyRoute, schemas: Map<string, JsonObject>): Operation {
  const parameters = [
    ...parametersOf('path', route.params, schemas),
    ...parametersOf('query', route.query, schemas),
    ...headersOf(route),
  ]
  const scope = route.scope === 'any' ? 'Any valid token.' : `Needs the scope \`${route.scope}\`.`
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    description: route.scope === 'public' ? 'Needs no token.' : scope,
    parameters,
    ...(route.body === undefined ? {} : { requestBody: requestBodyOf(route, schemas) }),
    responses: { ...successesOf(route, schemas), ...refusalsOf(route) },
    security: route.scope === 'public' ? [] : [{ token: [] }],
  }
}

function parametersOf(
  place: 'path' | 'query',
  schema: TObject | undefined,
  schemas: Map<string, JsonObject>,
): readonly JsonObject[] {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { description, ...rest } = plain(property, schemas)
    return {
      name,
      in: place,
      required: place === 'path' || (schema?.required ?? []).includes(name),
      ...(description === undefined ? {} : { description }),
      schema: rest,
      // `fields=id,name`
      ...(rest['type'] === 'array' ? { style: 'form', explode: false } : {}),
    }
  })
}

function headersOf(route: AnyRoute): readonly JsonObject[] {
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  })
  if (route.method === 'GET')
    return [header('If-None-Match', 'The ETag of what one has: 304 when it still stands.')]
  return [
    header('If-Match', 'The ETag of the version that is to be changed: 412 when there is a newer one.'),
    header(
      'Idempotency-Key',
      'A key chosen by the client: a repeated request gets the first answer and changes nothing.',
    ),
  ]
}

function requestBodyOf(route: AnyRoute, schemas: Map<string, JsonObject>): JsonObject {
  const { accepts = ['application/json'], schemas: others = {}, shown = route.body } = route.bodyRule ?? {}
  const content = accepts.map(type => [type, { schema: plain(others[type] ?? shown, schemas) }])
  return { required: route.bodyRule?.optional !== true, content: Object.fromEntries(content) }
}

function successesOf(route: AnyRoute, schemas: Map<string, JsonObject>): Record<string, JsonObject> {
  const answers: Record<string, JsonObject> = {}
  for (const [status, schema] of Object.entries(route.responses as Record<string, TSchema>)) {
    const forms = {
      [route.produces ?? 'application/json']: schema,
      ...(status === '200' ? otherForms(route, schema) : {}),
    }
    const content = Object.entries(forms).map(([media, form]) => [media, { schema: plain(form, schemas) }])
    answers[status] = {
      description: successTexts[status] ?? 'Done.',
      ...(status === '204' ? {} : { content: Object.fromEntries(content) }),
    }
  }
  return answers
}

/** Every list also has a form that contains its count and the cursor of the next page. */
function otherForms(route: AnyRoute, schema: TSchema): Readonly<Record<string, TSchema>> {
  const isPaged = schema['type'] === 'array' && route.query?.properties['cursor'] !== undefined
  if (!isPaged) return route.otherForms ?? {}
  const page = Type.Object({
    success: Type.Literal(true),
    items: schema,
    total: Type.Integer(),
    next_cursor: Type.Union([Type.String(), Type.Null()]),
  })
  return { [pageMedia]: page, ...route.otherForms }
}

const successTexts: Readonly<Record<string, string>> = {
  '200': 'Done.',
  '201': 'Made.',
  '204': 'Done; no body.',
}

/** Returns one entry per status, with all its codes. */
function refusalsOf(route: AnyRoute): Record<string, JsonObject> {
  const byStatus = new Map<number, ProblemCode[]>()
  for (const code of problemsOf(route)) {
    const [status] = problemKinds[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const refusal = (codes: readonly ProblemCode[]): JsonObject => ({
    description: codes.map(code => `${problemKinds[code][1]} (\`${code}\`).`).join(' '),
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  })
  return Object.fromEntries(
    [...byStatus].sort(([a], [b]) => a - b).map(([status, codes]) => [status, refusal(codes)]),
  )
}

function problemSchema(schemas: Map<string, JsonObject>): JsonObject {
  const { $id: _, ...shape } = ProblemBody
  const told = inline(shape as unknown as Json, schemas) as JsonObject
  const properties = told['properties'] as JsonObject
  return { ...told, properties: { ...properties, code: { type: 'string', enum: Object.keys(problemKinds) } } }
}

/** Converts a TypeBox schema to JSON; one with an `$id` becomes a component and a reference to it. */
function plain(schema: TSchema, schemas: Map<string, JsonObject>): JsonObject {
  return inline(JSON.parse(JSON.stringify(schema)) as Json, schemas) as JsonObject
}

function inline(value: Json, schemas: Map<string, JsonObject>): Json {
  if (Array.isArray(value)) return value.map(item => inline(item, schemas))
  if (typeof value !== 'object' || value === null) return value
  const { $id: id, ...rest } = value as JsonObject
  const told = Object.fromEntries(
    Object.entries(rest).map(([name, member]) => [name, inline(member, schemas)]),
  )
  if (typeof id !== 'string') return told
  if (!schemas.has(id)) schemas.set(id, told)
  return { $ref: `#/components/schemas/${id}` }
}
