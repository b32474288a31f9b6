/** Definition and execution of routes, for other folders. */
export type { AnswerApart, EncodedReply } from './apart.ts'
export { type AppParts, createApp, type Seen } from './app.ts'
export { type CursorSigner, createCursorSigner } from './cursor.ts'
export { requireMatch, revisionTag, versionTag } from './etag.ts'
export { commonHeaders, createRequestIds, encodeReply } from './exchange.ts'
export * from './failure.ts'
export * from './header-rules.ts'
export * from './list.ts'
export { createPace, tookTooLong } from './pace.ts'
export * from './principal.ts'
export * from './problems.ts'
export { type BodyLimits, decodeText, parseJson } from './read-body.ts'
export * from './reply.ts'
export * from './route.ts'
export {
  type AroundWrite,
  type ChargeRecords,
  type Entrance,
  type Guard,
  type Recall,
  requireProject,
  requireScope,
  type TakeTurn,
} from './run-route.ts'
export * from './schemas.ts'
export { bodyProblems, checkBody, prepareValidators } from './validate.ts'
