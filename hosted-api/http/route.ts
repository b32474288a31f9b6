/**
 * A route as data. Router, validation, authorization, the OpenAPI document and the test matrix are derived
 * from one table of routes, so that they cannot disagree.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Static, TObject, TSchema } from '@sinclair/typebox'
import type { Storage, Tx, WriteOptions } from '../storage/index.ts'
import type { Pace } from './pace.ts'
import type { Principal, Scope } from './principal.ts'
import type { BodyLimits } from './read-body.ts'
import type { Reply } from './reply.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** 0 means no limit. */
export interface CallLimits extends BodyLimits {
  /** Seconds for the work on a long question, and on an upload. */
  readonly questionTime: number
  readonly jobTime: number
  /** Assets of a context pack. */
  readonly packAssets: number
}

/** One request during its route; everything in it has been checked. */
export interface Call<P = unknown, Q = unknown, B = unknown> {
  readonly requestId: string
  readonly principal: Principal
  /** Parameters of the path; numbers are parsed. */
  readonly params: P
  readonly query: Q
  readonly body: B
  /** The project of the request: it exists, and the token may access it. */
  readonly project: number | undefined
  readonly headers: IncomingHttpHeaders
  /** The requested path and query. */
  readonly url: string
  readonly storage: Storage
  /** The limits of a body, which also hold for a record that a patch makes. */
  readonly limits: CallLimits
  /** For long work on the event loop. */
  readonly pace: Pace
  /**
   * Counts a request with many records as the requests that it stands for.
   * @throws Problem `rate_limited`
   */
  chargeRecords(records: number): void
  /** Runs all writes of a request in one transaction, and answers when it is on disk. */
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
  /** Media types in order of preference. Only `application/json` if left out. */
  readonly accepts?: readonly string[]
  /** The schema for the documentation instead of `body`, if the handler checks more, part by part. */
  readonly shown?: TSchema
  /** The media types of `accepts` that are text and not JSON. */
  readonly texts?: readonly string[]
  /** Schemas for media types whose body differs from `body`. */
  readonly schemas?: Readonly<Record<string, TSchema>>
  /** Schemas of parts that the handler checks by itself. */
  readonly parts?: readonly TSchema[]
  /** Media types whose bodies are much work even if they are short. */
  readonly costly?: readonly string[]
  /** Whether a request without a body counts as one with an empty object. */
  readonly optional?: boolean
  /** Set if it is larger and slower than others, so that the limits of uploads apply. */
  readonly upload?: 'pack' | 'import'
  /** Whether an object of it has a member per asset: then no limit of members applies. */
  readonly isKeyed?: boolean
  /** Parses the body instead of JSON; it throws Problems. */
  readonly parse?: (bytes: Buffer) => unknown
}

export interface Route<
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
> {
  /** The name of the operation in OpenAPI and of the client's method: `createTerm`. */
  readonly id: string
  readonly method: Method
  /** `/api/svc/glossary/terms/:id`; matches with and without a final slash. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  /**
   * `any`: every valid token. `public`: without a token, and only outside of /api/svc/. It cannot be left
   * out.
   */
  readonly scope: Scope | 'any' | 'public'
  readonly project: ProjectSource<Static<P>, Static<Q>, Static<B>>
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  readonly bodyRule?: BodyRule
  /** The schema of the body for each successful status. */
  readonly responses: Readonly<Record<number, TSchema>>
  /** The media type of successful answers that are not JSON. */
  readonly produces?: string
  /** Further forms of a 200, by media type. */
  readonly otherForms?: Readonly<Record<string, TSchema>>
  /** Whether the answer contains a secret that is shown once and so must not be stored. */
  readonly secret?: boolean
  /**
   * Whether the answer is the same for every token with access to the project, and with the scopes of
   * `alsoShows`, while its revision is unchanged; GET only. Such answers of one project have an `ETag`.
   */
  readonly cached?: boolean
  /** Further scopes on which the answer depends: with one of them missing it has less. */
  readonly alsoShows?: readonly Scope[]
  /** Whether the answer may take long: such requests of one token take turns. */
  readonly isLong?: boolean
  /** Whether a long question is short after all with this query: it is not worth asking another process. */
  readonly isShort?: (query: Readonly<Record<string, unknown>>) => boolean
  /** `many`: the body has a list of records; others are not made to wait for it. */
  readonly records?: 'many'
  handle(call: Call<Static<P>, Static<Q>, Static<B>>): Promise<Reply>
}

/** A route of any type. */
// biome-ignore lint/suspicious/noExplicitAny: the table holds routes of all types; each was checked where it was defined
export type AnyRoute = Route<any, any, any>

export function defineRoute<P extends TObject, Q extends TObject, B extends TSchema>(
  route: Route<P, Q, B>,
): AnyRoute {
  return route
}
