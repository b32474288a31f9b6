import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Token, tokenize } from './tokens.ts'

const key = 'entity.name.tag.svc'
const plain = 'string.unquoted.plain.svc'
const comment = 'comment.line.number-sign.svc'
const sql = 'meta.embedded.block.sql'
const inline = 'meta.embedded.inline.sql'
const python = 'meta.embedded.block.python'
const template = 'meta.template.svc'

/** Title, text, and for words of it the scope that they must have; `!` before a scope that they must not have. */
const cases: readonly (readonly [string, string, readonly (readonly [string, string])[]])[] = [
  [
    'keys and plain values',
    'name: daily_sales\ndescription: A, b: c. It\'s "x" # why',
    [
      ['name', key],
      ['daily_sales', plain],
      ['A, b: c. It\'s "x"', plain],
      [' why', comment],
    ],
  ],
  [
    'brackets',
    'tags: [core, a b]\ningest: {type: file, retries: 5, on: true, x: null}',
    [
      ['core', plain],
      ['a b', plain],
      ['type', key],
      ['5', 'constant.numeric.svc'],
      ['true', 'constant.language.boolean.svc'],
      ['null', 'constant.language.null.svc'],
    ],
  ],
  [
    'durations and variables of the environment',
    'freshness: {warn_after: 12h}\nendpoint: env:SHOP_URL',
    [
      ['12h', 'constant.numeric.svc'],
      ['env', 'keyword.other.env.svc'],
      ['SHOP_URL', 'variable.other.env.svc'],
    ],
  ],
  [
    'SQL of a transform, until the block ends',
    "transform: |\n  SELECT a FROM {{ ref('x') }}\n\n  -- it's\ntests: []",
    [
      ['SELECT', sql],
      ['ref', 'support.function.template.svc'],
      ["'x'", 'string.quoted.single.template.svc'],
      ["-- it's", 'comment.line.sql'],
      ['tests', key],
      ['tests', `!${sql}`],
    ],
  ],
  [
    'a quote that nobody closes stays in its block',
    "transform: |\n  SELECT 'open\nname: x",
    [
      ['open', 'string.quoted.single.sql'],
      ['name', key],
      ['name', `!${sql}`],
    ],
  ],
  [
    'tags inside strings of SQL',
    "transform: |\n  SELECT '{{ var('day') }}'",
    [
      ['var', 'support.function.template.svc'],
      ['var', template],
      ['}}', 'punctuation.section.embedded.end.svc'],
    ],
  ],
  [
    'a list of tests: the key beside a block is no SQL',
    'tests:\n  - sql: |\n      SELECT 1\n    where: a AND b # c\n    severity: warn',
    [
      ['SELECT', sql],
      ['where', key],
      ['where', `!${sql}`],
      ['AND', inline],
      [' c', comment],
      ['severity', key],
      ['warn', plain],
    ],
  ],
  [
    'SQL on the line of its key and on the next',
    'transform: SELECT a\n  FROM {{ source }}\nname: x',
    [
      ['SELECT', inline],
      ['FROM', inline],
      ['source', 'variable.language.template.svc'],
      ['name', key],
    ],
  ],
  [
    'SQL in quotes',
    'tests:\n  - expression: "amount > 0 AND sum(x) < 2"\n  - {expression: \'a < 1\', severity: error}\nname: x',
    [
      ['AND', inline],
      ['sum', 'support.function.sql'],
      ['<', 'keyword.operator.sql'],
      ['severity', key],
      ['error', plain],
      ['name', `!${inline}`],
    ],
  ],
  [
    'Python',
    "transform:\n  python: |\n    def transform(svc):\n        return svc.ref('x')\ntests: []",
    [
      ['def', python],
      ['return', 'keyword.python'],
      ['tests', key],
      ['tests', `!${python}`],
    ],
  ],
  [
    'what DuckDB adds to SQL',
    'transform: |\n  SELECT a::INT FROM t QUALIFY x',
    [
      ['QUALIFY', 'keyword.other.DML.sql'],
      ['::', 'keyword.operator.cast.sql'],
    ],
  ],
  [
    'texts over several lines',
    'description: >\n  first: line\n  second # line\nowner: me',
    [
      ['  first: line', 'string.unquoted.block.svc'],
      ['  second # line', 'string.unquoted.block.svc'],
      ['owner', key],
    ],
  ],
]

describe('the grammar colours', () => {
  it.each(cases)('%s', async (_, text, expected) => {
    const tokens = await tokenize(text)
    for (const [word, scope] of expected) expectScope(tokens, word, scope)
  })

  it('every file of the example without losing its way: all keys of the top are keys', async () => {
    const models = join(import.meta.dirname, '..', '..', 'examples', 'flights', 'models')
    const files = readdirSync(models, { recursive: true, encoding: 'utf8' }).filter(name =>
      name.endsWith('.svc'),
    )
    expect(files.length).toBeGreaterThan(10)
    for (const file of files) {
      const text = readFileSync(join(models, file), 'utf8')
      const wanted = [...text.matchAll(/^([a-z_]+):/gm)].map(match => match[1] ?? '')
      const found = (await tokenize(text)).filter(({ scopes }) => scopes.length === 2 && scopes[1] === key)
      expect(found.map(token => token.text)).toEqual(expect.arrayContaining(wanted))
      expect(
        (await tokenize(text)).some(({ scopes }) => scopes.includes('keyword.sql')),
        file,
      ).toBe(true)
    }
  })
})

function expectScope(tokens: readonly Token[], word: string, scope: string): void {
  const token = tokens.find(({ text }) => text === word)
  const all = tokens.map(({ text }) => text)
  expect(all).toContain(word)
  if (scope.startsWith('!')) expect(token?.scopes).not.toContain(scope.slice(1))
  else expect(token?.scopes, word).toContain(scope)
}
