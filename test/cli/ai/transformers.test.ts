/**
 * The provider `transformers` with the real library and a model that this test makes. The library is half a gigabyte and
 * optional, so it is no dependency of the project: `node scripts/transformers-library.mjs` fetches it for this test.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createProjectHere, type ProjectHere } from '../../support/cli-here.ts'
import { writeTinyModel } from '../../support/tiny-model.ts'

const library = vi.hoisted(() => ({
  folder: `${process.cwd()}/.tools/transformers/node_modules/@huggingface/transformers`,
}))
const isInstalled = existsSync(library.folder)
if (!isInstalled)
  process.stderr.write(
    'transformers is not fetched (node scripts/transformers-library.mjs): what needs it is not tested\n',
  )
if (isInstalled)
  vi.doMock('@huggingface/transformers', () => import(join(library.folder, 'dist/transformers.node.mjs')))

const asset = `name: totals
ingest: {type: rows, rows: [{customer: a, amount: 1}]}
transform: SELECT customer, sum(amount) AS total FROM {{ source }} GROUP BY customer
`

let project: ProjectHere
afterEach(() => project.dispose())

function open(answer: unknown) {
  project = createProjectHere({ 'svc.yaml': 'name: shop\n', 'models/totals.svc': asset })
  const folder = join(project.root, 'tiny')
  writeTinyModel(folder, JSON.stringify(answer))
  project.write('svc.yaml', `name: shop\nai: {provider: transformers, model: ${folder}}\n`)
}

describe.skipIf(!isInstalled)('a model in the process of svc', () => {
  it('explains an asset', async () => {
    const explanation = {
      ingested: 'rows',
      transformation: 'it sums',
      output: 'totals of customers',
      dependencies: 'no asset',
      purpose: 'a guess',
    }
    open(explanation)
    const { code, stdout, stderr } = await project.svc(['ai', 'explain', 'totals', '--json'])
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      asset: 'totals',
      explanation,
      answered_by: { provider: 'transformers', tries: 1, input_tokens: expect.any(Number) },
    })
  })

  it('proposes tests, which are checked as those of any other', async () => {
    open({
      summary: 'One row a customer.',
      ops: [{ op: 'add', path: '/tests', value: [{ unique: 'customer' }] }],
    })
    const { code, stdout, stderr } = await project.svc(['ai', 'tests', 'totals'])
    expect(code, stderr).toBe(0)
    expect(stdout).toContain('- unique: customer')
  })

  it('is told what does not hold, and refused when it answers the same again', async () => {
    open({ answer: 'nothing of what was asked for' })
    const { code, stderr } = await project.svc(['ai', 'explain', 'totals'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('/ingested: is missing')])
  })
})
