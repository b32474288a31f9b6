/** A short session of random edits where what is read is named without tags; test/long has ten projects and many edits. */
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { buildCommand } from '../support/cli.ts'
import { fuzzEditor } from '../support/fuzz-editor.ts'
import { fuzzProjects } from '../support/fuzz-projects.ts'

const root = join(import.meta.dirname, '..', '..')

beforeAll(buildCommand, 240_000)

it('random edits leave the server in the state of a fresh one, and each request is answered', async () => {
  const write = fuzzProjects(root).find(({ name }) => name === 'untagged')?.write
  expect(write).toBeDefined()
  const outcome = await fuzzEditor({ root, count: 40, seed: 3, every: 40, ...(write && { write }) })
  expect(outcome.failures).toEqual([])
  expect(outcome.comparisons).toBe(1)
  expect(outcome.problems + outcome.answers.length).toBeGreaterThan(0)
})
