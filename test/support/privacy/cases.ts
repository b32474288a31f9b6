/** The cases of the suite: each happening with every second way, each way with every second happening, and some with all. */
import { expect, it } from 'vitest'
import { canStartPostgres } from '../postgres.ts'
import type { Happening } from './doing.ts'
import { happenings } from './happenings.ts'
import { openStage, type Servers } from './stage.ts'
import { type Way, ways } from './ways.ts'

export interface PrivacyCase {
  readonly happening: Happening
  readonly way: Way
}

const withAll = new Set(['csv text', 'csv masked', 'csv by a policy'])

export const privacyCases: readonly PrivacyCase[] = happenings.flatMap((happening, nth) =>
  ways
    .filter((way, index) => (nth + index) % 2 === 0 || withAll.has(way.name))
    .filter(way => happening.for?.(way) ?? true)
    .filter(() => happening.needsPostgres !== true || canStartPostgres())
    .map(way => ({ happening, way })),
)

export interface Counts {
  cases: number
  hits: number
}

/** `servers`: those of the test, once they run. */
export function itTellsNothing(
  { happening, way }: PrivacyCase,
  servers: () => Servers,
  counts: Counts,
): void {
  it(`${happening.name}: ${way.name}`, async () => {
    const stage = await openStage(way, servers())
    try {
      await happening.does(stage)
      const left = happening.settles === undefined ? [] : await stage.hits(happening.leaves)
      await happening.settles?.(stage)
      const hits = [...left, ...(await stage.hits())]
      counts.cases++
      counts.hits += hits.length
      expect(hits.map(({ where, around }) => `${where}: ${around}`)).toEqual([])
    } finally {
      stage.dispose()
    }
  }, 180_000)
}
