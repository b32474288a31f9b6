import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { descendants, layeredModels, modelSql } from './layered-project.ts'
import { recordPages } from './nested-records.ts'
import { sqlPath, writeDbtProject, writeSqlmeshProject } from './peer-flavours.ts'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-peers-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

it.each([
  ['dbt', writeDbtProject, (name: string) => `{{ ref('${name}') }}`],
  ['SQLMesh', writeSqlmeshProject, (name: string) => `mart.${name}`],
] as const)('%s gets the SQL of our own project', (_, writeProject, reference) => {
  writeProject(folder, 25, 2)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  expect(files.filter(name => name.endsWith('.sql'))).toHaveLength(25)
  for (const model of layeredModels(25).filter(({ layer }) => layer > 0)) {
    expect(readFileSync(sqlPath(folder, model), 'utf8')).toContain(modelSql(model, reference))
  }
})

it('a model that changes takes its readers with it, near and far', () => {
  const models = layeredModels(25)
  const touched = descendants(models, 3)
  const reading = models.filter(({ reads }) => reads.includes('m_00003')).map(({ index }) => index)
  expect(reading.length).toBeGreaterThan(0)
  expect([...touched]).toEqual(expect.arrayContaining([3, ...reading]))
  for (const model of models.filter(({ index }) => index !== 3)) {
    const readsTouched = model.reads.some(
      name => touched.has(Number(name.replace(/^\w+_/, ''))) && name[0] === 'm',
    )
    expect(touched.has(model.index)).toBe(readsTouched)
  }
})

it('pages of records follow each other to the last one', () => {
  const pages = [...recordPages(2500, 'http://localhost/records')].map(
    text => JSON.parse(text) as { data: { id: number }[]; next: string | null },
  )
  expect(pages.map(({ data }) => data.length)).toEqual([1000, 1000, 500])
  expect(pages.map(({ next }) => next)).toEqual([
    'http://localhost/records?page=2',
    'http://localhost/records?page=3',
    null,
  ])
  expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(
    Array.from({ length: 2500 }, (_, id) => id),
  )
})
