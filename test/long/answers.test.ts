/** Every shape in which web services say that there is more, with and without `paginate`: all records, or a word about the rest. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Project, temporaryProject } from '../engine/ingest/fetching.ts'
import { figure } from '../support/figure.ts'
import { casesOf, judgeCase, type PagingServer, problemIn, servePaging } from '../support/paging/cases.ts'
import { pagingServices } from '../support/paging/index.ts'

let server: PagingServer
let project: Project
const counts = { cases: 0, whole: 0, told: 0, silent: 0, 'false alarm': 0, crashes: 0 }

beforeAll(async () => {
  server = await servePaging(pagingServices)
  project = temporaryProject()
})

afterAll(async () => {
  await server.close()
  project.remove()
  const { cases, whole, told, silent, crashes } = counts
  figure(
    'answers',
    `${cases} cases of ${pagingServices.length} shapes, ${whole} loaded whole, ${told} told, ${silent} silent, ${counts['false alarm']} false alarms, ${crashes} crashes`,
  )
})

it.each(pagingServices.map(service => [service.name, service] as const))('%s', async (_name, service) => {
  const wrong: string[] = []
  for (const one of casesOf(service)) {
    const judged = await judgeCase(one, { server, project })
    counts.cases++
    counts[judged.outcome]++
    if (judged.said.startsWith('crash')) counts.crashes++
    const problem = problemIn(one, judged)
    if (problem !== undefined) wrong.push(problem)
  }
  expect(wrong).toEqual([])
})
