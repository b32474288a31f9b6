/** The steps of a plan: what each waits for, which key it has and why it is there. */
import { expect, test } from 'vitest'
import type { Step } from '../../../cli/engine/plan/step.ts'
import { planRun } from '../../../cli/engine/run/plan-run.ts'
import { projectMaker, type TestProject } from '../run/test-project.ts'

const project = projectMaker()

const files = {
  src: 'ingest: {type: rows, rows: [{id: 1}]}\ntransform: SELECT id FROM {{ source }}\ntests: [{unique: id}]',
  shown: "ingest: none\ndeploy: {materialize: view}\ntransform: SELECT id FROM {{ ref('src') }}",
  total:
    "ingest: none\ntransform: SELECT count(*) AS n FROM {{ ref('shown') }}\ntests: [{sql: \"SELECT n FROM {{ this }} JOIN {{ ref('src') }} ON false\"}]",
}

async function planned(p: TestProject, kind: 'run' | 'preview' = 'run'): Promise<readonly Step[]> {
  const workspace = await p.workspace()
  const request = { kind, selector: undefined, noIngest: false, allTests: false }
  try {
    return (await planRun(workspace, request, () => {})).steps
  } finally {
    await workspace.close()
  }
}

const lines = (steps: readonly Step[]) => steps.map(({ kind, id, after }) => [kind, id, ...after].join(' | '))

test('a first run fetches, loads, builds, tests, promotes and collects', async () => {
  expect(lines(await planned(project(files)))).toEqual([
    'fetch | fetch src',
    'load | load src | fetch src',
    'table | build src | load src',
    'view | build shown | build src',
    'table | build total | build shown',
    'test | test src unique_id | build src',
    'test | test total sql | build total | build src',
    'promote | promote',
    'collect | collect',
  ])
})

test('what is there is reused under its key, and what is built anew says why', async () => {
  const p = project(files)
  await p.run()
  const before = await planned(p)
  expect(lines(before)).toEqual([
    'fetch | fetch src',
    'reuse | build src',
    'reuse | build shown',
    'reuse | build total',
    'promote | promote',
    'collect | collect',
  ])
  p.files['shown'] = `${files.shown} WHERE id > 0`
  const steps = await planned(p, 'preview')
  expect(steps.map(({ kind }) => kind)).toEqual(['fetch', 'reuse', 'view', 'table', 'test'])
  const [total, old] = [steps, before].map(list => list.find(({ id }) => id === 'build total'))
  expect(total).toMatchObject({ kind: 'table', reason: 'because shown changed', load: undefined })
  const keys = [total, old].map(step => (step !== undefined && 'key' in step ? step.key : undefined))
  expect(new Set(keys).size).toBe(2)
  expect(keys).not.toContain(undefined)
})

test('a source whose content is not known yet gives no key to what rests on it', async () => {
  const steps = await planned(project(files))
  const keys = steps.flatMap(step => ('key' in step ? [step.key] : []))
  expect(keys).toEqual([undefined, undefined, undefined, undefined, undefined, undefined])
})
