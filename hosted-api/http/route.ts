/**
 * A route as data. From the table of all routes come the router, validation, authorisation, the OpenAPI document and
 * the test matrix, so that none of them can say something else than the others.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Static, TObject, TSchema } from '@sinclair/typebox'
import type { Storage, Tx, WriteOptions } from '../storage/index.ts'
import type { Principal, Scope } from './principal.ts'
import type { BodyLimits } from './read-body.ts'
import type { Reply } from './reply.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** One request on its way through a route; everything in it has been checked. */
export interface Call<P = unknown, Q = unknown, B = unknown> {
  readonly requestId: string
  readonly principal: Principal
  /** From the path; numbers are numbers. */
  readonly params: P
  readonly query: Q
  readonly body: B
  /** The project that the request is about: it is there, and the token may see it. */
  readonly project: number | undefined
  readonly headers: IncomingHttpHeaders
  /** Path and query as they came. */
  readonly url: string
  readonly storage: Storage
  /** All writes of a request: one transaction, answered when it is on disk. */
  write(work: (tx: Tx) => Promise<Reply>, options?: WriteOptions): Promise<Reply>
}

/**
 * Where the project of a request comes from. It must be live and visible to the token, else the answer is 404.
 *
 * - `none`: the request is about the service, or about whatever the token may see: the handler filters by
 *   `principal.projects` itself.
 * - `find`: asks the database whose record it is; undefined is 404.
 */
export type ProjectSource<P, Q, B> =
  | { readonly from: 'none' }
  | { readonly from: 'path'; readonly param: string }
  | { readonly from: 'body'; readonly member: string }
  /** Optional: without the parameter it is `none`. */
  | { readonly from: 'query'; readonly parameter: string }
  | { readonly from: 'find'; find(call: Call<P, Q, B>): Promise<number | undefined> }

export interface BodyRule {
  /** Media types, best first. `application/json` alone when it is left out. */
  readonly accepts?: readonly string[]
  /** What documentation shows in place of `body`: the handler checks more than that, part by part. */
  readonly shown?: TSchema
  /** The media types of `accepts` that are text and not JSON. */
  readonly texts?: readonly string[]
  /** Where a body of another media type has another shape than `body`. */
  readonly schemas?: Readonly<Record<string, TSchema>>
  /** A request without a body is one with an empty object. */
  readonly optional?: boolean
  /** Larger and slower than others: it has the limits of an upload. */
  readonly upload?: boolean
  /** In place of JSON; what it throws is a Problem. */
  readonly parse?: (bytes: Buffer, mediaType: string, limits: BodyLimits) => unknown
}

export interface Route<
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
> {
  /** Name of the operation in OpenAPI and of the method of the client: `createTerm`. */
  readonly id: string
  readonly method: Method
  /** `/api/svc/glossary/terms/:id`; matches with and without a slash at the end. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  /** `any`: every valid token. `public`: without a token, and only outside of /api/svc/. It cannot be left out. */
  readonly scope: Scope | 'any' | 'public'
  readonly project: ProjectSource<Static<P>, Static<Q>, Static<B>>
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  readonly bodyRule?: BodyRule
  /** Schema of the body of each successful status. */
  readonly responses: Readonly<Record<number, TSchema>>
  /** Media type of successful answers that are no JSON. */
  readonly produces?: string
  /** Further forms of a 200, by media type. */
  readonly otherForms?: Readonly<Record<string, TSchema>>
  /** The answer holds a secret that is shown once: it is never kept. */
  readonly secret?: boolean
  /** The answer is the same for every token that may see the project, as long as its revision stands: GET only. */
  readonly cached?: boolean
  handle(call: Call<Static<P>, Static<Q>, Static<B>>): Promise<Reply>
}

/** A route whose types nobody needs to know any more. */
// biome-ignore lint/suspicious/noExplicitAny: the table holds routes of all types; each was checked where it was defined
export type AnyRoute = Route<any, any, any>

export function defineRoute<P extends TObject, Q extends TObject, B extends TSchema>(
  route: Route<P, Q, B>,
): AnyRoute {
  return route
}
