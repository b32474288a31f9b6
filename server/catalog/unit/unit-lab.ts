/** What the unit tests of an asset are run with. */
import type { Binder } from '../binder.ts'
import type { Limits } from '../limits.ts'
import type { World } from '../statement.ts'
import type { UnitAnswer, UnitDesk } from './unit-answer.ts'

export interface UnitLab {
  readonly binder: Binder
  readonly world: World
  readonly limits: Limits
  readonly open: () => Promise<UnitDesk>
  /** After an internal error of DuckDB the next test has a database of its own. */
  readonly reopen: () => void
  readonly answers: Map<string, UnitAnswer>
}
