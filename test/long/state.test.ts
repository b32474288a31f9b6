/**
 * Acts between runs, each with dev first, with prod first and from a second branch, and a part of them on PostgreSQL: no row is
 * lost or doubled without a word, and after each act and each run all answers say the same.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { acts } from '../support/facts/acts.ts'
import { type Found, tryAct, ways } from '../support/facts/case.ts'
import { type Ground, settledGround } from '../support/facts/ground.ts'
import { type FactStore, startFactStore } from '../support/facts/store.ts'
import { figure } from '../support/figure.ts'
import { canStartPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'

const found: Found[] = []
let store: FactStore

beforeAll(async () => {
  store = await startFactStore()
})

afterAll(async () => {
  await store.stop()
  const sum = (of: (each: Found) => number) => found.reduce((all, each) => all + of(each), 0)
  figure(
    'state',
    `${acts.length} acts, ${found.length} cases, ${sum(each => each.compared)} facts compared, ${sum(each => each.differences.length)} differences, ${sum(each => each.silent.length)} rows lost or doubled in silence`,
  )
})

function note(one: Found): void {
  found.push(one)
  expect([...one.silent, ...one.differences]).toEqual([])
}

const minutes = { timeout: 240_000 }

describe.each(ways)('$name', way => {
  let settled: Ground
  beforeAll(async () => {
    settled = await settledGround(way.order)
  }, 240_000)
  afterAll(() => settled.dispose())

  test.each(acts)('$name', minutes, async act => note(await tryAct(act, way, settled, store)))
})

/** Every fourth act: what the store of state keeps is the same text on both engines. */
const onServer = acts.filter(({ onFile }, place) => onFile === undefined && place % 4 === 1)

describe.skipIf(!canStartPostgres())('on PostgreSQL', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  }, 60_000)
  afterAll(() => server.stop())

  test.each(onServer)('$name', minutes, async act => {
    const [, way] = ways
    if (way === undefined) throw new Error('there is no way with prod first')
    const settled = await settledGround(way.order, await server.createDatabase())
    try {
      note(await tryAct(act, way, settled, store))
    } finally {
      await settled.dispose()
    }
  })
})
