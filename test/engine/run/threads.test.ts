/** `--threads`: how many sources are fetched and relations built at the same time. */
import { describe, expect, test } from 'vitest'
import { planRetry } from '../../../cli/engine/run/retry.ts'
import { runProject } from '../../../cli/engine/run/run-project.ts'
import type { WarehouseSession } from '../../../cli/engine/warehouse/warehouse.ts'
import type { Workspace } from '../../../cli/engine/workspace/workspace.ts'
import { failing, projectMaker, type TestProject } from './test-project.ts'

const project = projectMaker()

const sources = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, n) => [
      `s${n}`,
      `ingest: {type: rows, rows: [{id: ${n}}]}\ntransform: SELECT id FROM {{ source }}`,
    ]),
  )

/** The most sources that were being fetched at a time. */
function fetchedAtOnce({ events }: TestProject): number {
  let open = 0
  let most = 0
  for (const { type } of events) {
    if (type === 'fetch-started') open += 1
    if (type === 'fetch-finished') open -= 1
    most = Math.max(most, open)
  }
  return most
}

describe('threads', () => {
  test.each([1, 2, 6])('%i: so many sources are fetched at a time', async threads => {
    const p = project(sources(8))
    expect((await p.run({ threads })).status).toBe('deployed')
    expect(fetchedAtOnce(p)).toBe(threads)
  })

  test.each([
    [1, 1],
    [2, 2],
    [50, 2],
  ])('%i: %i builds at a time, as far as the warehouse can', async (threads, expected) => {
    const p = project(Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`a${n}`, `SELECT ${n} AS n`])))
    const workspace = await p.workspace()
    let most = 0
    const counted = counting(workspace, running => {
      most = Math.max(most, running)
    })
    const request = { kind: 'run', selector: undefined, noIngest: false, allTests: false, threads } as const
    expect((await runProject(counted, request, () => {})).status).toBe('deployed')
    await workspace.close()
    expect(most).toBe(expected)
  })

  test('are remembered for a retry', async () => {
    const p = project({ bad: `SELECT ${failing} AS n` })
    expect((await p.run({ threads: 3 })).status).toBe('Failed')
    const workspace = await p.workspace()
    expect(await planRetry(workspace)).toMatchObject({ request: { threads: 3 } })
    await workspace.close()
  })
})

/** A warehouse that can do two builds at a time, each alone, and tells how many are being made. */
function counting(workspace: Workspace, tell: (running: number) => void): Workspace {
  let running = 0
  const countedSession = (session: WarehouseSession): WarehouseSession => ({
    ...session,
    capabilities: { ...session.capabilities, parallelBuilds: 2, sharedCommits: false },
    async build(task, options) {
      expect(options.more).toBeUndefined()
      running += 1
      tell(running)
      try {
        await session.build(task, options)
      } finally {
        running -= 1
      }
    },
  })
  return {
    ...workspace,
    warehouse: async () => {
      const warehouse = await workspace.warehouse()
      const open = async (...given: Parameters<typeof warehouse.open>) => {
        const session = await warehouse.open(...given)
        return session === undefined ? undefined : countedSession(session)
      }
      return { ...warehouse, open: open as typeof warehouse.open }
    },
  }
}
