/** A sample of what test/long/alone/dimensions.test.ts measures: projects with much of one thing do what they are asked for. */
import { expect, test } from 'vitest'
import { cpuMs, dimensions } from '../support/growth/index.ts'
import { sample } from '../support/long.ts'

test('there are at least 55 dimensions, each with a name of its own', () => {
  expect(new Set(dimensions.map(({ name }) => name)).size).toBe(dimensions.length)
  expect(dimensions.length).toBeGreaterThanOrEqual(55)
})

test.each(sample(dimensions, 9).map(dimension => [dimension.name, dimension] as const))(
  'much of: %s',
  async (_name, dimension) => {
    expect(await cpuMs(dimension, Math.ceil(dimension.most / 32))).toBeGreaterThan(0)
  },
)
