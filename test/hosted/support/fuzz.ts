/**
 * Asks every operation of the service's own OpenAPI document with values that fit, just fit and do not fit, and checks
 * every answer against the same document: never a failure of ours, never a status that is not documented, never a body
 * of another shape. With the same seed it asks the same things.
 */

import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Json, JsonObject, OpenApi, Operation } from '../../../hosted-api/openapi/index.ts'
import { seededRandom } from '../../support/random.ts'
import type { Answer, Client } from './client.ts'
import { fitting, knownId, type Maker, twisted } from './fuzz-values.ts'

export interface FuzzReport {
  readonly requests: number
  readonly statuses: Readonly<Record<string, number>>
  /** Each kind once, with the request that shows it. */
  readonly failures: readonly string[]
}

interface Asked {
  readonly name: string
  readonly operation: Operation
  readonly method: string
  readonly path: string
  readonly body: string | undefined
  readonly headers: Readonly<Record<string, string>>
}

const oddReferences = [
  '0',
  '-1',
  '2147483647',
  '2147483648',
  '99999999999',
  '12abc',
  'term.a',
  '%00',
  '%F0%9F%98%80',
  '%25',
  '..%2f',
  '*',
  "'",
]
const oddKeys = ['"a"', 'a', '"', '', '"v1"', '*', 'W/"v1"', '"p1"', 'x'.repeat(300)]

export async function fuzz(
  client: Client,
  document: OpenApi,
  options: { readonly count: number; readonly seed: number; readonly own: readonly number[] },
): Promise<FuzzReport> {
  const random = seededRandom(options.seed)
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const ids = new Map<string, number[]>([['projects', [1]]])
  const maker: Maker = { random, document, ids }
  const check = createCheck(document)
  const statuses: Record<string, number> = {}
  const failures = new Map<string, string>()
  for (let request = 0; request < options.count; request++) {
    const { path, method, operation } = operations[request % operations.length] ?? random.pick(operations)
    const asked = ask(path, method, operation, maker)
    if (endsItself(asked, options.own)) continue
    const answer = await client.send(asked.method, asked.path, {
      headers: asked.headers,
      ...(asked.body === undefined ? {} : { body: asked.body }),
    })
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
    const wrong = check(asked, answer)
    const key = `${asked.name}: ${wrong}`
    if (wrong !== undefined && !failures.has(key))
      failures.set(key, `${key}\n  ${shown(asked)}\n  ${answer.text.slice(0, 300)}`)
    const id = idOf(answer.body as Json | undefined)
    if (id !== undefined && answer.status < 300) remember(ids, collectionOf(path), id)
  }
  return { requests: options.count, statuses, failures: [...failures.values()] }
}

function ask(path: string, method: string, operation: Operation, maker: Maker): Asked {
  const { random } = maker
  const mood = random.below(10)
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    reference(name, path, operation, maker, mood === 0),
  )
  const content = operation.requestBody?.['content'] as JsonObject | undefined
  const headers: Record<string, string> = {}
  if (random.below(8) === 0) headers['If-Match'] = random.pick(oddKeys)
  if (random.below(8) === 0) headers['If-None-Match'] = random.pick(oddKeys)
  if (random.below(8) === 0) headers['Idempotency-Key'] = random.pick(oddKeys)
  if (random.below(8) === 0)
    headers['Accept'] = random.pick(['application/vnd.svc.page+json', 'text/html', '*/*', ''])
  const body = content === undefined ? undefined : bodyText(content, maker, headers)
  return {
    name: operation.operationId,
    operation,
    method,
    path: filled + queryText(operation, maker) + (random.below(50) === 0 ? '/' : ''),
    body: method === 'GET' ? undefined : body,
    headers,
  }
}

function reference(name: string, path: string, operation: Operation, maker: Maker, odd: boolean): string {
  if (odd) return maker.random.pick(oddReferences)
  const parameter = operation.parameters.find(each => each['name'] === name)
  const schema = (parameter?.['schema'] ?? {}) as JsonObject
  const meant = name === 'ref' || name === 'id' ? collectionOf(path) : name
  const isNumber = (schema['type'] === 'integer' && name !== 'version') || name === 'ref'
  const value = isNumber ? knownId(maker, meant) : fitting(schema, maker)
  return encodeURIComponent(wellFormed(String(value)))
}

/** Half of a character becomes U+FFFD: an address cannot hold one. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString()
}

function queryText(operation: Operation, maker: Maker): string {
  const { random } = maker
  const given = operation.parameters
    .filter(each => each['in'] === 'query' && (each['required'] === true || random.below(4) === 0))
    .map(each => {
      const value = fitting(each['schema'] as JsonObject, maker, 0, String(each['name']))
      const told = random.below(6) === 0 ? twisted(value, random) : value
      return [String(each['name']), Array.isArray(told) ? told.join(',') : String(told)]
    })
  if (random.below(30) === 0) given.push(['unknown', 'x'])
  const text = given
    .map(([name = '', value = '']) => `${name}=${encodeURIComponent(wellFormed(value))}`)
    .join('&')
  const odd = random.below(60) === 0 ? '&%zz=%zz' : ''
  return text + odd === '' ? '' : `?${text}${odd}`
}

function bodyText(content: JsonObject, maker: Maker, headers: Record<string, string>): string {
  const { random } = maker
  const [media = 'application/json', described] = random.pick(Object.entries(content))
  headers['Content-Type'] = random.below(40) === 0 ? 'text/weird' : media
  if (random.below(40) === 0)
    return random.pick(['', '{', 'null', '[]', '"x"', '{"a":1,"a":2}', '['.repeat(100), '\u0000'])
  const value = fitting((described as { readonly schema: JsonObject }).schema, maker)
  if (typeof value === 'string' && !media.endsWith('json')) return value
  return JSON.stringify(random.below(3) > 0 ? value : twisted(value, random))
}

/** What the fuzzer itself stands on: its own token and the first project are not taken away. */
function endsItself({ method, path }: Asked, own: readonly number[]): boolean {
  const token = /^\/api\/svc\/tokens\/(\d+)/.exec(path)?.[1]
  if (token !== undefined && method !== 'GET') return own.includes(Number(token))
  return method === 'DELETE' && /^\/api\/svc\/projects\/1(\D|$)/.test(path)
}

function createCheck(document: OpenApi): (asked: Asked, answer: Answer) => string | undefined {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  const validators = new Map<JsonObject, ValidateFunction>()
  const validatorOf = (schema: JsonObject) => {
    const known = validators.get(schema)
    if (known !== undefined) return known
    const made = ajv.compile({ ...schema, components: document.components })
    validators.set(schema, made)
    return made
  }
  return ({ operation, method }, { status, headers, body, text }) => {
    if (status >= 500) return `status ${status}`
    // Before an operation is found, or instead of its answer.
    if ((status === 304 && method === 'GET') || [404, 405, 414, 431].includes(status)) return undefined
    const response = operation.responses[String(status)]
    if (response === undefined) return `status ${status} is not documented`
    const content = response['content'] as JsonObject | undefined
    if (content === undefined) return text === '' ? undefined : 'a body where none is documented'
    const type = headers.get('content-type')?.split(';')[0] ?? ''
    const described = content[type] as { readonly schema: JsonObject } | undefined
    if (described === undefined) return `media type ${type} is not documented for ${status}`
    if (!type.endsWith('json')) return undefined
    const validate = validatorOf(described.schema)
    if (validate(body)) return undefined
    const [first] = validate.errors ?? []
    return `${status} has another shape: ${first?.instancePath} ${first?.message}`
  }
}

/** `terms` of `/api/svc/glossary/terms/{ref}/versions`. */
function collectionOf(path: string): string {
  return /([a-z-]+)(\/\{|$)/.exec(path)?.[1] ?? ''
}

/** The latest ones; the first project stays. */
function remember(ids: Map<string, number[]>, collection: string, id: number): void {
  const known = ids.get(collection) ?? []
  if (!known.includes(id)) known.push(id)
  if (known.length > 20) known.splice(1, 10)
  ids.set(collection, known)
}

function idOf(body: Json | undefined): number | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const { id } = body as JsonObject
  if (typeof id === 'number') return id
  const inner = Object.values(body).find(
    member => typeof member === 'object' && member !== null && 'id' in member,
  )
  return inner === undefined ? undefined : idOf(inner as Json)
}

function shown({ method, path, body, headers }: Asked): string {
  return `${method} ${path.slice(0, 300)} ${JSON.stringify(headers)} ${(body ?? '').slice(0, 300)}`
}
