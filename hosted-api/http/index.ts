/** Definition and execution of routes, for other folders. */
export type { AnswerApart, EncodedReply } from './apart.ts'
export { type AppParts, createApp, type Seen } from './app.ts'
export { type CursorSigner, createCursorSigner } from './cursor.ts'
export { requireMatch, revisionTag, versionTag } from './etag.ts'
export { commonHeaders, createRequestIds, encodeReply } from './exchange.ts'
export { errorOf, type Failure, failureOf } from './failure.ts'
export { idempotencyKeyPattern } from './header-rules.ts'
export {
  asksForFew,
  type ListQuery,
  listParameters,
  listReply,
  mostItems,
  nextLink,
  pageMedia,
} from './list.ts'
export { createPace, tookTooLong } from './pace.ts'
export { type Authenticate, maySee, type Principal, type Scope, scopeMeanings, scopes } from './principal.ts'
export {
  type FieldProblem,
  invalid,
  mostProblems,
  notFound,
  Problem,
  type ProblemCode,
  type ProblemParts,
  problemBody,
  problemKinds,
  problemMeanings,
} from './problems.ts'
export { type BodyLimits, decodeText, parseJson } from './read-body.ts'
export { created, ok, okAtRevision, type Reply } from './reply.ts'
export {
  type AnyRoute,
  type BodyRule,
  type Call,
  type CallLimits,
  defineRoute,
  type Method,
  type ProjectSource,
  type Route,
} from './route.ts'
export {
  type AroundWrite,
  type ChargeRecords,
  type Entrance,
  type Guard,
  type Recall,
  requireProject,
  type TakeTurn,
} from './run-route.ts'
export {
  Count,
  closed,
  mostRecordId,
  oneOf,
  orNull,
  ProblemBody,
  RecordId,
  type Shape,
  Time,
  visible,
  Warning,
} from './schemas.ts'
export { bodyProblems, checkBody, prepareValidators } from './validate.ts'
