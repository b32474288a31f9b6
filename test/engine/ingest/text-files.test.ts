/** A sample of the corpus of `test/long/files.test.ts`: files that are written by hand. */

import { openLocalReader } from '@svc/server/catalog'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { handCases } from '../../support/text-files/hand-cases.ts'
import { runCase } from '../../support/text-files/run-case.ts'
import { fetchOnly, type Project, temporaryProject } from './fetching.ts'

let project: Project
beforeAll(() => {
  project = temporaryProject()
})
afterAll(() => project.remove())

/** Those that are quick: the long ones have megabytes. */
const quick = handCases.filter(({ bytes }) => bytes.length < 100_000)

describe('lines of text files are loaded, rejected or counted', () => {
  it.each(quick.map((each, index) => [each.name, each, index] as const))('%s', async (_name, each, index) => {
    expect((await runCase(project, each, index)).wrong).toBeUndefined()
  })
})

// The library that reads results drops the character from a text, so the database counts it.
it('keeps U+FEFF at the beginning of the first value', async () => {
  project.write('data/mark.csv', '\ufeff\ufeffx,1\ny,2\n')
  const body = 'ingest: {type: file, endpoint: data, resource: mark.csv, options: {header: false}}'
  const { tables } = await fetchOnly(project, body)
  const local = await openLocalReader({})
  expect(await local.rows(`SELECT length(column0)::INTEGER AS n FROM (${tables[0]?.sql})`)).toEqual([
    { n: 2 },
    { n: 1 },
  ])
  local.close()
})
