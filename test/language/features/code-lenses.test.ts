/** Lenses where nothing may run, and of runs that did not deploy. */
import { createProject, type Knowledge, parseSettings } from '@svc/server/language'
import { expect, it } from 'vitest'
import { codeLenses, lastRunTitle } from '../../../server/language/features/code-lenses.ts'
import { hash } from '../../support/spec-project.ts'

const path = 'models/orders.svc'
const project = createProject({
  settings: parseSettings(undefined),
  files: [{ path, text: 'name: orders\ningest: none\ntransform: SELECT 1 AS id\n' }],
  hash,
})
const knowledge = { project, lastRuns: new Map() } as unknown as Knowledge

it('say why nothing can be run in a folder that is not trusted', () => {
  const lenses = codeLenses(knowledge, path, { now: 0, isTrusted: false })
  expect(lenses.map(({ title, action }) => [title, action])).toEqual([
    ['Restricted Mode: nothing runs before you trust this folder', 'trust'],
  ])
})

it('show the rows of what is live only for a run that was deployed', () => {
  const run = { environment: 'dev', isLive: true, finishedAt: '2026-01-01T00:00:00Z', rows: 3 }
  const now = Date.parse('2026-01-01T00:07:30Z')
  const title = (status: string, seconds: number | undefined) =>
    lastRunTitle({ ...run, status, seconds }, now)
  expect(title('deployed', 1.3)).toBe('deployed 3 rows in 1.3 s, 7 minutes ago')
  expect(title('Failed', 0.2)).toBe('Failed in 0.2 s, 7 minutes ago')
  expect(title('skipped', undefined)).toBe('held back, 7 minutes ago')
})
