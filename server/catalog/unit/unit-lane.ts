/** One database that runs unit tests; an instance that is lost is replaced for the next test. */
import type { UnitTestResult } from '../../language/index.ts'
import { defaultLimits, type Limits } from '../limits.ts'
import { type NoResults, runUnitTests } from './run-unit-tests.ts'
import { newDesk, type UnitAnswer, type UnitDesk } from './unit-answer.ts'
import type { UnitSurroundings, UnitTask } from './unit-bench.ts'
import type { UnitDatabase, UnitLimits } from './unit-database.ts'

export interface Lane {
  begin(limits: Limits): void
  /** May be called again before it has ended. */
  run(task: UnitTask, around: UnitSurroundings): Promise<readonly UnitTestResult[] | NoResults>
  /** The number of assets that are tested now. */
  readonly running: number
  /** Closes a database that has many tables. */
  tidy(): void
  close(): void
}

const mostTables = 300

export function newLane(
  start: (wanted: () => UnitLimits) => UnitDatabase,
  answers: Map<string, UnitAnswer>,
): Lane {
  let opened: UnitDesk | undefined
  let isAborted = () => false
  let limits = defaultLimits
  let running = 0
  const close = () => {
    opened?.database.close()
    opened = undefined
  }
  // Returns the open database, or a new one if the last was lost.
  const open = (): UnitDesk => {
    if (opened?.database.isLost) close()
    opened ??= newDesk(start(() => ({ limits, isAborted })))
    return opened
  }
  return {
    begin(wanted) {
      limits = wanted
      open()
    },
    async run({ asset, bound }, around) {
      isAborted = around.isAborted
      limits = around.limits
      const used = new Uses(open)
      running += 1
      try {
        const lab = {
          ...around,
          open: () => used.open(),
          isUnsure: () => used.isUnsure,
          answers,
        }
        return await runUnitTests(lab, asset, bound)
      } finally {
        running -= 1
        used.end()
      }
    },
    get running() {
      return running
    },
    tidy: () => {
      if (opened !== undefined && opened.made.size > mostTables) close()
    },
    close,
  }
}

/** Counts an asset as a user of the databases that its tests run on. */
class Uses {
  readonly #open: () => UnitDesk
  #desk: UnitDesk | undefined

  constructor(open: () => UnitDesk) {
    this.#open = open
  }

  open(): UnitDesk {
    const desk = this.#open()
    if (desk === this.#desk) return desk
    this.end()
    desk.users += 1
    this.#desk = desk
    return desk
  }

  get isUnsure(): boolean {
    return this.#desk?.database.isLost === true && this.#desk.users > 1
  }

  /** Those that used a lost database stay counted: each of them has to know that it was not alone. */
  end(): void {
    if (this.#desk !== undefined && !this.#desk.database.isLost) this.#desk.users -= 1
    this.#desk = undefined
  }
}
