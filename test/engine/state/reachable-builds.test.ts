import { describe, expect, it } from 'vitest'
import { mapOfRun, reachableBuilds } from '../../../cli/engine/state/reachable-builds.ts'
import type { HistoryRecord } from '../../../cli/engine/state/state.ts'

const builds = new Map(
  Object.entries({ a: [], b: ['a'], c: ['b', 'raw'], raw: [], lone: [], x: ['y'], y: ['x'] }).map(
    ([key, pins]) => [key, { pins }] as const,
  ),
)

describe('reachable builds', () => {
  it('are the roots and all that they pin, at any depth', () => {
    expect([...reachableBuilds(['c'], builds)].sort()).toEqual(['a', 'b', 'c', 'raw'])
    expect([...reachableBuilds(['b', 'lone'], builds)].sort()).toEqual(['a', 'b', 'lone'])
  })

  it('end in cycles and skip what is gone', () => {
    expect([...reachableBuilds(['x', 'gone'], builds)].sort()).toEqual(['x', 'y'])
    expect(reachableBuilds([], builds).size).toBe(0)
  })

  it('follow chains of any length', () => {
    const chain = new Map(Array.from({ length: 50_000 }, (_, n) => [`${n}`, { pins: [`${n + 1}`] }]))
    expect(reachableBuilds(['0'], chain).size).toBe(50_000)
  })
})

describe('maps', () => {
  const run = (parts: Partial<HistoryRecord>, key: string | null = 'k'): HistoryRecord => ({
    run_id: 'r',
    environment: 'prod',
    kind: 'run',
    selector: null,
    status: 'deployed',
    started_at: '',
    finished_at: '',
    generation: 1,
    from_generation: 0,
    assets: [{ name: 'a', definition_hash: 'd', build_key: key, rows: 1, seconds: 0, status: 'built' }],
    error: null,
    trigger: null,
    git_commit: null,
    refused: null,
    warnings: [],
    ...parts,
  })

  it('leave out what has no build', () => {
    expect(mapOfRun(run({}, null)).size).toBe(0)
    expect(mapOfRun(run({}))).toEqual(new Map([['a', 'k']]))
  })
})
