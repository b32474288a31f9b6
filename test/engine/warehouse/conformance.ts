/**
 * What every warehouse adapter must do (warehouse.ts), with its store of state. Each adapter's test calls
 * `describeWarehouse` with what `engines.ts` says of it; nothing else here may depend on which engine it is.
 */
import { describe } from 'vitest'
import { describeBuilds } from './conformance/builds.ts'
import { layGround } from './conformance/ground.ts'
import { describeProcesses } from './conformance/processes.ts'
import { describePromotion } from './conformance/promotion.ts'
import { describePublishes } from './conformance/publishes.ts'
import { describeRelations } from './conformance/relations.ts'
import { describeSessions } from './conformance/sessions.ts'
import { describeState } from './conformance/state.ts'
import type { EngineUnderTest } from './engines.ts'

export function describeWarehouse(engine: EngineUnderTest): void {
  describe(`${engine.name} warehouse`, () => {
    const ground = layGround(engine)
    describeSessions(ground)
    describeState(ground)
    describePublishes(ground)
    describeRelations(ground)
    describeBuilds(ground)
    describePromotion(ground)
    describeProcesses(ground)
  })
}
