/** The context in which the unit tests of an asset run. */
import type { Binder } from '../binder.ts'
import type { Limits } from '../limits.ts'
import type { World } from '../statement.ts'
import type { UnitAnswer, UnitDesk } from './unit-answer.ts'

export interface UnitLab {
  readonly binder: Binder
  readonly world: World
  readonly limits: Limits
  /** Returns the database; a new one if the last was lost. */
  readonly open: () => UnitDesk
  readonly answers: Map<string, UnitAnswer>
}
