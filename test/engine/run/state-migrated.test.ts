/** A newer svc that changes the state tables of a warehouse for good says so. */
import { expect, test } from 'vitest'
import { planRun } from '../../../cli/engine/run/plan-run.ts'
import { stateVersion } from '../../../cli/engine/state/tables.ts'
import { projectMaker } from './test-project.ts'

const project = projectMaker()

test('a plan over the state tables of an older svc leaves them alone; a run warns once, and is not refused for it', async () => {
  const p = project({ a: 'SELECT 1 AS id' })
  await p.run()
  await p.withSession(session =>
    session.execute([
      'ALTER TABLE svc.svc_publishes DROP COLUMN warnings',
      `UPDATE svc.svc_meta SET version = ${stateVersion - 1}`,
    ]),
  )
  p.files['a'] = 'SELECT 2 AS id'
  const workspace = await p.workspace()
  const request = { kind: 'run', selector: undefined, noIngest: false, allTests: false } as const
  const plan = await planRun(workspace, request, () => {})
  await workspace.close()
  expect(plan.assets.map(({ name, change }) => `${name} ${change}`)).toEqual(['a modified'])
  expect(await p.query('SELECT version FROM svc.svc_meta')).toEqual([{ version: stateVersion - 1 }])
  const report = await p.run({ strict: true })
  expect(report).toMatchObject({ status: 'deployed', failure: undefined })
  expect(report.warnings).toMatchObject([
    { code: 'state-migrated', asset: null, example: `${stateVersion - 1} -> ${stateVersion}` },
  ])
  expect((await p.run({ strict: true })).warnings).toEqual([])
})
