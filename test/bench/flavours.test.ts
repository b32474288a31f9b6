import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { plainStatements, writeSvcProject } from './flavours.ts'
import { layeredModels } from './layered-project.ts'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-layered-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

describe('the synthetic project', () => {
  it('is the same every time', () => {
    expect(layeredModels(100)).toEqual(layeredModels(100))
    expect(layeredModels(100).map(model => model.reads.length)).toContain(3)
  })

  it('reads the layer below first, and never a later model', () => {
    const models = layeredModels(100)
    const position = new Map(models.map(model => [model.name, model]))
    for (const model of models.filter(({ layer }) => layer > 0)) {
      expect(position.get(model.reads[0] ?? '')?.layer).toBe(model.layer - 1)
      for (const name of model.reads) expect(position.get(name)?.index).toBeLessThan(model.index)
    }
  })

  it('has a file for each model and each source', () => {
    writeSvcProject(folder, 25)
    const files = readdirSync(join(folder, 'models'), { recursive: true }).filter(name =>
      String(name).endsWith('.svc'),
    )
    expect(files).toHaveLength(45)
    expect(readFileSync(join(folder, 'models', 'l0', 'd000', 'm_00000.svc'), 'utf8')).toContain(
      "{{ ref('src_",
    )
  })

  it('builds and passes its tests in DuckDB alone', async () => {
    writeSvcProject(folder, 25)
    const { sources, models } = plainStatements(join(folder, 'data'), 25)
    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    await connection.run('CREATE SCHEMA raw; CREATE SCHEMA mart')
    for (const statement of [...sources, ...models.map(model => model.create)])
      await connection.run(statement)
    for (const test of models.flatMap(model => model.tests)) {
      expect((await connection.runAndReadAll(test)).getRows()).toEqual([[0n]])
    }
    const rows = await connection.runAndReadAll('SELECT count(*) FROM mart.m_00024')
    expect(rows.getRows()).toEqual([[1000n]])
    connection.closeSync()
  })
})
