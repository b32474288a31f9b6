/** SQL as DuckDB's lexer sees it. */
import { describe, expect, it } from 'vitest'
import { engine } from '../../support/engine.ts'
import { seededRandom } from '../../support/random.ts'

function shown(sql: string): string[] {
  return engine
    .tokens(sql)
    .map(token => `${token.kind} ${sql.slice(token.start, token.end)}${token.closed ? '' : ' …'}`)
}

describe('the lexer', () => {
  const cases: [string, string[]][] = [
    ["select 'it''s'", ['word select', "string 'it''s'"]],
    ["E'a\\'b' x'ff' 'c\\'", ["string E'a\\'b'", "string x'ff'", "string 'c\\'"]],
    ['"a ""b"" c".d', ['quoted "a ""b"" c"', 'punctuation .', 'word d']],
    ['a -- b\nc', ['word a', 'comment -- b', 'word c']],
    ['/* a /* b */ c */ d', ['comment /* a /* b */ c */', 'word d']],
    ["$$ it's $$ $x$ $$ $x$", ["string $$ it's $$", 'string $x$ $$ $x$']],
    ['$1 $name ?', ['parameter $1', 'parameter $name', 'parameter ?']],
    [
      '1 1.5 .5 1e-3 0xFF 1_000',
      ['number 1', 'number 1.5', 'number .5', 'number 1e-3', 'number 0xFF', 'number 1_000'],
    ],
    ['list[1:2]', ['word list', 'punctuation [', 'number 1', 'punctuation :', 'number 2', 'punctuation ]']],
    ['a<-1', ['word a', 'operator <', 'operator -', 'number 1']],
    ['a->b->>c', ['word a', 'operator ->', 'word b', 'operator ->>', 'word c']],
    ['x -> x + 1', ['word x', 'operator ->', 'word x', 'operator +', 'number 1']],
    ['a<=b!=c<>d', ['word a', 'operator <=', 'word b', 'operator !=', 'word c', 'operator <>', 'word d']],
    ['a~~b a ~ ~b', ['word a', 'operator ~~', 'word b', 'word a', 'operator ~', 'operator ~', 'word b']],
    ['a::int := b', ['word a', 'punctuation ::', 'word int', 'punctuation :=', 'word b']],
    ["{{ ref('x') }}.c", ["tag {{ ref('x') }}", 'punctuation .', 'word c']],
    ["{'a': 1}", ['punctuation {', "string 'a'", 'punctuation :', 'number 1', 'punctuation }']],
    ['größe 😀', ['word größe', 'word 😀']],
    ["'open", ["string 'open …"]],
    ['/* open', ['comment /* open …']],
    ['{{ open', ['tag {{ open …']],
    ['a*/*c*/b', ['word a', 'operator *', 'comment /*c*/', 'word b']],
    ['1--2', ['number 1', 'comment --2']],
  ]
  it.each(cases)('%s', (sql, expected) => {
    expect(shown(sql)).toEqual(expected)
  })

  it('covers any text but white space, in order, without gaps', () => {
    const parts = [
      "'",
      '"',
      '$$',
      '$a$',
      '--',
      '/*',
      '*/',
      '{{',
      '}}',
      '\\',
      'E',
      'abc',
      '1.',
      '..',
      '<',
      '-',
      '+',
      ' ',
      '\n',
      '😀',
      '\ud800',
      '\0',
      '::',
      '?',
    ]
    for (let seed = 1; seed <= 2000; seed++) {
      const random = seededRandom(seed)
      const sql = Array.from({ length: 1 + random.below(12) }, () => random.pick(parts)).join('')
      let end = 0
      for (const token of engine.tokens(sql)) {
        expect(sql.slice(end, token.start).trim(), `seed ${seed}: ${sql}`).toBe('')
        expect(token.end, `seed ${seed}: ${sql}`).toBeGreaterThan(token.start)
        end = token.end
      }
      expect(sql.slice(end).trim(), `seed ${seed}: ${sql}`).toBe('')
    }
  })
})
