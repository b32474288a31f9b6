/** Refusals of the service: RFC 9457, with a code that programs can rely on. */

/** Every code, its status and its title; each has a paragraph in docs/hosted/errors.md. */
export const problemKinds = {
  malformed_target: [400, 'Malformed address'],
  malformed_json: [400, 'Malformed JSON'],
  invalid_cursor: [400, 'Invalid cursor'],
  invalid_header: [400, 'Invalid header'],
  unauthorized: [401, 'Unauthorized'],
  forbidden: [403, 'Forbidden'],
  not_found: [404, 'Not found'],
  method_not_allowed: [405, 'Method not allowed'],
  timeout: [408, 'Timeout'],
  already_exists: [409, 'Already exists'],
  in_use: [409, 'In use'],
  ended: [409, 'Ended'],
  project_mismatch: [409, 'Another project'],
  request_in_progress: [409, 'Request in progress'],
  version_mismatch: [412, 'Another version'],
  too_large: [413, 'Too large'],
  uri_too_long: [414, 'Address too long'],
  unsupported_media_type: [415, 'Unsupported media type'],
  expectation_failed: [417, 'Expectation failed'],
  invalid: [422, 'Invalid request'],
  idempotency_key_reused: [422, 'Idempotency key reused'],
  rate_limited: [429, 'Too many requests'],
  headers_too_large: [431, 'Headers too large'],
  internal: [500, 'Internal error'],
  unavailable: [503, 'Unavailable'],
  took_too_long: [503, 'Took too long'],
  storage_full: [507, 'Storage full'],
} as const satisfies Record<string, readonly [status: number, title: string]>

export type ProblemCode = keyof typeof problemKinds

/** The meaning of each code and what a client should do, for the documentation. */
export const problemMeanings: Readonly<Record<ProblemCode, string>> = {
  malformed_target: 'The address in the first line of the request cannot be read.',
  malformed_json: 'The body is not JSON, is nested too deeply, or has a duplicate member.',
  invalid_cursor: 'The cursor belongs to another list, or was changed: start with the first page.',
  invalid_header: 'A header cannot be read.',
  unauthorized: 'The token is missing, unknown, expired or revoked.',
  forbidden:
    'The token lacks the scope, which `WWW-Authenticate` names, or would give a right or a time that it does not have.',
  not_found: 'It does not exist, or the token may not access its project.',
  method_not_allowed: 'The path does not support this method; `Allow` lists those it supports.',
  timeout: 'The request did not arrive in time.',
  already_exists: 'The identifier is taken; `existing` says by which record.',
  in_use: 'Others refer to it: remove them first, or say `?cascade=true`.',
  ended: 'The token has ended already.',
  project_mismatch: 'The pack belongs to another project; `?rebind=true` binds the project to it.',
  request_in_progress:
    'The first request with this `Idempotency-Key`, or another upload, is still in progress: try again.',
  version_mismatch: 'Somebody changed it meanwhile: read it again, and repeat the change.',
  too_large: 'The body is longer than is allowed.',
  uri_too_long: 'Path and query are longer than is allowed.',
  unsupported_media_type: 'The `Content-Type` or `Content-Encoding` of the body is not supported here.',
  expectation_failed: 'The service supports `Expect: 100-continue` only.',
  invalid: 'The body or the query is wrong; `errors` says where.',
  idempotency_key_reused: 'The key was used for another request: make a new one.',
  rate_limited: 'Too many requests: wait for `Retry-After` seconds.',
  headers_too_large: 'The headers are longer than 16 kB.',
  internal: 'A bug in the service; its log has details under the request id.',
  unavailable: 'The service is busy, starting or stopping: try again.',
  took_too_long: 'The question or the upload took longer than is allowed: ask for less at a time.',
  storage_full: 'The disk of the database is full; reading still works.',
}

/** How many problems of a request are reported at once. */
export const mostProblems = 100

/** One problem of a request; all of them are reported at once. */
export interface FieldProblem {
  /** JSON pointer into the body, or `?name` for a query parameter. */
  readonly pointer: string
  readonly code: string
  readonly detail: string
}

export interface ProblemParts {
  readonly errors?: readonly FieldProblem[]
  /** Further members of the body, such as `existing`. */
  readonly members?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ProblemCode
  readonly parts: ProblemParts

  constructor(code: ProblemCode, detail: string, parts: ProblemParts = {}) {
    super(detail)
    this.code = code
    this.parts = parts
  }

  get status(): number {
    return problemKinds[this.code][0]
  }
}

/**
 * The same 404 for everything that does not exist or that the token may not access, so that it does not
 * reveal which.
 */
export function notFound(what: string): Problem {
  return new Problem('not_found', `There is no such ${what}.`)
}

export function invalid(errors: readonly FieldProblem[]): Problem {
  const [first] = errors
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''
  const shown = errors.slice(0, mostProblems)
  return new Problem('invalid', `${first?.detail ?? 'The request is invalid.'}${more}`, { errors: shown })
}

/** The same for one problem. */
export function invalidAt(pointer: string, code: string, detail: string): Problem {
  return invalid([{ pointer, code, detail }])
}

/** Returns the body of a problem response (section 7). `instance` is the requested path. */
export function problemBody(problem: Problem, instance: string, requestId: string): Record<string, unknown> {
  const [status, title] = problemKinds[problem.code]
  return {
    success: false,
    type: `urn:svc:problem:${problem.code}`,
    title,
    status,
    code: problem.code,
    detail: problem.message,
    instance,
    request_id: requestId,
    ...problem.parts.members,
    ...(problem.parts.errors === undefined ? {} : { errors: problem.parts.errors }),
  }
}
