/** Where unit tests run, opened when the first one comes; an instance that is lost is opened anew for the next test. */
import type { Asset, UnitTestResult } from '../../language/index.ts'
import type { Binder } from '../binder.ts'
import type { Bound } from '../bound.ts'
import type { World } from '../statement.ts'
import { runUnitTests } from './run-unit-tests.ts'
import { openUnitDatabase, type UnitDatabase } from './unit-database.ts'

export interface UnitSurroundings {
  readonly world: World
  readonly binder: Binder
  readonly isAborted: () => boolean
}

export interface UnitBench {
  /** Undefined: nobody wants to know any more. */
  run(asset: Asset, bound: Bound, around: UnitSurroundings): Promise<readonly UnitTestResult[] | undefined>
  close(): void
}

/** Of one statement. */
const timeLimitMs = 5000

export function lazyUnitLab(): UnitBench {
  let opened: Promise<UnitDatabase> | undefined
  let isAborted = () => false
  const made = new Map<string, string>()
  const database = (): Promise<UnitDatabase> => {
    opened ??= openUnitDatabase(() => ({ timeMs: timeLimitMs, isAborted }))
    return opened
  }
  const close = () => {
    void opened?.then(
      each => each.close(),
      () => undefined,
    )
    opened = undefined
    made.clear()
  }
  return {
    async run(asset, bound, around) {
      isAborted = around.isAborted
      const { world, binder } = around
      return await runUnitTests({ binder, world, made, database, reopen: close }, asset, bound)
    },
    close,
  }
}
