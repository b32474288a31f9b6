/** What each part of the conformance suite works on: a fresh warehouse a test, its sessions and child processes. */
import { afterEach, beforeEach } from 'vitest'
import { openWarehouse } from '../../../../cli/engine/warehouse/open.ts'
import type { Warehouse, WarehouseSession } from '../../../../cli/engine/warehouse/warehouse.ts'
import { type Child, startChild } from '../child-process.ts'

/** A warehouse of its own for one test. */
export interface TestWarehouse {
  readonly url: string
  readonly root: string
  /** Part of `url` that must never be shown. */
  readonly secret?: string
  remove(): Promise<void>
}

/** Valid inside a test only. */
export interface Ground {
  readonly place: TestWarehouse
  readonly warehouse: Warehouse
  /** A session to write, closed after the test. */
  write(): Promise<WarehouseSession>
  /** Another process on the same warehouse, killed after the test. */
  child(action: string, ...rest: string[]): Child
}

export const oddNames = [
  'select',
  'Two Words',
  'qu"ote',
  "apo'strophe",
  'émoji 🦆',
  'semi;colon',
  '--',
  'a.b',
  '%s $1 ?',
]

/** Takes a second or more on any engine, and no file or extension. */
export const slowSql =
  'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000000) SELECT max(i) AS m FROM n'

/** To be called in a `describe`. */
export function layGround(makeUrl: () => Promise<TestWarehouse>): Ground {
  let current: { readonly place: TestWarehouse; readonly warehouse: Warehouse } | undefined
  const sessions: WarehouseSession[] = []
  const children: Child[] = []

  beforeEach(async () => {
    const place = await makeUrl()
    current = { place, warehouse: await openWarehouse(place.url, { root: place.root }) }
  })

  afterEach(async () => {
    for (const session of sessions.splice(0)) await session.close()
    for (const child of children.splice(0)) await child.kill()
    await current?.place.remove()
    current = undefined
  })

  function now() {
    if (current === undefined) throw new Error('there is ground only inside a test')
    return current
  }

  return {
    get place() {
      return now().place
    },
    get warehouse() {
      return now().warehouse
    },
    async write() {
      const session = await now().warehouse.open('write')
      sessions.push(session)
      return session
    },
    child(action, ...rest) {
      const { url, root } = now().place
      const child = startChild([action, url, root, ...rest])
      children.push(child)
      return child
    },
  }
}
