/** A sample of the long suite `state`: after an act, and after the runs behind it, all answers say the same of every fact. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { acts } from '../support/facts/acts.ts'
import { tryAct, ways } from '../support/facts/case.ts'
import { compare, factsOf } from '../support/facts/facts.ts'
import { type Ground, settledGround } from '../support/facts/ground.ts'
import { type FactStore, startFactStore } from '../support/facts/store.ts'

let store: FactStore
let settled: Ground
const [way] = ways

beforeAll(async () => {
  store = await startFactStore()
  settled = await settledGround(way?.order ?? [])
}, 60_000)
afterAll(async () => {
  await settled.dispose()
  await store.stop()
})

const chosen = ['another machine rolls back', 'a test is renamed', 'the folder of the environment is removed']

test.each(chosen)('%s', { timeout: 60_000 }, async name => {
  const act = acts.find(each => each.name === name)
  if (act === undefined || way === undefined) throw new Error(`there is no act "${name}"`)
  const { compared, differences, silent } = await tryAct(act, way, settled, store)
  expect([...silent, ...differences]).toEqual([])
  expect(compared).toBeGreaterThan(500)
})

test('a fact of which two answers say something else is a difference, one that a single answer gives is none', () => {
  const told = (value: string) => new Map([['rows of orders', value]])
  const facts = factsOf(
    new Map([
      ['status', told('1')],
      ['page', told('2')],
      ['pack', new Map([['run a', 'run deployed']])],
    ]),
  )
  expect(compare(facts)).toEqual({ compared: 2, differences: ['rows of orders: status: 1 | page: 2'] })
})
