/** The context in which the unit tests of an asset run. */
import type { Limits } from '../limits.ts'
import type { World } from '../statement.ts'
import type { UnitAnswer, UnitSession } from './unit-answer.ts'

export interface UnitContext {
  readonly world: World
  readonly limits: Limits
  /** Returns the database; a new one if the last was lost. */
  readonly open: () => UnitSession
  readonly answers: Map<string, UnitAnswer>
  /** Returns whether other assets were tested on the database when it was lost: one of them may be the cause. */
  readonly isUnsure: () => boolean
  /** Whether they are not begun again where the system ends their process. */
  readonly isLastTry: boolean
}
