/**
 * Processes one request through its route: authentication, authorization, validation, project; only then the
 * handler.
 */
import type { IncomingMessage } from 'node:http'
import type { TObject } from '@sinclair/typebox'
import type { Storage, Tx } from '../storage/index.ts'
import { memberOf } from './json-value.ts'
import { beginShort, createPace } from './pace.ts'
import { type Authenticate, maySee, type Principal } from './principal.ts'
import { notFound, Problem } from './problems.ts'
import { type BodyLimits, hasBody, mediaType, readBody } from './read-body.ts'
import type { Reply } from './reply.ts'
import type { AnyRoute, Call, CallLimits } from './route.ts'
import { mostRecordId } from './schemas.ts'
import { checkBody, readQuery, validatorOf } from './validate.ts'

/** Calls `work` when the request has ended, successfully or not. */
export type After = (work: () => void) => void

/** Called before anything is known about a request; may refuse it (a limit) and add headers to the answer. */
export type Entrance = (
  request: IncomingMessage,
  after: After,
) => Readonly<Record<string, string>> | undefined

/** Called when route and caller are known; may refuse the request (a limit) and add headers to the answer. */
export type Guard = (seen: {
  readonly route: AnyRoute
  readonly principal: Principal
  /** The undecoded parameters of the path. */
  readonly params: Readonly<Record<string, string>>
  readonly request: IncomingMessage
  readonly after: After
}) => Readonly<Record<string, string>> | undefined

/** Wraps the transaction of every writing request, to store the answer for repeated requests (5.x). */
export type AroundWrite = (
  call: Call,
  route: AnyRoute,
  work: (tx: Tx) => Promise<Reply>,
) => (tx: Tx) => Promise<Reply>

/** Returns the first answer for a repeated request (`Idempotency-Key`); undefined if it is new. */
export type Recall = (call: Call, route: AnyRoute) => Promise<Reply | undefined>

/** Resolves when it is the turn of a long question or a large body of the token, with the function that ends it. */
export type TakeTurn = (principal: Principal) => Promise<() => void>

/**
 * Counts a request with many records as the requests that it stands for.
 * @throws Problem `rate_limited`, and nothing of the request is done
 */
export type ChargeRecords = (route: AnyRoute, principal: Principal, records: number) => void

export interface RouteWorld {
  readonly storage: Storage
  readonly authenticate: Authenticate
  readonly guards: readonly Guard[]
  readonly limits: CallLimits
  readonly takeTurn: TakeTurn
  readonly takeBodyTurn: TakeTurn
  readonly chargeRecords: ChargeRecords
  readonly aroundWrite: AroundWrite
  readonly recall: Recall
}

export interface Asked {
  readonly request: IncomingMessage
  readonly requestId: string
  readonly principal: Principal
  /** The decoded parameters of the path. */
  readonly params: Readonly<Record<string, string>>
  readonly after: After
}

/**
 * A request that writes records of another kind than its route does needs their scope too.
 * @throws Problem `forbidden`
 */
export function requireScope(
  { scope }: Pick<AnyRoute, 'scope'>,
  { scopes }: Pick<Principal, 'scopes'>,
): void {
  if (scope === 'any' || scope === 'public' || scopes.has(scope)) return
  throw new Problem('forbidden', `The token lacks the scope ${scope}.`, {
    headers: { 'WWW-Authenticate': `Bearer realm="svc", error="insufficient_scope", scope="${scope}"` },
  })
}

/**
 * Checks everything before the handler; the project comes last, because it may be in the body. Returns the
 * answer directly if the request was answered before.
 */
export async function prepareCall(route: AnyRoute, world: RouteWorld, asked: Asked): Promise<Call | Reply> {
  const { request, requestId, principal } = asked
  const url = request.url ?? '/'
  const body = await bodyOf(route, request, world.limits, async size => {
    const isCostly = size > largestAtOnce || route.bodyRule?.costly?.includes(mediaType(request)) === true
    if (isCostly) asked.after(await world.takeBodyTurn(principal))
  })
  // Until its body has come, a request waits for its sender.
  if (!isLongWork(route)) asked.after(beginShort())
  const draft = {
    requestId,
    principal,
    headers: request.headers,
    url,
    storage: route.isLong === true ? { ...world.storage, reads: world.storage.longReads } : world.storage,
    limits: world.limits,
    pace: createPace(world.limits.questionTime, 'question-timeout'),
    params: readParams(route, asked.params),
    query: readQuery(route.query, parametersOf(url)),
    body,
    project: undefined,
    chargeRecords: (records: number) => world.chargeRecords(route, principal, records),
    write: () => Promise.reject(new Error('a request writes in its handler')),
  }
  const answered = await world.recall(draft, route)
  if (answered !== undefined) return answered
  const project = await projectOf(route, world.storage, draft)
  const call: Call = {
    ...draft,
    project,
    write(work, options) {
      const whole = world.aroundWrite(call, route, work)
      // The wrapper depends on what others wrote, so the transaction is not independent.
      const isIndependent = whole === work && options?.isIndependent === true
      return world.storage.write(tx => whole(withToken(tx, principal)), {
        isIndependent,
        isLong: options?.isLong ?? route.bodyRule?.upload !== undefined,
        owner: principal.tokenId,
      })
    },
  }
  return call
}

/** Bytes of a body that is worked on at once, whatever else the token has sent. */
const largestAtOnce = 8 * 1024

function isLongWork({ isLong, bodyRule, records }: AnyRoute): boolean {
  return isLong === true || records === 'many' || bodyRule?.upload !== undefined
}

/** Names of tokens are not unique, so the audit log also has the number. */
function withToken(tx: Tx, { tokenId }: Principal): Tx {
  return { ...tx, record: change => tx.record({ ...change, tokenId }) }
}

/** @throws Problem `not_found`: a number that no record can have counts as a record that does not exist */
function readParams(route: AnyRoute, raw: Readonly<Record<string, string>>): unknown {
  const schema = route.params as TObject | undefined
  if (schema === undefined) return {}
  const values = Object.fromEntries(
    Object.entries(raw).map(([name, text]) => {
      const isNumber = schema.properties[name]?.['type'] === 'integer'
      return [name, isNumber && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : text]
    }),
  )
  if (!validatorOf(schema)(values)) throw notFound('record')
  return values
}

function parametersOf(url: string): URLSearchParams {
  const start = url.indexOf('?')
  return new URLSearchParams(start < 0 ? '' : url.slice(start + 1))
}

async function bodyOf(
  route: AnyRoute,
  request: IncomingMessage,
  limits: BodyLimits,
  onReceived: (size: number) => Promise<void>,
): Promise<unknown> {
  if (route.body === undefined) {
    if (!hasBody(request)) return undefined
    throw new Problem('unsupported_media_type', `${route.method} ${route.path} takes no body.`)
  }
  if (!hasBody(request) && route.bodyRule?.optional === true) return {}
  if (!hasBody(request))
    throw new Problem('malformed_json', 'The request has no body: it has to be a JSON document.')
  const body = await readBody(request, limits, route.bodyRule, onReceived)
  // A route that parses its body also checks it.
  const { parse, schemas } = route.bodyRule ?? {}
  if (parse === undefined) checkBody(schemas?.[mediaType(request)] ?? route.body, body)
  return body
}

async function projectOf(route: AnyRoute, storage: Storage, call: Call): Promise<number | undefined> {
  const { project: source } = route
  switch (source.from) {
    case 'none':
      return undefined
    case 'path':
      return requireProject(storage, call.principal, memberOf(call.params, source.param))
    case 'body':
      return requireProject(storage, call.principal, memberOf(call.body, source.member))
    case 'query': {
      const given = memberOf(call.query, source.parameter)
      return given === undefined ? undefined : requireProject(storage, call.principal, given)
    }
    case 'find':
      return requireProject(storage, call.principal, await source.find(call), 'record')
  }
}

/**
 * @throws Problem `not_found`, the same for a project that does not exist and for one that the token may not
 * access
 */
export async function requireProject(
  storage: Storage,
  principal: Principal,
  project: unknown,
  what = 'project',
): Promise<number> {
  const isRecord = Number.isInteger(project) && Number(project) >= 1 && Number(project) <= mostRecordId
  if (!isRecord || !maySee(principal, Number(project))) throw notFound(what)
  if ((await storage.revision(Number(project))) === undefined) throw notFound(what)
  return Number(project)
}
