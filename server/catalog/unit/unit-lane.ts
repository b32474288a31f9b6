import { mostTries } from '../guard.ts'
import { defaultLimits, type Limits } from '../limits.ts'
import { runUnitTests } from './run-unit-tests.ts'
import { newSession, type UnitAnswer, type UnitSession } from './unit-answer.ts'
import type { UnitDatabase, UnitLimits } from './unit-database.ts'
import type { UnitSurroundings, UnitTask } from './unit-runner.ts'

export type Lane = ReturnType<typeof newLane>

const mostTables = 300

export function newLane(start: (wanted: () => UnitLimits) => UnitDatabase, answers: Map<string, UnitAnswer>) {
  let opened: UnitSession | undefined
  let isAborted = () => false
  let limits: Limits = defaultLimits
  let running = 0
  const close = () => {
    opened?.database.close()
    opened = undefined
  }
  // Returns the open database, or a new one if the last was lost.
  const open = (): UnitSession => {
    if (opened?.database.isLost) close()
    opened ??= newSession(start(() => ({ limits, isAborted })))
    return opened
  }
  return {
    begin(wanted: Limits) {
      limits = wanted
      open()
    },
    /** May be called again before it has ended. */
    async run({ asset, bound, tries = 0 }: UnitTask, around: UnitSurroundings) {
      isAborted = around.isAborted
      limits = around.limits
      const used = new Uses(open)
      running += 1
      try {
        const context = {
          ...around,
          open: () => used.open(),
          isUnsure: () => used.isUnsure,
          isLastTry: tries + 1 >= mostTries,
          answers,
        }
        return await runUnitTests(context, asset, bound)
      } finally {
        running -= 1
        used.end()
      }
    },
    /** The number of assets that are tested now. */
    get running() {
      return running
    },
    /** Closes a database that has many tables. */
    tidy: () => {
      if (opened !== undefined && opened.made.size > mostTables) close()
    },
    close,
  }
}

/** Counts an asset as a user of the databases that its tests run on. */
class Uses {
  readonly #open: () => UnitSession
  #session: UnitSession | undefined

  constructor(open: () => UnitSession) {
    this.#open = open
  }

  open(): UnitSession {
    const session = this.#open()
    if (session === this.#session) return session
    this.end()
    session.users += 1
    this.#session = session
    return session
  }

  get isUnsure(): boolean {
    return this.#session?.database.isLost === true && this.#session.users > 1
  }

  /** Those that used a lost database stay counted: each of them has to know that it was not alone. */
  end(): void {
    if (this.#session !== undefined && !this.#session.database.isLost) this.#session.users -= 1
    this.#session = undefined
  }
}
