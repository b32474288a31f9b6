/**
 * Paths of columns with filters, joins, groups, windows, unions, targets and exposures: what the page draws before the column goes is
 * what `svc plan` says when it is gone, and all of that is reached.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { figure } from '../support/figure.ts'
import { pathCases } from '../support/paths/cases.ts'
import { judgePath, openPathsLab, type PathsLab } from '../support/paths/judge-paths.ts'

let lab: PathsLab
const counts = { paths: 0, ends: 0, wrong: 0, unlike: 0 }

beforeAll(async () => {
  lab = await openPathsLab(pathCases)
}, 600_000)

afterAll(() => {
  lab?.project.dispose()
  const { paths, ends, wrong, unlike } = counts
  figure(
    'paths',
    `${paths} paths of columns with ${ends} ends, ${unlike} drawn otherwise than planned, ${wrong} wrong`,
  )
})

it.each(pathCases.map((one, index) => [one.name, one, index] as const))(
  '%s',
  async (_name, one, index) => {
    const { drawn, planned, broken } = await judgePath(lab, one, index)
    counts.paths++
    counts.ends += drawn.length
    if (drawn.join('\n') !== planned.join('\n')) counts.unlike++
    if (drawn.join('\n') !== [...one.reaches].sort().join('\n')) counts.wrong++
    expect(drawn).toEqual([...one.reaches].sort())
    expect(planned).toEqual(drawn)
    // Nothing breaks that is not drawn.
    const assets = drawn.map(token => token.split(/[. ]/)[0])
    expect(broken.filter(asset => !assets.includes(asset))).toEqual([])
  },
  60_000,
)
