import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { groups, readOptions } from './options.ts'
import { readResults, withMeasurement, writeResults } from './results.ts'

describe('the options of the benchmark', () => {
  it('measure everything by default, and fewer sizes beside other tools', () => {
    expect(readOptions([])).toMatchObject({ only: groups, sizes: [100, 1000, 10_000], repeat: undefined })
    expect(readOptions(['--peers']).sizes).toEqual([100, 1000])
  })

  it('take lists', () => {
    expect(readOptions(['--only', 'rest,start', '--sizes', '50'])).toMatchObject({
      only: ['rest', 'start'],
      sizes: [50],
    })
  })

  it.each([
    [['--only', 'tests'], 'there is no "tests"'],
    [['--sizes', '100,x'], '--sizes is a list'],
    [['--repeat', '0'], '--repeat is a whole number'],
    [['--minutes', 'soon'], '--minutes is a whole number'],
    [['--scale', '2'], '--scale is above 0'],
    [['--fast'], 'Unknown option'],
  ])('refuse %s', (args, message) => {
    expect(() => readOptions(args)).toThrow(message)
  })
})

describe('the results', () => {
  const machine = { cpu: 'some', cores: 2, memoryBytes: 1, node: '20.0.0' }
  const sample = { wallMs: 1, cpuMs: 1, rssBytes: 1 }
  const measurement = {
    id: 'a',
    work: 'a',
    tool: 'svc',
    samples: [sample],
    median: sample,
    commit: 'c',
    at: '',
  }
  let folder = ''

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-results-'))
  })

  afterEach(() => rmSync(folder, { recursive: true }))

  it('keep the last figure of each work', () => {
    const file = join(folder, 'results.json')
    const first = withMeasurement({ machine, measurements: [] }, measurement)
    writeResults(file, withMeasurement(first, { ...measurement, commit: 'd' }))
    expect(readResults(file, machine).measurements).toEqual([{ ...measurement, commit: 'd' }])
  })

  it('of another machine, or a file that is none, count for nothing', () => {
    const file = join(folder, 'results.json')
    writeResults(file, { machine, measurements: [measurement] })
    expect(readResults(file, { ...machine, cores: 4 }).measurements).toEqual([])
    writeFileSync(file, '{')
    expect(readResults(file, machine).measurements).toEqual([])
  })
})
