/** Authentication and authorization. */

export { auditRoutes } from './audit-routes.ts'
export { createTokenReader, longestMemory, type TokenReader } from './authenticate.ts'
export { BootstrapTokenError, ensureBootstrapToken } from './bootstrap.ts'
export { aroundWrite, recall, sweepAnswers } from './idempotency.ts'
export { expandScopes, roles } from './rights.ts'
export { tokenRoutes } from './token-routes.ts'
export {
  createToken,
  day,
  defaultLifetime,
  type FreshToken,
  findToken,
  listTokens,
  longestGrace,
  longestLifetime,
  revokeToken,
  rotateToken,
  type TokenOrder,
  type TokenRecord,
  tokenNameProblem,
} from './tokens.ts'
