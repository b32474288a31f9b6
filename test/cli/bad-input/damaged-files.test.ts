/** Files that are no longer what they were: every kind of damage at every kind of place, through the command itself. */
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { buildCommand } from '../../support/cli.ts'
import { everything, fuzzSeeds } from '../../support/fuzz-seeds.ts'
import { fuzzValidate, validateTexts } from '../../support/fuzz-validate.ts'
import { sample, times } from '../../support/long.ts'
import { createGround, expectNoStack, expectRefusal } from './command-line.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const longestMs = 120_000

type Damage = (text: string, at: number) => string

const insert =
  (piece: string): Damage =>
  (text, at) =>
    text.slice(0, at) + piece + text.slice(at)

const damages: readonly Damage[] = [
  (text, at) => text.slice(0, at),
  (text, at) => text.slice(at),
  (text, at) => text.slice(0, at) + text.slice(at + 1),
  (text, at) => text.slice(0, at) + text.slice(text.indexOf('\n', at) + 1),
  ...[
    '"',
    "'",
    '{',
    '[',
    '}',
    ': ',
    '- ',
    '\t',
    '\n',
    '{{',
    '}}',
    '{%',
    '*x',
    '&x',
    '!x',
    '#',
    '|',
    '\0',
  ].map(insert),
  ...['\ud800', '\u2028', '\ufeff', '😀', '---\n', '...\n', '<<: *x', '\r'].map(insert),
]

/** In each line: its beginning, the first letter, the colon, the value, its middle, its last letter, its end. */
function placesIn(text: string): number[] {
  const places = new Set<number>()
  let start = 0
  for (const line of text.split('\n')) {
    const indent = line.length - line.trimStart().length
    const colon = line.indexOf(':')
    const inLine = [
      0,
      indent,
      colon,
      colon + 1,
      colon + 2,
      Math.floor(line.length / 2),
      line.length - 1,
      line.length,
    ]
    for (const at of inLine) if (at >= 0 && at <= line.length) places.add(start + at)
    start += line.length + 1
  }
  return [...places].sort((a, b) => a - b)
}

describe('a damaged file', () => {
  it('is told with a place inside it, whatever is broken where', async () => {
    buildCommand()
    const places = placesIn(everything)
    // Each place has some of the damages, and each damage comes to every kind of place.
    const texts = places.flatMap((at, index) =>
      [0, 1].flatMap(turn => damages[(index * 2 + turn * 13) % damages.length]?.(everything, at) ?? []),
    )
    expect(texts.length).toBeGreaterThan(600)
    const tried = sample(texts, 6)
    const failures = await validateTexts(tried, fuzzSeeds(root), { root, longestMs })
    expect(failures).toEqual([])
    console.log(`${tried.length} damaged files`)
  })

  it('is told where chance made it', async () => {
    buildCommand()
    const count = times(60, 300)
    const outcome = await fuzzValidate({ root, count, seed: 7, batch: count, longestMs })
    expect(outcome.failures).toEqual([])
    expect(outcome.texts).toBe(count)
  })
})

const bomb = `a: &a [x, x, x, x, x, x, x, x, x]
b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]
c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]
d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c]
e: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d]
f: &f [*e, *e, *e, *e, *e, *e, *e, *e, *e]
g: &g [*f, *f, *f, *f, *f, *f, *f, *f, *f]
h: &h [*g, *g, *g, *g, *g, *g, *g, *g, *g]
name: bomb
ingest: {type: rows, rows: *h}
transform: SELECT 1 AS id
`

const model = (name: string, sql: string, more = '') =>
  `name: ${name}\ningest: none\ntransform: |\n  ${sql}\n${more}`

/** A file that still says its name fails its asset alone; one that does not refuses the run. */
function expectUntouched(said: Parameters<typeof expectNoStack>[0]): void {
  expectNoStack(said)
  expect(said.code).toBe(1)
  expect(said.stdout + said.stderr).toMatch(/models\/\w+\.svc:\d+:\d+/)
  expect(said.stdout + said.stderr).toMatch(/nothing was (done|promoted)/i)
}

describe('one file', () => {
  it.each([
    ['aliases that unfold to millions', bomb, 'yaml-alias'],
    [
      'an alias to itself',
      'name: x\ningest: &a {type: rows, rows: [*a]}\ntransform: SELECT 1 AS id\n',
      'yaml-alias',
    ],
    ['brackets without end', `name: x\ningest: ${'['.repeat(50_000)}\n`, 'yaml-depth'],
    ['a tag that is not closed', model('x', "SELECT * FROM {{ ref('x'"), 'unclosed-tag'],
    ['a tag in a tag', model('x', 'SELECT * FROM {{ ref({{ source }}) }}'), 'unclosed-tag'],
    ['a key twice', 'name: x\nname: y\ningest: none\ntransform: SELECT 1 AS id\n', 'duplicate-key'],
    ['a reference to nothing', model('x', "SELECT * FROM {{ ref('nothing') }}"), 'unknown-ref'],
    ['a reference to itself', model('x', "SELECT * FROM {{ ref('x') }}"), 'self-ref'],
    ['a NUL byte', 'name: x\ningest: none\ntransform: SELECT 1 AS i\0d\n', 'yaml-syntax'],
    ['nothing', '', 'missing-key'],
    ['a list', '- a\n- b\n', 'wrong-type'],
    ['two documents', `${model('x', 'SELECT 1 AS id')}---\nname: y\n`, 'yaml-syntax'],
    [
      'a merge key',
      'a: &a {b: 1}\nname: x\ningest: none\ntransform: SELECT 1 AS id\ndeploy: {<<: *a}\n',
      'yaml-merge',
    ],
    ['a name that is a path', model('../x', 'SELECT 1 AS id'), 'invalid-name'],
    ['two statements', model('x', 'SELECT 1 AS id; DROP TABLE y'), 'sql-not-a-select'],
    ['a statement that changes', model('x', 'DELETE FROM y'), 'sql-not-a-select'],
  ])('with %s', async (_what, text, code) => {
    const ground = createGround({ 'svc.yaml': 'name: one\n', 'models/x.svc': text })
    try {
      const said = await ground.line(['validate'])
      expectRefusal(said, 1, 'FAIL models/x.svc', 'models/x.svc:')
      expect(said.stdout).toContain(code)
      expect(said.stdout.length).toBeLessThan(5000)
      expectUntouched(await ground.line(['run']))
    } finally {
      ground.dispose()
    }
  })
})

describe('several files', () => {
  it('in a circle, of one name, or with refs where no SQL is', async () => {
    const ground = createGround({
      'svc.yaml': 'name: several\n',
      'models/a.svc': model('a', "SELECT * FROM {{ ref('b') }}"),
      'models/b.svc': model('b', "SELECT * FROM {{ ref('c') }}"),
      'models/c.svc': model('c', "SELECT * FROM {{ ref('a') }}"),
      'models/d1.svc': model('d', 'SELECT 1 AS id'),
      'models/d2.svc': model('d', 'SELECT 2 AS id'),
      'models/upper.svc': model('D', 'SELECT 3 AS id'),
      'models/quiet.svc': model(
        'quiet',
        "SELECT 'it''s -- {{' AS note -- {{ ref('nothing') }}\n  /* {{ ref('quiet') }} {{ */ , 1 AS id",
      ),
      'models/loud.svc': model('loud', 'SELECT \'{{ ref("nothing") }}\' AS note'),
    })
    try {
      const said = await ground.line(['validate', '--json'])
      expectNoStack(said)
      expect(said.code).toBe(1)
      const { files } = JSON.parse(said.stdout) as {
        files: { path: string; diagnostics: { code: string; message: string }[] }[]
      }
      const codes = Object.fromEntries(
        files.map(file => [file.path, file.diagnostics.map(each => each.code)]),
      )
      expect(codes).toMatchObject({
        'models/d1.svc': [],
        'models/d2.svc': expect.arrayContaining(['duplicate-name']),
        'models/upper.svc': expect.arrayContaining(['duplicate-name']),
      })
      const cycles = files.flatMap(file => file.diagnostics.filter(each => each.code === 'cycle'))
      expect(cycles.map(each => each.message).join('\n')).toMatch(
        /a -> b -> c -> a|b -> c -> a -> b|c -> a -> b -> c/,
      )
      expect(codes['models/quiet.svc']).toEqual([])
      expect(codes['models/loud.svc']).toEqual(['invalid-tag'])
      expectUntouched(await ground.line(['run']))
      expect((await ground.line(['run', 'quiet'])).code).toBe(0)
    } finally {
      ground.dispose()
    }
  })
})
