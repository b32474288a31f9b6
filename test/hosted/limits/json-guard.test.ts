import { describe, expect, it } from 'vitest'
import { findJsonFault } from '../../../hosted-api/limits/json-guard.ts'
import { type Random, seededRandom } from '../../support/random.ts'

const limits = { depth: 64, members: 0, values: 0 }

describe('a JSON text', () => {
  const sound = [
    '{}',
    '[]',
    '1',
    '"{[,:"',
    '{"a":{"a":{"a":1}}}',
    '[{"a":1},{"a":2}]',
    '{"a":"a","b":["a","a"]}',
    '{"a\\"":1,"a":2}',
    '{"a\\\\":1,"a":2}',
    '{"":1," ":2}',
    '{"__proto__":1,"constructor":2}',
    ' { "a" : [ 1 , { "b" : null } ] , "b" : { } } ',
  ]
  it.each(sound)('%s has no fault', text => {
    expect(() => JSON.parse(text)).not.toThrow()
    expect(findJsonFault(text, limits)).toBeUndefined()
  })

  const twice: readonly (readonly [string, string])[] = [
    ['{"a":1,"a":2}', '/a'],
    ['{"a":1,"\\u0061":2}', '/a'],
    ['{"x":[{"b":1},{"b":1,"c":"}","b":2}]}', '/x/1/b'],
    ['{"a":{"b":1},"a":{"c":1}}', '/a'],
    ['{"a/b~":{"":1,"":2}}', '/a~1b~0/'],
    ['{"__proto__":1,"__proto__":2}', '/__proto__'],
    ['[[[{"k":[1,2,{"z":0,"z":0}]}]]]', '/0/0/0/k/2/z'],
  ]
  it.each(twice)('%s names a member twice', (text, pointer) => {
    expect(findJsonFault(text, limits)).toMatchObject({ kind: 'duplicate', pointer })
  })

  it('is as deep as is allowed, and no deeper', () => {
    const nested = (depth: number) => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`
    expect(findJsonFault(nested(64), limits)).toBeUndefined()
    expect(findJsonFault(nested(66), limits)).toMatchObject({ kind: 'depth' })
    expect(findJsonFault(nested(66), { ...limits, depth: 0 })).toBeUndefined()
    expect(findJsonFault('['.repeat(200_000) + ']'.repeat(200_000), limits)).toMatchObject({ kind: 'depth' })
  })

  it('has objects of as many members as are allowed, and no more', () => {
    const text = (members: number) =>
      JSON.stringify({
        a: [1, Object.fromEntries(Array.from({ length: members }, (_, index) => [`k${index}`, 1]))],
      })
    expect(findJsonFault(text(20_000), { ...limits, members: 20_000 })).toBeUndefined()
    expect(findJsonFault(text(20_001), { ...limits, members: 20_000 })).toMatchObject({
      kind: 'members',
      pointer: '/a/1',
    })
  })

  it('has lists of as many items as are allowed, and no more', () => {
    const text = (items: number) => JSON.stringify({ a: [1, Array.from({ length: items }, () => 1)] })
    expect(findJsonFault(text(500), { ...limits, members: 500 })).toBeUndefined()
    expect(findJsonFault(text(501), { ...limits, members: 500 })).toMatchObject({
      kind: 'items',
      pointer: '/a/1',
    })
  })

  it('has as many values as are allowed, and no more', () => {
    // Each list counts as five, and each comma as one.
    const text = (lists: number) => `[1${',[]'.repeat(lists)}]`
    expect(findJsonFault(text(100), { ...limits, values: 605 })).toBeUndefined()
    expect(findJsonFault(text(100), { ...limits, values: 604 })).toMatchObject({ kind: 'values' })
    expect(findJsonFault(`[${'1,'.repeat(600)}1]`, { ...limits, values: 605 })).toBeUndefined()
    expect(findJsonFault(`[${'1,'.repeat(601)}1]`, { ...limits, values: 605 })).toMatchObject({
      kind: 'values',
    })
  })

  it('is judged right whatever it holds', () => {
    const random = seededRandom(7)
    for (let round = 0; round < 500; round++) {
      const value = randomValue(random, 4)
      const text = JSON.stringify(value, null, round % 3)
      expect(findJsonFault(text, limits), text).toBeUndefined()
      const broken = `{"x":${text},"k":[${text},{"q":${text},"q":1}]}`
      expect(findJsonFault(broken, limits), broken).toMatchObject({ kind: 'duplicate', pointer: '/k/1/q' })
    }
  })
})

function randomValue(random: Random, depth: number): unknown {
  const strings = ['', '"', '\\', '\\"', 'a', 'ä€😀', '{', '}', '[', ']', ':', ',', '\n', '\u0000']
  const string = () => Array.from({ length: random.below(5) }, () => random.pick(strings)).join('')
  const kind = random.below(depth === 0 ? 4 : 6)
  if (kind === 0) return random.below(11) - 5
  if (kind <= 2) return string()
  if (kind === 3) return random.pick([null, true, false, 1.5e300])
  const items = Array.from({ length: random.below(5) }, () => randomValue(random, depth - 1))
  return kind === 4 ? items : Object.fromEntries(items.map(item => [string(), item]))
}
