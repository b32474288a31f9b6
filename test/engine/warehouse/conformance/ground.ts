/** What each part of the conformance suite works on: a fresh warehouse a test, its sessions and child processes. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import type { Warehouse, WarehouseSession } from '../../../../cli/engine/warehouse/warehouse.ts'
import { type Child, startChild } from '../child-process.ts'
import type { EngineUnderTest } from '../engines.ts'

/** Valid inside a test only. */
export interface Ground {
  readonly engine: EngineUnderTest
  /** Of the project "shop". */
  readonly warehouse: Warehouse
  /** The path of a file of this test. */
  path(name: string): string
  /** A session to write, closed after the test. */
  write(project?: string): Promise<WarehouseSession>
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

/** To be called in a `describe`. */
export function layGround(engine: EngineUnderTest): Ground {
  let current: { readonly root: string; readonly url: string; readonly warehouse: Warehouse } | undefined
  const sessions: WarehouseSession[] = []
  const children: Child[] = []

  beforeEach(async () => {
    const root = mkdtempSync(join(tmpdir(), `svc-${engine.name}-`))
    const url = (await engine.freshUrl?.()) ?? engine.url
    current = { root, url, warehouse: await engine.open(url, root, 'shop') }
  })

  afterEach(async () => {
    for (const session of sessions.splice(0)) await session.close()
    for (const child of children.splice(0)) await child.kill()
    rmSync(now().root, { recursive: true, force: true })
    current = undefined
  })

  function now() {
    if (current === undefined) throw new Error('there is ground only inside a test')
    return current
  }

  return {
    engine,
    path: name => join(now().root, name),
    get warehouse() {
      return now().warehouse
    },
    async write(project = 'shop') {
      const session = await now().warehouse.ofProject(project).open('write')
      sessions.push(session)
      return session
    },
    child(action, ...rest) {
      const child = startChild([action, engine.name, now().url, now().root, ...rest])
      children.push(child)
      return child
    },
  }
}
