/** Where all of thousands of names are misspelt, `svc validate` takes their number in time, and not its square. */
import { expect, test } from 'vitest'
import { createGround } from './bad-input/command-line.ts'

/** Four times as many names may take so many times the CPU; linear is four. */
const mostTimes = 6.5
/** Less work than this is measured too coarsely. */
const leastMs = 60

const lines = (count: number, line: (index: number) => string, separator = '') =>
  Array.from({ length: count }, (_, index) => line(index)).join(separator)

const asset = (name: string, sql: string) => ({
  [`models/${name}.svc`]: `name: ${name}\ningest: none\ntransform: ${sql}\n`,
})
const base = asset('base', 'SELECT range AS a FROM range(10)')
const wide = (count: number) =>
  asset('x', `SELECT ${lines(count, index => `a + ${index} AS c${index}`, ', ')} FROM {{ ref('base') }}`)
const policy = (columns: string, patterns: string) => ({
  'glossary.yaml': `policies:\n  - {name: P, rule: None., pii_columns: [${columns}], applies_to: [${patterns}], enforcement: warn}\n`,
})

const cases: readonly [string, (count: number) => Readonly<Record<string, string>>, string][] = [
  [
    'columns of SQL',
    count => ({
      ...wide(count),
      ...asset('y', `SELECT ${lines(count, index => `k${index} AS d${index}`, ', ')} FROM {{ ref('x') }}`),
    }),
    'sql-unknown-column',
  ],
  [
    'terms of links',
    count => ({
      'glossary.yaml': `terms:\n${lines(count, index => `  - name: Term number ${index}\n`)}links:\n${lines(count, index => `  - {term: Terms numbed ${index}, asset: base, column: a}\n`)}`,
    }),
    'glossary-unknown-term',
  ],
  [
    'columns of a policy',
    count => ({
      ...wide(count),
      ...policy(
        lines(count, index => `k${index}`, ', '),
        'base',
      ),
    }),
    'policy-without-column',
  ],
  [
    'patterns of a policy',
    count => ({
      'models/y.svc': `name: y\ntags: [${lines(count, index => `tag ${index}`, ', ')}]\ningest: none\ntransform: SELECT * FROM {{ ref('base') }}\n`,
      ...policy(
        'a',
        lines(count, index => `tag:tug ${index}`, ', '),
      ),
    }),
    'policy-without-asset',
  ],
  [
    'patterns of defaults',
    count => ({
      'svc.yaml': `name: grown\ndefaults:\n${lines(count, index => `  modls/a${index}/**: {tags: [t]}\n`)}`,
    }),
    'defaults-unmatched',
  ],
]

test.each(cases)('%s', async (_, filesOf, code) => {
  await cpuOf(filesOf(100), code)
  const small = await cpuOf(filesOf(500), code)
  const large = await cpuOf(filesOf(2000), code)
  if (large > leastMs * 4) expect(large / Math.max(small, leastMs)).toBeLessThanOrEqual(mostTimes)
})

/** The least CPU of two runs of `svc validate`, which must find what is misspelt. */
async function cpuOf(files: Readonly<Record<string, string>>, code: string): Promise<number> {
  const taken: number[] = []
  for (let time = 0; time < 2; time++) {
    const ground = createGround({ 'svc.yaml': 'name: grown\n', ...base, ...files })
    try {
      const before = process.cpuUsage()
      const { stdout } = await ground.line(['validate', '--json'])
      const { user, system } = process.cpuUsage(before)
      taken.push((user + system) / 1000)
      expect(stdout).toContain(`"${code}"`)
    } finally {
      ground.dispose()
    }
  }
  return Math.min(...taken)
}
