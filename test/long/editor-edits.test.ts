/** Three thousand random edits of ten projects in an editor: after each burst the server says what a fresh one says, and each request is answered. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildCommand } from '../support/cli.ts'
import { figure } from '../support/figure.ts'
import { fuzzEditor } from '../support/fuzz-editor.ts'
import { fuzzProjects } from '../support/fuzz-projects.ts'

const root = join(import.meta.dirname, '..', '..')
const sum = { projects: 0, edits: 0, comparisons: 0, problems: 0, failed: 0 }
const waited: number[] = []

beforeAll(buildCommand, 240_000)
afterAll(() => {
  const { projects, edits, comparisons, problems, failed } = sum
  const late = waited.filter(ms => ms > 1_000).length
  const slowest = Math.round(Math.max(0, ...waited))
  figure(
    'editor',
    `${edits} random edits of ${projects} projects, ${comparisons} comparisons with a fresh server over ${problems} problems, ${failed} failed; ${waited.length} requests, ${late} after more than a second, slowest ${slowest} ms`,
  )
})

it.each(fuzzProjects(root).map(project => [project.name, project] as const))(
  'random edits of %s leave the server in the state of a fresh one',
  { timeout: 1_800_000 },
  async (_, { write }) => {
    const outcome = await fuzzEditor({ root, count: 300, seed: 42, every: 50, write })
    sum.projects += 1
    sum.edits += outcome.edits
    sum.comparisons += outcome.comparisons
    sum.problems += outcome.problems
    sum.failed += outcome.failures.length
    waited.push(...outcome.answers.map(({ ms }) => ms))
    expect(outcome.failures).toEqual([])
    expect(outcome.edits).toBe(300)
  },
)
