/** The spelling of a column is one fact: what the file says is what the view, its readers and other environments have. */
import { expect, test } from 'vitest'
import { outcomes, projectMaker, type TestProject } from './test-project.ts'

const project = projectMaker()

const columns = async (p: TestProject, name: string) =>
  (await p.query(`DESCRIBE analytics.${name}`)).map(row => row['column_name'])

test('another spelling of a column is a change, of the asset and of what reads all its columns', async () => {
  const p = project({
    orders: 'ingest: {type: rows, rows: [{id: 1, v: x}]}\ntransform: SELECT id, v AS lit FROM {{ source }}',
    readers: "ingest: none\ntransform: SELECT * FROM {{ ref('orders') }}",
  })
  await p.run()
  p.files['orders'] = p.files['orders']?.replace('AS lit', 'AS Lit') ?? ''
  expect(outcomes(await p.run())).toEqual(['orders built', 'readers built'])
  expect(await columns(p, 'orders')).toEqual(['id', 'Lit'])
  expect(await columns(p, 'readers')).toEqual(['id', 'Lit'])
  p.files['orders'] = p.files['orders']?.replace('SELECT id', 'select ID') ?? ''
  expect(outcomes(await p.run())).toEqual(['orders unchanged', 'readers unchanged'])
})
