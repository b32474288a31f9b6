/**
 * Each sentence of the contract and of the pages of `docs/hosted`, and each that promises something on other pages of `docs`, says
 * which tests hold it: the entries are in `held/`. A test that was renamed or removed, and a sentence of a page that was added or
 * changed, is found here.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandLine } from './held/commands.ts'
import { dashboard } from './held/dashboard.ts'
import { deployment } from './held/deployment.ts'
import type { HeldBy } from './held/held.ts'
import { hostedGlossary } from './held/hosted-glossary.ts'
import { hostedMetadata } from './held/hosted-metadata.ts'
import { hostedRules } from './held/hosted-rules.ts'
import { localFiles } from './held/local-files.ts'
import { type PagePart, partsOf } from './held/page-parts.ts'
import { hostedPages, promisePages } from './held/pages.ts'
import { promisesOf } from './held/promises.ts'
import { titlesOf } from './held/titles.ts'

const root = join(import.meta.dirname, '..', '..')
const contract = [
  ...hostedGlossary,
  ...hostedMetadata,
  ...localFiles,
  ...deployment,
  ...dashboard,
  ...commandLine,
  ...hostedRules,
]

const titles = new Map<string, readonly string[] | undefined>()

function titlesIn(file: string): readonly string[] | undefined {
  if (!titles.has(file)) {
    const path = join(root, file)
    titles.set(file, existsSync(path) ? titlesOf(file, readFileSync(path, 'utf8')) : undefined)
  }
  return titles.get(file)
}

/** Nothing where the test is there and no other one can be meant. */
function faultOf({ file, test }: HeldBy): string | undefined {
  const all = titlesIn(file)
  if (all === undefined) return `there is no ${file}`
  if (all.includes(test)) return undefined
  const found = all.filter(title => title.includes(test))
  return found.length === 1 ? undefined : `${found.length} tests of ${file} are called "${test}"`
}

function faults(entries: readonly { readonly says: string; readonly heldBy: readonly HeldBy[] }[]) {
  return entries.flatMap(({ says, heldBy }) => {
    const wrong = heldBy.length === 0 ? ['no test holds it'] : heldBy.map(faultOf)
    return wrong.flatMap(fault => (fault === undefined ? [] : [`${says}: ${fault}`]))
  })
}

describe('the contract', () => {
  it('is held, sentence by sentence, by tests that are there', () => {
    expect(faults(contract)).toEqual([])
  })

  it('and a test that is not there, or not the only one of its name, is noticed', () => {
    const file = 'test/hosted/conformance.test.ts'
    expect(faultOf({ file, test: 'source may be webhook' })).toBe(undefined)
    expect(faultOf({ file, test: 'source may be a pigeon' })).toMatch(/^0 tests of .* are called/)
    expect(faultOf({ file, test: 'takes the fields of' })).toMatch(/^3 tests/)
    expect(faultOf({ file: 'test/none.test.ts', test: 'anything' })).toBe('there is no test/none.test.ts')
    expect(faults([{ says: 'Nothing.', heldBy: [] }])).toEqual(['Nothing.: no test holds it'])
  })
})

// Examples are run, with their outputs, by test/docs/hosted-pages.test.ts, or say themselves why they are not.
const sentencesOf = (text: string) => partsOf(text).filter(({ kind }) => kind !== 'example')

const pages = [
  ...hostedPages.map(entries => ({ ...entries, path: `docs/hosted/${entries.page}`, lookedAt: sentencesOf })),
  ...promisePages.map(entries => ({ ...entries, path: `docs/${entries.page}`, lookedAt: promisesOf })),
]

describe.each(pages)('$path', ({ path, lookedAt, held, explains }) => {
  const said = lookedAt(readFileSync(join(root, path), 'utf8')).map(({ key }: PagePart) => key)
  const entries = [...Object.keys(held), ...explains]

  it('has an entry for each sentence and each row, and none for what it does not say', () => {
    const missing = said.filter(key => !entries.includes(key))
    const gone = entries.filter(key => !said.includes(key))
    expect({ missing, gone }).toEqual({ missing: [], gone: [] })
    expect(new Set(entries).size).toBe(entries.length)
  })

  it('is held, sentence by sentence, by tests that are there', () => {
    expect(faults(Object.entries(held).map(([says, heldBy]) => ({ says, heldBy })))).toEqual([])
  })
})

it('words that promise are found in sentences and rows, and not in the targets of links', () => {
  const page =
    'It never fails. It works ([limits](limits.md#nothing)).\n\n| a | b |\n|---|---|\n| x | `y` alone |\n'
  expect(promisesOf(page).map(({ text }) => text)).toEqual([
    'It never fails.',
    'It works ([limits](limits.md#nothing)).',
    '| x | `y` alone |',
  ])
  expect(promisesOf('It works ([sizes](limits.md#nothing)).')).toEqual([])
})
