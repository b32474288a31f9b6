/** Some of test/long/paths.test.ts: what the page draws of a column is what `svc plan` says when the column is gone. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pathCases } from '../support/paths/cases.ts'
import { judgePath, openPathsLab, type PathsLab } from '../support/paths/judge-paths.ts'

const sample = ['a filter of a CTE, by another name', 'a side that becomes narrower', 'all of it at once']
const cases = pathCases.filter(({ name }) => sample.includes(name))
let lab: PathsLab

beforeAll(async () => {
  lab = await openPathsLab(cases)
})
afterAll(() => lab.project.dispose())

it.each(cases.map((one, index) => [one.name, one, index] as const))(
  'a column goes that was %s',
  async (_name, one, index) => {
    const { drawn, planned, broken } = await judgePath(lab, one, index)
    expect(drawn).toEqual([...one.reaches].sort())
    expect(planned).toEqual(drawn)
    expect(broken.length).toBeGreaterThan(0)
  },
)
