/** Generates the OpenAPI 3.1 document from the table of routes, so that it cannot disagree with them. */
import { type TObject, type TSchema, Type } from '@sinclair/typebox'
import {
  type AnyRoute,
  idempotencyKeyPattern,
  ProblemBody,
  type ProblemCode,
  pageMedia,
  problemKinds,
} from '../http/index.ts'
import { exampleOf } from './example.ts'
import { linksOf } from './links.ts'
import { jsonValue, jsonValueName, withTextRule } from './text-schema.ts'

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
  schemas.set(jsonValueName, jsonValue)
  const paths: Record<string, Record<string, Operation>> = {}
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, schemas, routes) }
  }
  const components = Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1)))
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
    paths: withExamples(paths, components),
    components: {
      schemas: components,
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'A token of this service: svc_…' },
      },
    },
  }
}

/** What makes records has an example: the shortest body that is accepted. */
function withExamples(paths: OpenApi['paths'], schemas: JsonObject): OpenApi['paths'] {
  const document = { components: { schemas } }
  const withExample = (form: JsonObject): JsonObject => ({
    ...form,
    example: exampleOf(form['schema'] as JsonObject, document, { requiredOnly: true }),
  })
  const shown = (operation: Operation | undefined) => {
    if (operation?.requestBody === undefined) return {}
    const forms = Object.entries(operation.requestBody['content'] as Record<string, JsonObject>)
    const content = Object.fromEntries(forms.map(([type, form]) => [type, withExample(form)]))
    return { post: { ...operation, requestBody: { ...operation.requestBody, content } } }
  }
  return Object.fromEntries(
    Object.entries(paths).map(([path, methods]) => [
      path,
      path.includes('{') ? methods : { ...methods, ...shown(methods['post']) },
    ]),
  )
}

/** Returns the codes with which a route may refuse. Any other status is a bug, which the fuzzer looks for. */
export function problemsOf(route: AnyRoute): readonly ProblemCode[] {
  const isPublic = route.scope === 'public'
  const writes = route.method !== 'GET'
  const hasBody = route.body !== undefined
  const names = route.project.from !== 'none' || route.params !== undefined
  const rules: readonly (readonly [boolean, readonly ProblemCode[]])[] = [
    [true, ['malformed_target', 'uri_too_long', 'expectation_failed', 'headers_too_large']],
    [true, ['invalid', 'unsupported_media_type', 'internal', 'unavailable']],
    [route.isLong === true || route.bodyRule?.upload !== undefined, ['took_too_long']],
    [!isPublic, ['unauthorized', 'rate_limited']],
    [!isPublic && route.scope !== 'any', ['forbidden']],
    [names || hasBody, ['not_found']],
    [!writes && route.query !== undefined, ['invalid_cursor']],
    [hasBody, ['malformed_json', 'timeout', 'too_large']],
    [writes && names, ['too_large']],
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

function operationOf(
  route: AnyRoute,
  schemas: Map<string, JsonObject>,
  routes: readonly AnyRoute[],
): Operation {
  const parameters = [
    ...parametersOf('path', route.params, schemas),
    ...parametersOf('query', route.query, schemas),
    ...headersOf(route),
  ]
  const less = (route.alsoShows ?? []).map(scope => ` Without \`${scope}\` the answer has less.`)
  const scope = route.scope === 'any' ? 'Any valid token.' : `Needs the scope \`${route.scope}\`.`
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    description: route.scope === 'public' ? 'Needs no token.' : scope + less.join(''),
    parameters,
    ...(route.body === undefined ? {} : { requestBody: requestBodyOf(route, schemas) }),
    responses: { ...successesOf(route, schemas, routes), ...notModified(route), ...refusalsOf(route) },
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
      // An empty parameter is not an empty list.
      schema: rest['type'] === 'array' ? { minItems: 1, ...rest } : rest,
      // `fields=id,name`
      ...(rest['type'] === 'array' ? { style: 'form', explode: false } : {}),
    }
  })
}

function headersOf(route: AnyRoute): readonly JsonObject[] {
  const header = (name: string, description: string, pattern?: string) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string', ...(pattern === undefined ? {} : { pattern }) },
  })
  if (route.method === 'GET')
    return hasTag(route)
      ? [header('If-None-Match', 'The ETag of what one has: 304 when it still stands.')]
      : []
  const key = header(
    'Idempotency-Key',
    'A key chosen by the client: a repeated request gets the first answer and changes nothing.',
    idempotencyKeyPattern,
  )
  const match = 'The ETag of the version that is to be changed: 412 when there is a newer one.'
  return route.params === undefined ? [key] : [header('If-Match', match), key]
}

/** Whether answers have an `ETag`; those about several projects have none. */
function hasTag({ cached }: AnyRoute): boolean {
  return cached === true
}

function notModified(route: AnyRoute): Record<string, JsonObject> {
  return hasTag(route) ? { '304': { description: 'What the client has still stands; no body.' } } : {}
}

function requestBodyOf(route: AnyRoute, schemas: Map<string, JsonObject>): JsonObject {
  const { accepts = ['application/json'], schemas: others = {}, shown = route.body } = route.bodyRule ?? {}
  const content = accepts.map(type => [type, { schema: plain(others[type] ?? shown, schemas) }])
  return { required: route.bodyRule?.optional !== true, content: Object.fromEntries(content) }
}

function successesOf(
  route: AnyRoute,
  schemas: Map<string, JsonObject>,
  routes: readonly AnyRoute[],
): Record<string, JsonObject> {
  const answers: Record<string, JsonObject> = {}
  for (const [status, schema] of Object.entries(route.responses as Record<string, TSchema>)) {
    const shown = isPaged(route, schema) ? withParts(schema) : schema
    const forms = {
      [route.produces ?? 'application/json']: shown,
      ...(status === '200' ? otherForms(route, shown) : {}),
    }
    const content = Object.entries(forms).map(([media, form]) => [media, { schema: plain(form, schemas) }])
    const links = linksOf(route, schema, routes)
    answers[status] = {
      description: status === '201' ? 'Made.' : 'Done.',
      ...(Object.keys(links).length === 0 ? {} : { links }),
      content: Object.fromEntries(content),
    }
  }
  return answers
}

function isPaged(route: AnyRoute, schema: TSchema): boolean {
  return schema['type'] === 'array' && route.query?.properties['cursor'] !== undefined
}

/** With `?fields=` an item has those members only, and null where it has none. */
function withParts(list: TSchema): TSchema {
  const { items } = list
  const { $id: _, ...item } = items as TObject
  const members = Object.entries(item.properties).map(([name, member]) => [
    name,
    Type.Optional(Type.Union([member, Type.Null()])),
  ])
  const part = Type.Object(Object.fromEntries(members), {
    additionalProperties: false,
    minProperties: 1,
    description: 'What ?fields= asks for.',
  })
  return Type.Array(Type.Union([items as TSchema, part]))
}

/** Every list also has a form that contains its count and the cursor of the next page. */
function otherForms(route: AnyRoute, schema: TSchema): Readonly<Record<string, TSchema>> {
  if (!isPaged(route, schema)) return route.otherForms ?? {}
  const page = Type.Object({
    success: Type.Literal(true),
    items: schema,
    total: Type.Integer(),
    next_cursor: Type.Union([Type.String(), Type.Null()]),
  })
  return { [pageMedia]: page, ...route.otherForms }
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
  const members = told['properties'] as JsonObject
  return { ...told, properties: { ...members, code: { type: 'string', enum: Object.keys(problemKinds) } } }
}

/** Converts a TypeBox schema to JSON; one with an `$id` becomes a component and a reference to it. */
function plain(schema: TSchema, schemas: Map<string, JsonObject>): JsonObject {
  return inline(JSON.parse(JSON.stringify(schema)) as Json, schemas) as JsonObject
}

/** `name`: of the member that the value describes. */
function inline(value: Json, schemas: Map<string, JsonObject>, name?: string): Json {
  if (Array.isArray(value)) return value.map(item => inline(item, schemas))
  if (typeof value !== 'object' || value === null) return value
  const { $id: id, documented, rule: _, ...own } = value as JsonObject
  const rest = { ...own, ...(documented as JsonObject | undefined) }
  const members = Object.entries(rest).map(([key, member]) => [
    key,
    key === 'properties' ? properties(member as JsonObject, schemas) : inline(member, schemas),
  ])
  const told = withTextRule(Object.fromEntries(members) as JsonObject, name)
  if (typeof id !== 'string') return told
  if (!schemas.has(id)) schemas.set(id, told)
  return { $ref: `#/components/schemas/${id}` }
}

function properties(members: JsonObject, schemas: Map<string, JsonObject>): JsonObject {
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, inline(member, schemas, name)]),
  )
}
