/** Every file of `test/engine` runs on both warehouses, or says why it does not. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { alwaysOnBoth, onBoth, onOne } from '../support/both-warehouses.ts'

const root = join(import.meta.dirname, '..', '..')
const files = readdirSync(join(root, 'test', 'engine'), { recursive: true, encoding: 'utf8' })
  .filter(path => path.endsWith('.test.ts'))
  .map(path => join('test', 'engine', path).replaceAll('\\', '/'))

it('each file of tests of the engine is in one of the two lists, and no other is', () => {
  expect([...onBoth, ...onOne.keys()].sort()).toEqual([...files].sort())
})

it('what always runs on both is among what does when it is asked for', () => {
  expect(alwaysOnBoth.filter(path => !onBoth.includes(path))).toEqual([])
})
