import { describe, expect, it } from 'vitest'
import { type Goal, judge, type Measurement, timesFloor } from './measurement.ts'
import { markdownReport } from './report.ts'

describe('a goal', () => {
  it('in seconds is met up to them', () => {
    expect(verdictOn({ seconds: 1 }, took(1000))).toMatchObject({ ratio: 1, mark: 'met' })
    expect(verdictOn({ seconds: 1 }, took(1500))?.mark).toBe('**missed: 1.50 × the time**')
  })

  it('holds memory beside the time', () => {
    const goal = { seconds: 7, megabytes: 700 }
    expect(verdictOn(goal, took(1000, 1400))?.mark).toBe('**missed: 2.00 × the memory**')
    expect(verdictOn(goal, took(1000, 700))?.mark).toBe('met')
  })

  it('beside a floor has the start on top', () => {
    const goal = { times: 1.5, of: 'floor', plus: 'node' }
    const [floor, node] = [took(2000, 1, 'floor'), took(100, 1, 'node')]
    expect(verdictOn(goal, took(3100), floor, node)).toEqual({
      goal: '1.5 × floor + start = 3.10 s',
      ratio: 1,
      mark: 'met',
    })
    expect(verdictOn(goal, took(6200), floor, node)?.ratio).toBe(2)
    expect(verdictOn(goal, took(6200), floor)).toMatchObject({ ratio: undefined, mark: 'floor not measured' })
  })

  it('of nothing is missed by one, and not met where nothing was counted', () => {
    const counted = (found: number, of: number) => ({
      ...took(10),
      count: { what: 'mixed reads', found, of },
    })
    expect(verdictOn({ none: 'mixed reads' }, counted(0, 40))?.mark).toBe('met (0 of 40)')
    expect(verdictOn({ none: 'mixed reads' }, counted(1, 40))?.mark).toBe('**missed: 1 of 40**')
    expect(verdictOn({ none: 'mixed reads' }, counted(0, 0))?.mark).toBe('nothing was read')
  })

  it('says nothing about what was not measured', () => {
    const { median: _, ...skipped } = took(10)
    expect(verdictOn({ seconds: 1 }, { ...skipped, problem: 'skipped: the time is up' })).toBeUndefined()
  })
})

describe('the report', () => {
  const machine = { cpu: 'some', cores: 2, memoryBytes: 2 ** 34, node: '20.0.0' }
  const floor = { ...took(1000, 1, 'floor'), tool: 'floor' }
  const work = { ...took(3000), floor: 'floor', goal: { times: 1.5, of: 'floor' } }

  it('shows each work beside its floor and its goal', () => {
    expect(timesFloor(work, () => floor)).toEqual({ wall: 3, cpu: 3 })
    const report = markdownReport({ machine, measurements: [floor, work] }, new Set(['floor', 'work']))
    expect(report).toContain('Goals: 1 judged, 0 met, 1 missed by less than twice, 0 by more.')
    expect(report).toMatch(/work work .*3\.00 s.*1\.00 s.*1\.5 × floor = 1\.50 s.*missed: 2\.00 × the time/)
    expect(report).not.toContain('earlier calls')
  })

  it('names what was skipped and what an earlier call has measured', () => {
    const { median: _, ...rest } = took(1, 1, 'late')
    const skipped = { ...rest, problem: 'skipped: the time is up' }
    const report = markdownReport({ machine, measurements: [floor, work, skipped] }, new Set(['late']))
    expect(report).toContain('- work late (`late`): skipped: the time is up')
    expect(report).toContain('- `work`: 2026-01-02 03:04 UTC, commit abc')
  })

  it('puts the tools that do the same work side by side', () => {
    const peer = { ...took(9000, 1, 'dbt-work'), tool: 'dbt 1.12.0', beside: 'work' }
    const report = markdownReport({ machine, measurements: [floor, work, peer] }, new Set())
    expect(report).toMatch(/\| work +\| +svc \| +floor \| +dbt 1\.12\.0 \|/)
    expect(report).toMatch(/\| work work +\| 3\.00 s.* \| 1\.00 s.* \| 9\.00 s/)
  })
})

function took(wallMs: number, megabytes = 1, id = 'work'): Measurement & { readonly median: object } {
  const sample = { wallMs, cpuMs: wallMs, rssBytes: megabytes * 1e6 }
  const at = '2026-01-02T03:04:05.000Z'
  return { id, work: `work ${id}`, tool: 'svc', samples: [sample], median: sample, commit: 'abc', at }
}

function verdictOn(goal: Goal, measurement: Measurement, ...others: readonly Measurement[]) {
  return judge({ ...measurement, goal }, id => others.find(other => other.id === id))
}
