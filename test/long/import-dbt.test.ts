/** The corpus of small dbt projects, built by dbt once: what svc makes of each is equal, or a note says what is not. */
import { afterAll, expect, it } from 'vitest'
import { corpusProjects } from '../../scripts/import-corpus.mjs'
import { figure } from '../support/figure.ts'
import { type Compared, comparedProject } from '../support/import-corpus.ts'

const all: Compared[] = []

it.each(corpusProjects())(
  '$name',
  async project => {
    const compared = await comparedProject(project)
    all.push(...compared)
    const wrong = compared.filter(
      ({ verdict, isNotedWanted }) => verdict === 'silent' || (verdict === 'noted') !== isNotedWanted,
    )
    expect(
      wrong.map(({ item, verdict, different }) => `${item} is ${verdict}: ${different.join('; ')}`),
    ).toEqual([])
  },
  600_000,
)

afterAll(() => {
  const having = (wanted: Compared['verdict']) => all.filter(({ verdict }) => verdict === wanted).length
  figure(
    'import-dbt',
    `${all.length} items of dbt's language: ${having('equal')} equal, ${having('noted')} noted, ${having('silent')} silent`,
  )
})
