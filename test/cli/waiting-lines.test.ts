/** What a terminal says of assets that wait for others. */

import { describe, expect, it } from 'vitest'
import { createOutput } from '../../cli/render/output.ts'
import { createPendingAssets } from '../../cli/render/pending-assets.ts'
import { terminalProgress } from '../../cli/render/run-terminal.ts'
import type { RunEvent } from '../../server/contract/index.ts'
import { createGround } from './bad-input/command-line.ts'
import { Screen } from './screen.ts'
import { shop } from './shop-project.ts'

const built = (asset: string): RunEvent => ({
  type: 'build-finished',
  asset,
  rows: 1,
  seconds: 0.1,
  materialize: 'table',
})

function terminal(rows = 24) {
  const screen = new Screen()
  const output = createOutput({
    out: { write: () => true },
    err: { isTTY: true, columns: 80, rows, write: (text: string) => screen.write(text) },
    env: { NO_COLOR: '1' },
    noColor: false,
    redactData: text => text,
    redactMessage: text => text,
  })
  let draw = () => {}
  const every = (_: number, frame: () => void) => {
    draw = frame
    return () => {}
  }
  const progress = terminalProgress({ channel: output.err, nowMs: () => 0, every })
  const show = (...events: RunEvent[]) => {
    for (const event of events) progress.emit(event)
    draw()
    return screen.text()
  }
  return { screen, show, close: progress.close }
}

const pending: RunEvent = {
  type: 'pending',
  assets: [
    { asset: 'flights', after: [] },
    { asset: 'airports', after: [] },
    { asset: 'daily_delays', after: ['flights'] },
    { asset: 'airport_traffic', after: ['flights', 'airports'] },
    { asset: 'monthly_report', after: ['daily_delays'] },
    { asset: 'everything', after: ['flights', 'airports', 'daily_delays', 'monthly_report'] },
  ],
}

describe('the live region', () => {
  it('says who waits for whom below what runs, and no more once it can begin', () => {
    const { show, screen, close } = terminal()
    const first = show(
      pending,
      { type: 'build-started', asset: 'flights' },
      { type: 'build-started', asset: 'airports' },
    )
    expect(first).toBe(`  ⠋ flights                  building                    0 ms
  ⠋ airports                 building                    0 ms
    daily_delays             waiting for flights
    airport_traffic          waiting for flights and airports
    monthly_report           waiting for daily_delays
    and 1 more waiting
`)
    const second = show(built('flights'), { type: 'build-started', asset: 'daily_delays' })
    expect(second).toBe(`  ✓ flights                  built        1 row          0.10 s
  ⠋ airports                 building                    0 ms
  ⠋ daily_delays             building                    0 ms
    airport_traffic          waiting for airports
    monthly_report           waiting for daily_delays
    everything               waiting for airports, daily_delays and 1 more
`)
    close()
    expect(screen.text()).not.toContain('waiting')
    expect(screen.cursorHidden).toBe(false)
  })

  it('is never higher than the screen', () => {
    const { show, screen } = terminal(8)
    show(pending, ...['flights', 'airports', 'x'].map(asset => ({ type: 'build-started', asset }) as const))
    expect(screen.lines().filter(line => line !== '')).toHaveLength(4)
  })

  it('touches neither screen nor cursor before there is something to show', () => {
    const { show, screen, close } = terminal()
    show(pending)
    close()
    expect(screen.raw).toBe('')
  })
})

describe('pending assets', () => {
  it('go when they are built, reused, failed or skipped, and a later plan counts instead', () => {
    const assets = createPendingAssets()
    assets.note(pending)
    expect(assets.next(9).waiting.map(({ asset }) => asset)).toEqual([
      'daily_delays',
      'airport_traffic',
      'monthly_report',
      'everything',
    ])
    assets.note({ type: 'asset-reused', asset: 'flights' })
    assets.note({ type: 'asset-failed', asset: 'airports', code: 'x', message: 'x', seconds: 0 })
    assets.note({ type: 'asset-skipped', asset: 'airport_traffic', because: 'airports' })
    expect(assets.next(9)).toEqual({
      waiting: [
        { asset: 'monthly_report', after: ['daily_delays'] },
        { asset: 'everything', after: ['daily_delays', 'monthly_report'] },
      ],
      more: 0,
    })
    assets.note({ type: 'pending', assets: [{ asset: 'b', after: ['a'] }] })
    expect(assets.next(0)).toEqual({ waiting: [], more: 1 })
  })
})

it('a run tells it once before its sources are fetched and once after', async () => {
  const ground = createGround(shop)
  try {
    const pendingOf = async (...words: string[]) => {
      const { stdout } = await ground.line(['run', ...words, '--log-format', 'json'])
      const events = stdout
        .trim()
        .split('\n')
        .map(line => JSON.parse(line) as { type: string; assets?: unknown })
      return events.filter(({ type }) => type === 'pending').map(({ assets }) => assets)
    }
    const all = [
      { asset: 'customers', after: [] },
      { asset: 'orders', after: [] },
      { asset: 'best_customers', after: ['orders', 'customers'] },
      { asset: 'daily_sales', after: ['orders'] },
    ]
    const told = await pendingOf()
    expect(told).toHaveLength(2)
    for (const assets of told) {
      const sorted = (assets as { asset: string; after: string[] }[]).toSorted((a, b) =>
        a.asset < b.asset ? -1 : 1,
      )
      expect(sorted.map(({ asset, after }) => ({ asset, after: after.toSorted() }))).toEqual(
        all
          .map(({ asset, after }) => ({ asset, after: after.toSorted() }))
          .toSorted((a, b) => (a.asset < b.asset ? -1 : 1)),
      )
    }
    expect(await pendingOf()).toEqual([])
    ground.write(
      'models/customers.svc',
      (shop['models/customers.svc'] ?? '').replace('name: Ana', 'name: Anna'),
    )
    expect((await pendingOf()).at(-1)).toEqual([
      { asset: 'customers', after: [] },
      { asset: 'best_customers', after: ['customers'] },
    ])
  } finally {
    ground.dispose()
  }
})
