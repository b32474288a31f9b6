/**
 * Sentences that promise something, on the pages of `docs`: each is held by tests that would fail if it were not so. Those that the
 * words below find by chance say nothing of the product, or what a test cannot see, and are listed as such.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PageEntries } from './held.ts'
import { type PagePart, partsOf } from './page-parts.ts'

const promising =
  /\b(always|never|unless|defaults?|limits?|limited|only|at most|at least|nothing|every|each|cannot|until|alone|exit code)\b/i

/** Links lead to headings that have such words too. */
const withoutTargets = (text: string) => text.replace(/\]\([^)]*\)/g, ']')

export function promisesOf(page: string): readonly PagePart[] {
  return partsOf(page).filter(({ kind, text }) => kind !== 'example' && promising.test(withoutTargets(text)))
}

export interface TiedPromise extends PagePart {
  readonly page: string
  /** Names of tests; none where nothing holds it yet. */
  readonly tests: readonly string[]
}

/** All promises of pages below `folder`, without those that only look like one. */
export function tiedPromises(folder: string, pages: readonly PageEntries[]): readonly TiedPromise[] {
  return pages.flatMap(({ page, held, explains }) =>
    promisesOf(readFileSync(join(folder, page), 'utf8'))
      .filter(({ key }) => !explains.includes(key))
      .map(part => ({
        ...part,
        page,
        tests: (held[part.key] ?? []).map(({ file, test }) => `${file}: ${test}`),
      })),
  )
}

/** The one figure: how many sentences promise something, and how many of them a test holds. */
export function promiseFigure(promises: readonly TiedPromise[]): string {
  const tied = promises.filter(({ tests }) => tests.length > 0).length
  return `${promises.length} sentences that promise, ${tied} tied to tests`
}
