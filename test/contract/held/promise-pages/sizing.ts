/** The promises of docs/sizing.md. */
import { by, type PageEntries } from '../held.ts'

const operatingPages = 'docs/operating-pages.test.ts'
const budget = 'catalog/budget.test.ts'
const settings = 'language/schema/settings.test.ts'
const threads = 'engine/run/threads.test.ts'
const rollback = 'engine/run/rollback.test.ts'
const selection = 'engine/run/selection.test.ts'
const gc = 'engine/run/gc.test.ts'
const limits = 'engine/ingest/limits.test.ts'

export const sizingPromises: PageEntries = {
  page: 'sizing.md',
  held: {
    '76eb0b A test compares each figure': by(
      operatingPages,
      'has no figure of time or memory that docs/benchmarks.md does not have for the same work',
    ),
    '08f682 validate , 1,000 assets, nothing': by(
      operatingPages,
      'has no figure of time or memory that docs/benchmarks.md does not have for the same work',
    ),
    '48ba5f validate , 10,000 assets, nothing': by(
      operatingPages,
      'has no figure of time or memory that docs/benchmarks.md does not have for the same work',
    ),
    '1413df run of 10,000 assets, nothing': by(
      operatingPages,
      'has no figure of time or memory that docs/benchmarks.md does not have for the same work',
    ),
    'd473f9 SQL that is checked has': [
      ...by(budget, 'is named with the limit, and what to do'),
      ...by(settings, 'have every default without a file'),
    ],
    'd65567 More cores shorten the build,': by(
      threads,
      '%i: %i builds at a time, as far as the warehouse can',
    ),
    'c29aa9 The warehouse has each table': [
      ...by(rollback, 'keeps what archives pin and drops the rest'),
      ...by(selection, 'environments share builds and nothing else'),
    ],
    '5ca63b So a project whose tables': by(rollback, 'keeps what archives pin and drops the rest'),
    'a61ea9 What could go is shown': by(
      gc,
      'a dry run says what would go and changes nothing',
      'goes at the end of a run too',
    ),
    '463de9 Fetched pages are in .svc/': by(limits, 'may unpack to so much together'),
  },
  explains: [],
}
