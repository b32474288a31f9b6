/** Reports on a terminal of 40 columns: no line is wider, and nothing that matters is cut. */
import { expect, it } from 'vitest'
import { allCommands } from '../../cli/commands/index.ts'
import { noCounts, type PublishReport } from '../../cli/engine/publish/report.ts'
import { entry } from '../../cli/render/entry.ts'
import { renderCommandHelp } from '../../cli/render/help.ts'
import { renderPublish } from '../../cli/render/publish.ts'
import { finishedLines } from '../../cli/render/run-lines.ts'
import { createStyle } from '../../cli/render/style.ts'
import { renderTable } from '../../cli/render/table.ts'
import { displayWidth } from '../../cli/render/width.ts'

const narrow = createStyle({ color: false, width: 40 })
const wide = createStyle({ color: false, width: 80 })

function fits(lines: readonly string[]): void {
  for (const line of lines) expect(displayWidth(line), line).toBeLessThanOrEqual(40)
}

it('facts stand below the name', () => {
  const facts = ['because orders changed', '+ column late_percent DOUBLE']
  expect(entry('~', 'daily_delays', 'modified', facts, narrow)).toEqual([
    '  ~ daily_delays modified',
    '      because orders changed',
    '      + column late_percent DOUBLE',
  ])
  expect(entry('~', 'daily_delays', 'modified', facts, wide)).toEqual([
    '  ~ daily_delays             modified     because orders changed',
    '                                          + column late_percent DOUBLE',
  ])
  fits(entry('~', 'x'.repeat(80), 'test failed', [], narrow))
})

it('a table gives way in its widest columns, or becomes records', () => {
  const columns = [{ title: 'Asset' }, { title: 'File' }]
  expect(renderTable(columns, [['orders', 'models/a/long/way/down/to/orders.svc']], narrow)).toEqual([
    'Asset   File',
    'orders  models/a/long/way/down/to/order…',
  ])
  const many = ['Asset', 'Active Hash', 'Deployed', 'Status'].map(title => ({ title }))
  const rows = [['orders', '4482a5176e2a', '2 minutes ago', 'deployed']]
  expect(renderTable(many, rows, narrow)).toEqual([
    'orders',
    '  Active Hash  4482a5176e2a',
    '  Deployed     2 minutes ago',
    '  Status       deployed',
  ])
  expect(renderTable(many, rows, wide)[1]).toBe('orders  4482a5176e2a  2 minutes ago  deployed')
})

it('the help of every command fits', () => {
  // A command to copy stays in one line.
  const isExample = (line: string) => line.startsWith('  svc ')
  for (const command of allCommands) fits(renderCommandHelp(command, narrow).filter(line => !isExample(line)))
})

it('lines of a run fit', () => {
  const at = '2026-01-02T03:04:05Z'
  for (const event of [
    {
      type: 'run-started',
      run_id: '5h1t8zkq2m',
      kind: 'run',
      environment: 'prod',
      selector: null,
      assets: 23,
      to_fetch: 4,
      to_build: 3,
      at,
    },
    { type: 'fetch-finished', asset: 'flights', rows: 3_000_000, bytes: 1, seconds: 1.4, unchanged: false },
    {
      type: 'build-finished',
      asset: 'a_rather_long_name_of_an_asset',
      rows: 2,
      seconds: 1,
      materialize: 'table',
    },
    {
      type: 'asset-failed',
      asset: 'orders',
      code: 'x',
      message: 'status 429 after 5 tries',
      hint: 'Wait for two hours, then run again.',
      seconds: 1,
    },
    { type: 'tests-finished', passed: 11, failed: 1, warned: 2, unchanged: 37, seconds: 0.3 },
    { type: 'relation-gone', asset: 'orders_of_all_shops', relation: 'table' },
    { type: 'promoted', views: 23, dropped: 2, generation: 4, seconds: 0.009 },
  ] as const)
    fits(finishedLines(event, narrow) ?? [])
})

it('a run says which tables somebody has dropped, before it makes them again', () => {
  const lines = finishedLines({ type: 'relation-gone', asset: 'orders', relation: 'table' }, wide)
  expect(lines?.join(' ').replaceAll(/\s+/g, ' ').trim()).toBe(
    '! orders gone its table was dropped from the warehouse, not by svc: this run makes it again',
  )
})

it('the report of a publish fits, with the reasons of rows that were not taken', () => {
  const reason = 'the destination answered 422: the value of "a_customer" is none of them'
  const report: PublishReport = {
    ...{
      runId: 'r1',
      environment: 'dev',
      asset: 'orders',
      builtBy: 'r0',
      fields: [],
      target: 'crm',
      type: 'http',
    },
    ...{ place: 'https://crm.example.com/contacts', mode: 'upsert', status: 'published', known: 0 },
    ...{ creates: false, samples: [], masked: [], warnings: [], resumed: undefined, seconds: 1 },
    planned: noCounts,
    done: { ...noCounts, inserts: 1, refused: 1 },
    rejects: [
      {
        ...{ asset: 'orders', target: 'crm', run_id: 'r1', operation: 'insert', row_key: '7', reason },
        ...{ raw: '{}', rejected_at: '2026-01-02T03:04:05Z' },
      },
    ],
  }
  const lines = renderPublish(report, narrow)
  fits(lines.filter(line => !line.startsWith('svc ')))
  expect(lines).toContain('  ✗ 7  the destination answered 422: the')
  expect(lines).toContain('    value of "a_customer" is none of')
})
