import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { plainStatements, writeSvcProject } from './flavours.ts'
import { differingModels } from './same-results.ts'

let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-same-'))
  writeSvcProject(folder, 10)
})

afterAll(() => rmSync(folder, { recursive: true }))

it('finds the one model whose rows differ', async () => {
  const [floor, same, other] = [await build('floor'), await build('same'), await build('other', 'm_00009')]
  expect(await differingModels({ svc: same, floor }, 10)).toEqual([])
  expect(await differingModels({ svc: other, floor }, 10)).toEqual(['m_00009'])
})

async function build(name: string, changed?: string): Promise<string> {
  const file = join(folder, `${name}.duckdb`)
  const instance = await DuckDBInstance.create(file)
  const connection = await instance.connect()
  const { sources, models } = plainStatements(join(folder, 'data'), 10)
  await connection.run('CREATE SCHEMA raw; CREATE SCHEMA mart')
  for (const statement of [...sources, ...models.map(model => model.create)]) await connection.run(statement)
  if (changed !== undefined) await connection.run(`UPDATE mart.${changed} SET qty = qty + 1 WHERE id = 500`)
  connection.closeSync()
  instance.closeSync()
  return file
}
