import { expect, it } from 'vitest'
import { pathPattern } from '../../../server/language/source/path-pattern.ts'

it.each([
  ['US DVD Sales', ['US DVD Sales'], true],
  ['us_dvd_sales', ['US DVD Sales'], true],
  ['us_*', ['US DVD Sales'], true],
  ['orderID', ['orderID'], true],
  ['order_id', ['orderID'], true],
  ['customer__city', ['Customer', 'City'], true],
  ['customer__city', ['Customer', 'Country'], false],
  ['customer.city', ['Customer', 'City', 'Name'], true],
  ['US_DVD_SALES', ['US DVD Sales'], false],
  ['city', ['Customer', 'City'], false],
])('%s covers %j: %s', (pattern, path, expected) => {
  expect(pathPattern(pattern).covers(path)).toBe(expected)
})

it('names of the source alone are matched where columns have them', () => {
  expect(pathPattern('a', 'source').covers(['A'])).toBe(false)
  expect(pathPattern('A', 'source').covers(['A'])).toBe(true)
})

it('a column of an object reaches into the object', () => {
  expect(pathPattern('customer__city').reachesInto(['Customer'])).toBe(true)
  expect(pathPattern('customer__city').reachesInto(['Shop'])).toBe(false)
})
