/** What files ask for and a run does not do is told by the run, by the columns that its sources have then. */
import { describe, expect, it } from 'vitest'
import { codesOfFiles } from '../../../cli/engine/workspace/file-warnings.ts'
import { diagnosticCodes } from '../../../server/language/index.ts'
import { projectMaker, type TestProject } from './test-project.ts'

const make = projectMaker()
const rows = (list: string) => `ingest: {type: rows, rows: ${list}}\ntransform: SELECT * FROM {{ source }}`
const warned = ({ events }: TestProject) =>
  events.flatMap(event =>
    event.type === 'warning' ? [[event.code, event.asset, event.message] as const] : [],
  )

describe('a run tells', () => {
  it('settings that meet nothing, and SQL that means something else than it seems to', async () => {
    const project = make({
      orders: rows('[{id: 1, status: null}]'),
      open: "SELECT id FROM {{ ref('orders') }} WHERE status = NULL",
    })
    project.settings = 'defaults: {"model/**": {owner: me}}'
    expect((await project.run()).status).toBe('deployed')
    expect(warned(project)).toEqual([
      ['defaults-unmatched', null, '"model/**" fits no asset'],
      ['sql-null-comparison', 'open', expect.stringContaining('NULL')],
    ])
  })

  it('it again as long as the file says so, though nothing is built', async () => {
    const project = make({ one: 'SELECT 1 AS a WHERE 1 = NULL' })
    await project.run()
    project.events.length = 0
    await project.run()
    expect(warned(project).map(([code]) => code)).toEqual(['sql-null-comparison'])
  })

  it('nothing of a column that the source has by now, and of one that it has no more', async () => {
    const project = make({ orders: rows('[{id: 1, name: a}]') })
    await project.run()
    expect(warned(project)).toEqual([])
    project.files = { orders: `columns: {mail: {description: M}}\n${rows('[{id: 1, mail: b}]')}` }
    await project.run()
    expect(warned(project)).toEqual([])
    project.files = { orders: `columns: {mail: {description: M}}\n${rows('[{id: 1, name: b}]')}` }
    await project.run()
    expect(warned(project)).toEqual([
      ['column-doc-unknown', 'orders', 'the documented column "mail" does not exist'],
    ])
  })
})

/** Why a run does not tell what `svc validate` warns of. */
const advice: Readonly<Record<string, string>> = {
  'contract-absent-column': 'a run tells absent-column',
  'cursor-conflict': 'everything is asked for, and what is new is loaded',
  'ephemeral-without-reader': 'an ephemeral asset has no relation, as it says',
  'exposure-duplicate': 'a run does nothing with exposures',
  'metric-source-assets': 'a run computes no metrics',
  'metric-without-time': 'a run computes no metrics',
  'source-file-missing': 'the fetch fails, or is told by its own words',
  'source-file-unreadable': 'the fetch fails',
  'test-duplicate': 'the test runs',
  'test-name-duplicate': 'both tests run',
  'test-nullable-key': 'the test means NULLs as its page says',
  'unmatched-column': 'a run tells unmatched-pattern',
  'unused-source': 'the source is fetched as it says',
}

it('every code that warns is told by a run, or it is said why not', () => {
  const warning = diagnosticCodes().filter(
    ({ code, severity }) => severity === 'warning' && !code.startsWith('python-'),
  )
  const told: readonly string[] = codesOfFiles
  expect(warning.map(({ code }) => code).filter(code => !told.includes(code))).toEqual(
    Object.keys(advice).filter(code => code !== 'cursor-conflict'),
  )
})
