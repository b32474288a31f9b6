/** Limits that protect clients from each other. */
export { type Crowd, createCrowd } from './crowd.ts'
export * from './limits.ts'
export { addressOf, createFailureCount, createRateLimits } from './rates.ts'
export { createTurns } from './turns.ts'
