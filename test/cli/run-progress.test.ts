import { describe, expect, it } from 'vitest'
import { createOutput } from '../../cli/render/output.ts'
import { eventStamp, jsonProgress, plainProgress } from '../../cli/render/run-progress.ts'
import { terminalProgress } from '../../cli/render/run-terminal.ts'
import { displayWidth } from '../../cli/render/width.ts'
import type { RunEvent, TestResult } from '../../server/contract/index.ts'
import { Screen } from './screen.ts'

const at = '2026-11-20T16:40:12.000Z'
const started: RunEvent = {
  type: 'run-started',
  run_id: '5h1t8zkq2m',
  kind: 'run',
  environment: 'prod',
  selector: null,
  assets: 23,
  to_fetch: 2,
  to_build: 3,
  at,
}

const failedTest: TestResult = {
  asset: 'daily_delays',
  name: 'unique_carrier_day',
  kind: 'unique',
  column: null,
  severity: 'error',
  status: 'fail',
  failures: 2,
  message: 'unique carrier, day: 2 rows twice',
  sample: [{ carrier: 'AA', day: '2001-03-04', times: 2 }],
  seconds: 0.01,
  ran: true,
  place: 'models/marts/daily_delays.svc:13:5',
}

const events: readonly RunEvent[] = [
  started,
  { type: 'fetch-started', asset: 'flights' },
  { type: 'fetch-progress', asset: 'flights', rows: 1_000_000, bytes: 12_000_000, pages: 1 },
  {
    type: 'fetch-finished',
    asset: 'flights',
    rows: 3_000_000,
    bytes: 36_000_000,
    seconds: 1.43,
    unchanged: false,
  },
  { type: 'asset-reused', asset: 'airports' },
  { type: 'asset-reused', asset: 'carriers' },
  { type: 'build-started', asset: 'daily_delays' },
  { type: 'build-finished', asset: 'daily_delays', rows: 120, seconds: 0.2, materialize: 'table' },
  { type: 'test-finished', result: failedTest },
  { type: 'tests-finished', passed: 10, failed: 1, warned: 0, unchanged: 37, seconds: 0.3 },
  {
    type: 'run-finished',
    run_id: '5h1t8zkq2m',
    kind: 'run',
    environment: 'dev',
    selector: null,
    status: 'Failed',
    promoted: false,
    failure: { code: 'tests-failed', message: 'a test failed', asset: 'daily_delays', place: null },
    seconds: 3.1,
    at,
  },
]

function fakeOutput(isTTY: boolean) {
  const screen = new Screen()
  const output = createOutput({
    out: { write: () => true },
    err: { isTTY, columns: 80, rows: 24, write: (text: string) => screen.write(text) },
    env: { NO_COLOR: '1' },
    noColor: false,
    redactData: text => text,
    redactMessage: text => text,
  })
  return { screen, channel: output.err }
}

describe('plain lines', () => {
  it('one at start and end of each, the reused ones together', () => {
    const { screen, channel } = fakeOutput(false)
    const progress = plainProgress(channel, { debug: false })
    for (const event of events) progress.emit(event)
    progress.close()
    expect(screen.text()).toMatchInlineSnapshot(`
      "Run 5h1t8zkq2m  prod  23 assets, 2 to fetch, 3 to build

        · flights                  fetching
        ✓ flights                  fetched      3,000,000 rows 1.4 s   2.1 M rows/s
        · daily_delays             building
        ✓ daily_delays             built        120 rows       0.20 s
        ✗ daily_delays             test failed  unique carrier, day: 2 rows twice
            carrier  day         times
            AA       2001-03-04  2
            models/marts/daily_delays.svc:13:5
        = 2 assets                 reused
        ✗ 1 test failed, 10 tests passed on the new tables, 37 unchanged  0.30 s
      "
    `)
  })
})

it('a source that brought nothing new has rows all the same', () => {
  const { screen, channel } = fakeOutput(false)
  const progress = plainProgress(channel, { debug: false })
  const seconds = 0.2
  progress.emit({ type: 'fetch-finished', asset: 'a', rows: 0, bytes: 2, seconds, unchanged: true })
  progress.emit({ type: 'fetch-finished', asset: 'b', rows: 0, bytes: 2, seconds, unchanged: false })
  progress.close()
  expect(screen.text()).toMatch(/✓ a +unchanged +nothing new +0\.20 s\n +✓ b +fetched +0 rows/)
})

describe('the terminal', () => {
  function play() {
    const { screen, channel } = fakeOutput(true)
    let now = 0
    let draw = () => {}
    const progress = terminalProgress({
      channel,
      nowMs: () => now,
      every: (_, frame) => {
        draw = frame
        return () => {
          draw = () => {}
        }
      },
    })
    const tick = (ms: number) => {
      now += ms
      draw()
    }
    return { screen, progress, tick }
  }

  it('redraws what is running in place and keeps what is finished', () => {
    const { screen, progress, tick } = play()
    for (const event of events.slice(0, 3)) progress.emit(event)
    tick(80)
    tick(1200)
    expect(screen.text()).toMatchInlineSnapshot(`
      "Run 5h1t8zkq2m  prod  23 assets, 2 to fetch, 3 to build

        ⠦ flights                  fetching     1,000,000 rows 1.3 s   12 MB
      "
    `)
    for (const event of events.slice(3, 7)) progress.emit(event)
    tick(80)
    expect(screen.text()).toMatchInlineSnapshot(`
      "Run 5h1t8zkq2m  prod  23 assets, 2 to fetch, 3 to build

        ✓ flights                  fetched      3,000,000 rows 1.4 s   2.1 M rows/s
        ⠧ daily_delays             building                    80 ms
      "
    `)
    for (const event of events.slice(7)) progress.emit(event)
    progress.close()
    expect(screen.text()).toMatchInlineSnapshot(`
      "Run 5h1t8zkq2m  prod  23 assets, 2 to fetch, 3 to build

        ✓ flights                  fetched      3,000,000 rows 1.4 s   2.1 M rows/s
        ✓ daily_delays             built        120 rows       0.20 s
        ✗ daily_delays             test failed  unique carrier, day: 2 rows twice
            carrier  day         times
            AA       2001-03-04  2
            models/marts/daily_delays.svc:13:5
        = 2 assets                 reused
        ✗ 1 test failed, 10 tests passed on the new tables, 37 unchanged  0.30 s
      "
    `)
    expect(screen.cursorHidden).toBe(false)
  })

  it('never draws a line that the terminal would break, whatever the name', () => {
    const { screen, progress, tick } = play()
    progress.emit({ type: 'fetch-started', asset: `${'日本'.repeat(30)}_x` })
    progress.emit({
      type: 'fetch-progress',
      asset: `${'日本'.repeat(30)}_x`,
      rows: 10 ** 12,
      bytes: 10 ** 15,
      pages: 10 ** 6,
      note: 'waiting 2 h as the server asks (Retry-After)',
    })
    tick(100)
    tick(100)
    expect(screen.lines().every(line => displayWidth(line) <= 80)).toBe(true)
    expect(screen.lines().filter(line => line !== '')).toHaveLength(1)
    progress.close()
    expect(screen.text().trim()).toBe('')
  })

  it('shows a screenful of running assets at most', () => {
    const { screen, progress, tick } = play()
    for (let index = 0; index < 50; index++) progress.emit({ type: 'build-started', asset: `model_${index}` })
    tick(100)
    expect(screen.lines().length).toBeLessThan(12)
    expect(screen.text()).toContain('and 42 more running')
    progress.close()
  })
})

describe('NDJSON', () => {
  it('is one object a line with snake_case keys; rows of data keep theirs', () => {
    const { screen, channel } = fakeOutput(false)
    const now = () => new Date('2026-01-02T03:04:05Z')
    const progress = jsonProgress(channel, { now, debug: false })
    progress.emit(started)
    progress.emit({ type: 'test-finished', result: { ...failedTest, sample: [{ carrierName: 'AA' }] } })
    progress.emit({ type: 'statement', sql: 'SELECT 1', seconds: 1, failed: false })
    const [first = '', second = '', third] = screen.raw.trim().split('\n')
    expect(JSON.parse(first)).toMatchObject({ type: 'run-started', run_id: '5h1t8zkq2m', to_fetch: 2 })
    expect(third).toBeUndefined()
    expect(JSON.parse(second)).toMatchObject({ at: '2026-01-02T03:04:05.000Z', run_id: '5h1t8zkq2m' })
    expect(JSON.parse(second)).toMatchObject({ result: { column: null, sample: [{ carrierName: 'AA' }] } })
    expect(eventStamp(now)(started)).not.toHaveProperty('runId')
    expect(eventStamp(now)({ type: 'waiting', reason: 'x' })).toMatchObject({ run_id: null })
  })
})
