/**
 * The databases that run unit tests, opened for the first test. Many assets are tested in parallel, each lane
 * with a database of its own; an instance that is lost is replaced for the next test.
 */
import { availableParallelism } from 'node:os'
import type { Asset, Engine, UnitTestResult } from '../../language/index.ts'
import type { Binder } from '../binder.ts'
import type { Bound } from '../bound.ts'
import { defaultLimits, type Limits } from '../limits.ts'
import type { World } from '../statement.ts'
import { runUnitTests } from './run-unit-tests.ts'
import type { UnitAnswer, UnitDesk } from './unit-answer.ts'
import { openUnitDatabase, type UnitDatabase, type UnitLimits } from './unit-database.ts'

export interface UnitSurroundings {
  readonly world: World
  readonly binder: Binder
  readonly isAborted: () => boolean
  readonly limits: Limits
}

export interface UnitTask {
  readonly asset: Asset
  readonly bound: Bound
}

export interface UnitBench {
  /** Opens a database in the background, when it is certain that tests will follow. */
  begin(limits: Limits): void
  /** Runs the tests and reports each asset as it finishes. Assets are left out if the caller cancels. */
  run(
    tasks: readonly UnitTask[],
    around: UnitSurroundings,
    onDone: (task: UnitTask, results: readonly UnitTestResult[]) => void,
  ): Promise<void>
  /** Forgets all answers, so that every question is run again. */
  forget(): void
  close(): void
}

/** With fewer assets another database does not pay off. */
const assetsALane = 20
const mostLanes = 4

/** Makes the bench. `load` has the statements that load extensions of the engine. */
export function newUnitBench(engine: Engine, load: readonly string[]): UnitBench {
  const lanes: Lane[] = []
  const answers = new Map<string, UnitAnswer>()
  const start = (wanted: () => UnitLimits) => openUnitDatabase(engine, wanted, load)
  return {
    begin(limits) {
      const lane = lanes[0] ?? newLane(start, answers)
      lanes[0] = lane
      lane.begin(limits)
    },
    async run(tasks, around, onDone) {
      const count = Math.min(mostLanes, availableParallelism(), Math.ceil(tasks.length / assetsALane))
      while (lanes.length < count) lanes.push(newLane(start, answers))
      const waiting = [...tasks].reverse()
      await Promise.all(
        lanes.slice(0, count).map(async lane => {
          for (let task = waiting.pop(); task !== undefined; task = waiting.pop()) {
            if (around.isAborted()) return
            const results = await lane.run(task, around)
            if (results !== undefined) onDone(task, results)
          }
        }),
      )
      // Later edits need one lane at most.
      for (const lane of lanes.splice(1)) lane.close()
      lanes[0]?.tidy()
    },
    forget: () => answers.clear(),
    close() {
      for (const lane of lanes.splice(0)) lane.close()
    },
  }
}

interface Lane {
  begin(limits: Limits): void
  run(task: UnitTask, around: UnitSurroundings): Promise<readonly UnitTestResult[] | undefined>
  /** Closes a database that has many tables. */
  tidy(): void
  close(): void
}

const mostTables = 300

function newLane(start: (wanted: () => UnitLimits) => UnitDatabase, answers: Map<string, UnitAnswer>): Lane {
  let opened: UnitDesk | undefined
  let isAborted = () => false
  let limits = defaultLimits
  const close = () => {
    opened?.database.close()
    opened = undefined
  }
  // Returns the open database, or a new one if the last was lost.
  const open = (): UnitDesk => {
    if (opened?.database.isLost) close()
    opened ??= { database: start(() => ({ limits, isAborted })), made: new Map() }
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
      return await runUnitTests({ ...around, open, answers }, asset, bound)
    },
    tidy: () => {
      if (opened !== undefined && opened.made.size > mostTables) close()
    },
    close,
  }
}
