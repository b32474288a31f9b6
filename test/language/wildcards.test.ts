/** Patterns that users write are matched in bounded time: with eight stars, and with repetitions of repetitions. */
import { beforeAll, describe, expect, it } from 'vitest'
import { columnsMatching, loadPatterns } from '../../server/language/engines/duckdb/patterns.ts'
import { type WildcardOptions, wildcards } from '../../server/language/text/wildcards.ts'

const path = { isPath: true }
const braces = { hasBraces: true }

describe('wildcards', () => {
  const cases: readonly (readonly [
    pattern: string,
    options: WildcardOptions,
    yes: readonly string[],
    no: readonly string[],
  ])[] = [
    ['a*c', {}, ['ac', 'abc', 'a/c', 'acc', 'aécc'], ['a', 'acd', 'bac']],
    ['*', {}, ['', 'a', 'a/b'], []],
    ['a?c', {}, ['abc', 'a😀c'], ['ac', 'abbc']],
    ['a?c*', { isStarOnly: true }, ['a?c', 'a?cd'], ['abc']],
    ['a**', { isStarOnly: true }, ['a', 'ab'], ['b']],
    ['models/*.svc', path, ['models/a.svc'], ['models/x/a.svc', 'models/a.sql']],
    [
      'models/**/a?',
      path,
      ['models/ab', 'models/x/ab', 'models/x/y/ab'],
      ['models/a', 'modelsx/ab', 'models/a/'],
    ],
    ['**', path, ['', 'a', 'a/b'], []],
    ['**/a', path, ['a', 'x/a', 'x/y/a'], ['xa', 'a/x']],
    ['x.{csv,tsv}', braces, ['x.csv', 'x.tsv'], ['x.', 'x.csvtsv', 'x,csv']],
    ['{a,b{c,d*}}e', braces, ['ae', 'bce', 'bdxe'], ['be', 'e']],
    ['{a,b}', {}, ['{a,b}'], ['a']],
    ['a.b(c)[d]+$', {}, ['a.b(c)[d]+$'], ['axb(c)[d]+$']],
  ]
  it.each(cases)('%s %o', (pattern, options, yes, no) => {
    const matches = wildcards(pattern, options)
    expect(yes.filter(text => !matches(text))).toEqual([])
    expect(no.filter(text => matches(text))).toEqual([])
  })

  it.each([{}, path, braces])('with eight stars come to an end: %o', options => {
    const eight = wildcards(`${'*a'.repeat(8)}*b`, options)
    expect(eight('a'.repeat(5000))).toBe(false)
    expect(eight(`${'a'.repeat(5000)}b`)).toBe(true)
    const folders = wildcards(`${'**/a*'.repeat(8)}b`, options)
    expect(folders('a/'.repeat(1000))).toBe(false)
  })
})

describe('patterns of COLUMNS', () => {
  beforeAll(() => loadPatterns(["SELECT COLUMNS('^a')"]))

  it.each([
    ['^c_', 'c_x', true],
    ['^c_', 'xc_', false],
    ['a.*b[^)]+c?', 'aXbYc', true],
    ['\\*\\*\\*\\*', '****', true],
    ['(a|b)c', 'bc', true],
  ])('%s in %s', (pattern, text, found) => {
    expect(columnsMatching(pattern)?.(text)).toBe(found)
  })

  it.each(['(a*)*b', '(a|aa)+b', 'a*a*a*a*a*b', '(a{1,9}){9}b', '(?:a+a+)+b', '(a*){9}b'])(
    '%s comes to an end',
    pattern => {
      expect(columnsMatching(pattern)?.('a'.repeat(500))).toBe(false)
      expect(columnsMatching(pattern)?.(`${'a'.repeat(500)}b`)).toBe(true)
    },
  )

  it.each(['(a)\\1', '(', '['])('nobody can say of %s', pattern => {
    expect(columnsMatching(pattern)).toBeUndefined()
  })
})
