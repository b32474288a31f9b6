/** The nearest of thousands of names: the right one is found, and the cost of many look-ups grows with their number alone. */
import { nearestNames } from '@svc/server/language'
import { describe, expect, it } from 'vitest'
import { fewNames, newNameIndex } from '../../../server/language/text/name-index.ts'

const words = [
  'customer',
  'order',
  'revenue',
  'shipping',
  'country',
  'delay',
  'origin',
  'net',
  'gross',
  'tax',
]

/** `order_net_17`, `a_0`, … */
function namesOf(count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const [a, b] = [words[index % words.length], words[Math.floor(index / words.length) % words.length]]
    return `${a}_${b}_${index.toString(36)}`
  })
}

function slipsOf(name: string): string[] {
  return Array.from(name).flatMap((_, at) => [
    name.slice(0, at) + name.slice(at + 1),
    `${name.slice(0, at)}q${name.slice(at)}`,
    `${name.slice(0, at)}q${name.slice(at + 1)}`,
    name.slice(0, at) + (name[at + 1] ?? '') + name[at] + name.slice(at + 2),
  ])
}

describe('an index of names', () => {
  it.each([fewNames, 2000, 10_000])('of %i finds what comparing with each of them finds', size => {
    const names = [...namesOf(size - 3), 'abcd', 'ID', 'created_at_utc']
    const index = newNameIndex(names)
    const wanted = [
      ...slipsOf(names[size >> 1] ?? ''),
      'a_b_c_d',
      'id',
      'iD',
      'ids',
      'created',
      'at_utc',
      'createdatutc',
    ]
    for (const name of wanted) {
      const [best, found] = [nearestNames(name, names, 1), index.nearest(name, 1)]
      expect(found, name).toEqual(best)
    }
    expect(index.nearest('zzzzzzzz')).toEqual([])
    expect(index.nearest('')).toEqual([])
  })

  it('finds short names among thousands, and two slips in a long one', () => {
    const names = namesOf(10_000)
    const index = newNameIndex([...names, 'ab', 'customer_lifetime_value'])
    expect(index.nearest('ax')[0]).toBe('ab')
    expect(index.nearest('custmer_lifetme_value')[0]).toBe('customer_lifetime_value')
  })

  it('answers the same, whatever was asked before', () => {
    const names = namesOf(3000)
    const wrong = names.map(name => `x${name.slice(1)}`)
    const [index, other] = [newNameIndex(names), newNameIndex(names)]
    const found = wrong.map(name => index.nearest(name))
    expect(
      wrong
        .toReversed()
        .map(name => other.nearest(name))
        .toReversed(),
    ).toEqual(found)
  })

  it.each([
    ['alike', (count: number) => Array.from({ length: count }, (_, index) => `Term number ${index}`)],
    ['of words', namesOf],
  ])('%s takes the number of names, not its square, where all are misspelt', (_, namesFor) => {
    const cpu = (count: number) => {
      const names = namesFor(count)
      const wrong = names.map(name => `${name.slice(0, 3)}x${name.slice(4)}`)
      const before = process.cpuUsage()
      const index = newNameIndex(names)
      for (const name of wrong) index.nearest(name)
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1000
    }
    cpu(1000)
    expect(cpu(8000)).toBeLessThan(4 * 6 * Math.max(20, cpu(2000) / 4))
  })
})
