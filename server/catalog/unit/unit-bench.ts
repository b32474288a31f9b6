/**
 * Where unit tests run, opened when the first one comes. Many assets are tested side by side, each lane with a database
 * of its own; an instance that is lost is opened anew for the next test.
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
  /** Opens a database in the background: tests are sure to come. */
  begin(limits: Limits): void
  /** Told of each asset whose tests have run; of the others nobody wanted to know any more. */
  run(
    tasks: readonly UnitTask[],
    around: UnitSurroundings,
    onDone: (task: UnitTask, results: readonly UnitTestResult[]) => void,
  ): Promise<void>
  /** The same questions are asked again. */
  forget(): void
  close(): void
}

/** Fewer are not worth a further database. */
const assetsALane = 20
const mostLanes = 4

/** `load`: statements that load extensions of the engine. */
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
      // What is typed afterwards needs one at most.
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
  /** Lets go of a database with many tables. */
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
  // Whoever sees that a process was lost: all that comes after it has another one.
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
