/**
 * The databases that run unit tests, opened for the first test. Many assets are tested in parallel, on lanes with a
 * database each, and the statements of some of them wait at the database, so that it never waits for this process.
 */
import { availableParallelism } from 'node:os'
import type { Asset, Engine, UnitTestResult } from '../../language/index.ts'
import type { Bound } from '../bound.ts'
import type { Limits } from '../limits.ts'
import type { World } from '../statement.ts'
import type { UnitAnswer } from './unit-answer.ts'
import { openUnitDatabase, type UnitLimits } from './unit-database.ts'
import { type Lane, newLane } from './unit-lane.ts'
import { unitSqlOf } from './unit-sql.ts'

export interface UnitSurroundings {
  readonly world: World
  readonly isAborted: () => boolean
  readonly limits: Limits
}

export interface UnitTask {
  readonly asset: Asset
  readonly bound: Bound
  /** How often it was begun before, and said nothing. */
  readonly tries?: number
}

export type UnitDone = (task: UnitTask, results: readonly UnitTestResult[]) => void

export type UnitRunner = ReturnType<typeof newUnitRunner>

/** With fewer assets another database does not pay off. */
const assetsALane = 20

/** Makes the runner. `load` has the statements that load extensions of the engine. */
export function newUnitRunner(engine: Engine, load: readonly string[]) {
  const { mostDatabases } = unitSqlOf(engine)
  const lanes: Lane[] = []
  const answers = new Map<string, UnitAnswer>()
  const start = (wanted: () => UnitLimits) => openUnitDatabase(engine, wanted, load)
  const lanesFor = (assets: number): readonly Lane[] => {
    const count = Math.min(mostDatabases, availableParallelism(), Math.ceil(assets / assetsALane))
    while (lanes.length < count) lanes.push(newLane(start, answers))
    return lanes
  }
  return {
    /** Opens a database in the background, when it is certain that tests will follow. */
    begin(limits: Limits) {
      lanesFor(1)[0]?.begin(limits)
    },
    run: (around: UnitSurroundings, onDone: UnitDone) =>
      new UnitRun(lanesFor, around, onDone, () => {
        // Later edits need one lane at most.
        for (const lane of lanes.splice(1)) lane.close()
        lanes[0]?.tidy()
      }),
    /** Forgets all answers, so that every question is run again. */
    forget: () => answers.clear(),
    close() {
      for (const lane of lanes.splice(0)) lane.close()
    },
  }
}

/** The number of assets that are tested on one lane at a time: one runs, the others wait for the database. */
const deepest = 8

/** Tests that run while others are still added. One run at a time. */
export class UnitRun {
  readonly #lanesFor: (assets: number) => readonly Lane[]
  readonly #around: UnitSurroundings
  readonly #onDone: UnitDone
  readonly #tidy: () => void
  #added = 0
  #lanes: readonly Lane[] = []
  #waiting: UnitTask[] = []
  /** Assets to test again, each alone on its lane. */
  #again: UnitTask[] = []
  #deepest = deepest
  #failure: { readonly error: unknown } | undefined
  #whenIdle: (() => void) | undefined

  constructor(
    lanesFor: (assets: number) => readonly Lane[],
    around: UnitSurroundings,
    onDone: UnitDone,
    tidy: () => void,
  ) {
    this.#lanesFor = lanesFor
    this.#around = around
    this.#onDone = onDone
    this.#tidy = tidy
  }

  /** Reports to `onDone`; assets are left out if the caller cancels. */
  add(task: UnitTask): void {
    this.#added += 1
    this.#lanes = [...this.#lanesFor(this.#added)]
    this.#waiting.push(task)
    this.#startNext()
  }

  /** Leaves out what has not begun. */
  cancel(): void {
    this.#waiting = []
    this.#again = []
  }

  /** Waits for everything that was added. */
  async finish(): Promise<void> {
    if (this.#added === 0) return
    await this.#idle()
    this.#deepest = 1
    while (this.#again.length > 0) {
      this.#waiting = this.#again
      this.#again = []
      this.#startNext()
      await this.#idle()
    }
    this.#tidy()
    if (this.#failure !== undefined) throw this.#failure.error
  }

  #startNext(): void {
    if (this.#around.isAborted() || this.#failure !== undefined) this.cancel()
    for (let next = 0; next < this.#waiting.length; next++) {
      const lane = leastBusy(this.#lanes)
      const task = this.#waiting[next]
      if (lane === undefined || task === undefined || lane.running >= this.#deepest) {
        this.#waiting = this.#waiting.slice(next)
        return
      }
      void this.#test(lane, task)
    }
    this.#waiting = []
  }

  async #test(lane: Lane, task: UnitTask): Promise<void> {
    try {
      const results = await lane.run(task, this.#around)
      if (results === 'again') this.#again.push({ ...task, tries: (task.tries ?? 0) + 1 })
      else if (results !== 'aborted') this.#onDone(task, results)
    } catch (error) {
      this.#failure ??= { error }
    }
    this.#startNext()
    if (this.#isIdle()) this.#whenIdle?.()
  }

  #isIdle(): boolean {
    return this.#waiting.length === 0 && this.#lanes.every(({ running }) => running === 0)
  }

  async #idle(): Promise<void> {
    if (this.#isIdle()) return
    await new Promise<void>(resolve => {
      this.#whenIdle = resolve
    })
  }
}

function leastBusy(lanes: readonly Lane[]): Lane | undefined {
  let found = lanes[0]
  for (const lane of lanes) if (found === undefined || lane.running < found.running) found = lane
  return found
}
