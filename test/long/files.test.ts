/** Text files of every kind: each of their lines is loaded, rejected or counted, and nothing is lost in silence. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Project, temporaryProject } from '../engine/ingest/fetching.ts'
import { figure } from '../support/figure.ts'
import { generatedCases } from '../support/text-files/generated-cases.ts'
import { handCases } from '../support/text-files/hand-cases.ts'
import { runCase } from '../support/text-files/run-case.ts'

let project: Project
beforeAll(() => {
  project = temporaryProject()
})
afterAll(() => project.remove())

it('are loaded line by line', async () => {
  const cases = [...handCases, ...generatedCases]
  const wrong: string[] = []
  let silent = 0
  for (const [index, each] of cases.entries()) {
    const result = await runCase(project, each, index)
    if (result.isSilent) silent++
    if (result.wrong !== undefined) wrong.push(`${each.name}: ${result.wrong.slice(0, 400)}`)
  }
  figure('files', `${cases.length} files, ${wrong.length} wrong, ${silent} silent`)
  expect(wrong).toEqual([])
  expect(cases.length).toBeGreaterThanOrEqual(300)
}, 900_000)
