import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Lab, openLab } from '../support/sql-lab.ts'
import { validQueries } from './valid-queries.ts'

let lab: Lab
beforeAll(async () => {
  lab = await openLab()
})
afterAll(() => lab.close())

test('the corpus is as large as it claims', () => {
  expect(new Set(validQueries).size).toBe(validQueries.length)
  expect(validQueries.length).toBeGreaterThanOrEqual(150)
})

test.each(validQueries)('says nothing about %s', async sql => {
  const analysis = await lab.analyze(sql)
  expect(analysis.diagnostics.filter(each => each.severity === 'error')).toEqual([])
  expect(analysis.columns.length > 0 || !analysis.complete).toBe(true)
  expect(analysis.lineage.map(each => each.column)).toEqual(analysis.columns.map(each => each.name))
})
