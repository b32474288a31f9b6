/** Text files of every kind: each of their lines is loaded, rejected or counted, and nothing is lost in silence. */
import { csvFrom, lookAtText, openLocalReader, TextFileError } from '@svc/server/catalog'
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

/** Pieces of text that mean something in some dialect. */
const pieces = [
  'a',
  '1',
  '2.5',
  ',',
  ',',
  '"',
  '""',
  '\n',
  '\n',
  '\r\n',
  '\r',
  ' ',
  ';',
  'é',
  '\\',
  '\\"',
  "'",
  '\u001f',
  '\t',
]

function chanceFrom(start: number): (below: number) => number {
  let state = start
  return below => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

it('has the records that are counted in it, whatever is written', async () => {
  const local = await openLocalReader({})
  const chance = chanceFrom(7)
  const options = [
    {},
    { header: false },
    { delimiter: ',' },
    { delimiter: ',', escape: '\\' },
    { nullPadding: true },
    { comment: 'a' },
  ]
  const wrong: string[] = []
  let read = 0
  let refused = 0
  for (let index = 0; index < 4000; index++) {
    const text = `${chance(2) === 0 ? 'x,y\n' : ''}${Array.from({ length: chance(40) + 1 }, () => pieces[chance(pieces.length)]).join('')}`
    project.write('fuzz/x.csv', text)
    const path = project.path('fuzz/x.csv')
    const work = { local, folder: project.path('fuzz'), keys: [], sorts: chance(2) === 0, mostBytes: 1e9 }
    try {
      const look = await lookAtText([path], options[chance(options.length)] ?? {}, work)
      if (look.groups.length === 0) continue
      const [row] = await local.rows(`SELECT count(*)::INTEGER AS n FROM ${csvFrom(look.groups, new Map())}`)
      read++
      if (row?.['n'] !== look.records) wrong.push(`${JSON.stringify(text)}: ${row?.['n']}, ${look.records}`)
    } catch (error) {
      if (error instanceof TextFileError) refused++
      else wrong.push(`${JSON.stringify(text)}: ${String(error)}`)
    }
  }
  local.close()
  figure('files-fuzz', `${read} texts read, ${refused} refused, ${wrong.length} wrong`)
  expect(wrong).toEqual([])
}, 900_000)
