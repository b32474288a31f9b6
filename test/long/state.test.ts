/**
 * Sixty acts between runs, each with dev first, with prod first and from a second branch: no row is lost or doubled without a
 * word, and after each act and each run all answers say the same.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { figure } from '../support/figure.ts'
import { acts } from '../support/facts/acts.ts'
import { type Found, tryAct, ways } from '../support/facts/case.ts'
import { type Ground, settledGround } from '../support/facts/ground.ts'
import { type FactStore, startFactStore } from '../support/facts/store.ts'

const only = process.env['SVC_ACT']
const found: Found[] = []
const settled = new Map<string, Ground>()
let store: FactStore

beforeAll(async () => {
  store = await startFactStore()
  for (const { name, order } of ways) settled.set(name, await settledGround(order))
}, 120_000)

afterAll(async () => {
  for (const ground of settled.values()) await ground.dispose()
  await store.stop()
  const sum = (of: (each: Found) => number) => found.reduce((all, each) => all + of(each), 0)
  figure(
    'state',
    `${acts.length} acts, ${found.length} cases, ${sum(each => each.compared)} facts compared, ${sum(each => each.differences.length)} differences, ${sum(each => each.silent.length)} rows lost or doubled in silence`,
  )
})

const chosen = acts.filter(({ name }) => only === undefined || name.includes(only))
for (const way of ways)
  test.each(chosen.map(act => [act.name, act] as const))(`${way.name}: %s`, { timeout: 120_000 }, async (_name, act) => {
    const ground = settled.get(way.name)
    if (ground === undefined) throw new Error(`there is no shop for ${way.name}`)
    const one = await tryAct(act, way, ground, store)
    found.push(one)
    expect([...one.silent, ...one.differences]).toEqual([])
  })
