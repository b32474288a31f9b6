/** How many sentences of the pages promise something, and how many of them a test holds; test/contract/held.test.ts looks at each. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { allPromises } from '../contract/held/pages.ts'
import { promiseFigure } from '../contract/held/promises.ts'
import { figure } from '../support/figure.ts'

it('each promise of the pages is tied to a test', () => {
  const promises = allPromises(join(import.meta.dirname, '..', '..'))
  figure('promises', promiseFigure(promises))
  expect(promises.filter(({ tests }) => tests.length === 0).map(({ key }) => key)).toEqual([])
})
