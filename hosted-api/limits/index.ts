/** Limits that protect clients from each other. */
export { type Crowd, createCrowd } from './crowd.ts'
export {
  type LimitName,
  type Limits,
  type LimitUnit,
  limitNames,
  limitTable,
  noLimits,
  readLimit,
  showLimit,
  standardLimits,
} from './limits.ts'
export { addressOf, createFailureCount, createRateLimits } from './rates.ts'
export { createTurns } from './turns.ts'
