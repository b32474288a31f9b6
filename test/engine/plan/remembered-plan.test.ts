/** A plan made from what the last one remembers says what one says that asks the warehouse. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { planRun } from '../../../cli/engine/run/plan-run.ts'
import { closeLeftOpen } from '../../../cli/engine/warehouse/duckdb/open-instances.ts'
import { kindUnderTest } from '../../support/warehouse-under-test.ts'
import { projectMaker, type TestProject } from '../run/test-project.ts'

const project = projectMaker()

const request = { kind: 'run', selector: undefined, noIngest: false, allTests: false } as const

async function plan(p: TestProject, environment: string, program?: string) {
  // Nothing can be said of a file that is open.
  await closeLeftOpen()
  const workspace = await p.workspace(environment)
  const world = { ...workspace.world, ...(program !== undefined && { program }) }
  try {
    return JSON.parse(JSON.stringify(await planRun({ ...workspace, world }, request, () => {})))
  } finally {
    await workspace.close()
  }
}

test('after runs, in two environments, edits, and a view replaced and dropped by hand', async () => {
  const p = project({
    a: 'SELECT 1 AS id, 10 AS amount UNION ALL SELECT 2, 20',
    b: "ingest: none\ntransform: SELECT id, amount * 2 AS doubled FROM {{ ref('a') }}\ntests: [{unique: id}]",
    src: 'ingest: {type: rows, rows: [{id: 1}]}\ntransform: SELECT id FROM {{ source }}\ntests: [{not_null: id}]',
  })
  const b = (n: number) => `ingest: none\ntransform: SELECT id, ${n} AS doubled FROM {{ ref('a') }}`
  const steps: (() => unknown)[] = [
    () => {},
    () => p.run(),
    () => p.run({}, 'dev'),
    () => (p.files['b'] = b(3)),
    () => (p.files['b'] = b(4)),
    () => p.run(),
    () => (p.files['a'] = 'SELECT 1 AS id'),
    () => p.query('CREATE OR REPLACE VIEW analytics.b AS SELECT 7 AS id, 8 AS doubled'),
    () => p.query('DROP VIEW analytics.b'),
    () => delete p.files['src'],
    () => p.run(),
    () => (p.files['b'] = "SELECT id FROM {{ ref('a') }}"),
  ]
  for (const step of steps) {
    await step()
    for (const environment of ['prod', 'dev', 'prod']) {
      const asked = await plan(p, environment)
      expect(await plan(p, environment, 'svc test')).toEqual(asked)
      expect(await plan(p, environment, 'svc test')).toEqual(asked)
    }
  }
  // A server cannot say whether it has changed: nothing is remembered of it.
  const isKept = existsSync(join(p.root, '.svc', 'cache', 'warehouse'))
  expect(isKept).toBe(kindUnderTest === 'duckdb')
})
