/** A sample of the corpus of test/long/import-dbt.test.ts: what svc makes of a dbt project is equal to what dbt built, or a note says what is not. */
import { expect, it } from 'vitest'
import { corpusProjects } from '../../../scripts/import-corpus.mjs'
import { comparedProject } from '../../support/import-corpus.ts'

it('a sample of the language of dbt has the rows and verdicts of dbt', async () => {
  const projects = corpusProjects(20).filter(({ items }) => items.length > 1)
  const compared = []
  for (const project of projects) compared.push(...(await comparedProject(project)))
  const wrong = compared.filter(
    ({ verdict, isNotedWanted }) => verdict !== (isNotedWanted ? 'noted' : 'equal'),
  )
  expect(
    wrong.map(({ item, verdict, different }) => `${item} is ${verdict}: ${different.join('; ')}`),
  ).toEqual([])
  expect(compared.length).toBeGreaterThan(15)
})
