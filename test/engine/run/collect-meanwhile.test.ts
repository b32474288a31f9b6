/** What another environment begins while a collection looks around stays, whenever it comes. */
import { expect, test } from 'vitest'
import { findGarbage } from '../../../cli/engine/run/collect-garbage.ts'
import { greenSchema } from '../../../cli/engine/run/green-schema.ts'
import type { BuildPins, RunSummary } from '../../../cli/engine/state/state.ts'
import type { StateStore } from '../../../cli/engine/state/state-store.ts'
import type { Inventory, WarehouseSession } from '../../../cli/engine/warehouse/warehouse.ts'
import { projectMaker } from './test-project.ts'

const project = projectMaker()

const run: RunSummary = {
  run_id: 'new',
  environment: 'dev',
  kind: 'run',
  selector: null,
  status: 'running',
  started_at: '2026-03-01T12:00:00.000Z',
  finished_at: null,
  generation: null,
  from_generation: 0,
  error: null,
  trigger: null,
  git_commit: null,
  refused: false,
  warnings: [],
}
const relation = { schema: greenSchema('new'), name: 'a' }
const build: BuildPins = {
  build_key: 'key',
  asset: 'a',
  part: 'model',
  relation,
  children: {},
  run_id: 'new',
  pins: [],
}

/** A session of which each question is answered a turn later; `began` and `built`: before which question this happens. */
function sessionWhere(began: number, built: number): { session: WarehouseSession; questions(): number } {
  let asked = 0
  const answer = async <T>(find: (hasBegun: boolean, isBuilt: boolean) => T): Promise<T> => {
    const now = asked++
    await Promise.resolve()
    return find(now >= began, now >= built)
  }
  const state: Partial<StateStore> = {
    runs: () => answer(hasBegun => (hasBegun ? [run] : [])),
    runAssets: () => answer(() => new Map()),
    builds: () => answer((_, isBuilt) => new Map(isBuilt ? [[build.build_key, build]] : [])),
    liveKeys: () => answer(() => []),
    ofOthers: () => answer(() => ({ runIds: [], schemas: [] })),
  }
  const inventory = (): Promise<Inventory> =>
    answer((_, isBuilt) => new Map(isBuilt ? [[relation.schema, [{ name: 'a', kind: 'table' }]]] : []))
  return { session: { state, inventory } as unknown as WarehouseSession, questions: () => asked }
}

test('a run of another environment and its build are no garbage at any moment', async () => {
  const workspace = await project({ a: 'SELECT 1 AS n' }).workspace()
  const whole = sessionWhere(0, 0)
  await findGarbage(whole.session, workspace)
  expect(whole.questions()).toBeGreaterThan(4)
  for (let began = 0; began <= whole.questions(); began++) {
    for (let built = began; built <= whole.questions(); built++) {
      const garbage = await findGarbage(sessionWhere(began, built).session, workspace)
      expect({ began, built, ...garbage }).toEqual({
        began,
        built,
        builds: [],
        loads: [],
        relations: [],
        schemas: [],
      })
    }
  }
  await workspace.close()
})
