/**
 * What every warehouse adapter must do (warehouse.ts). Each adapter's test calls `describeWarehouse`; nothing here may
 * depend on which engine it is, so that the next one runs it as it is.
 */
import { describe } from 'vitest'
import { describeBuilds } from './conformance/builds.ts'
import { layGround, type TestWarehouse } from './conformance/ground.ts'
import { describeProcesses } from './conformance/processes.ts'
import { describePromotion } from './conformance/promotion.ts'
import { describeRelations } from './conformance/relations.ts'
import { describeSessions } from './conformance/sessions.ts'

export function describeWarehouse(name: string, makeUrl: () => Promise<TestWarehouse>): void {
  describe(`${name} warehouse`, () => {
    const ground = layGround(makeUrl)
    describeSessions(ground)
    describeRelations(ground)
    describeBuilds(ground)
    describePromotion(ground)
    describeProcesses(ground)
  })
}
