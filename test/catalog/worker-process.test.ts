/** The process in which SQL runs: it ends with its parent, and keeps nobody from ending. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { buildSync } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { frameOf, frameReader } from '../../server/catalog/worker/frames.ts'
import { startProcess, startWorker, startWorkersBy } from '../../server/catalog/worker/worker-process.ts'
import { engine } from '../support/engine.ts'

startWorkersBy(startProcess)

const limits = { timeMs: 60_000, memoryBytes: 1_000_000_000 }
const options = { engine: engine.kind, kind: 'binder', memoryBytes: limits.memoryBytes, load: [] } as const
const repository = resolve(import.meta.dirname, '../..')
const slow = 'SELECT count(*) FROM range(100000000000) x'
let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-worker-'))
  // It is found beside the bundle, as in the product.
  buildSync({
    entryPoints: [join(repository, 'test/catalog/worker-parent.ts')],
    outfile: join(repository, 'cli/dist/worker-parent.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    define: { 'import.meta.dirname': '__dirname' },
  })
})
afterAll(() => {
  rmSync(folder, { recursive: true })
  rmSync(join(repository, 'cli/dist/worker-parent.cjs'), { force: true })
})

function isAlive(pid: number | undefined): boolean {
  if (pid === undefined) return false
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function goes(pid: number | undefined): Promise<boolean> {
  for (let tries = 0; tries < 500 && isAlive(pid); tries++) await wait(20)
  return !isAlive(pid)
}

/** A process that starts one, says which, and then does as it is told. */
function parent(what: string) {
  const child = spawn(process.execPath, [join(repository, 'cli/dist/worker-parent.cjs'), what, slow], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<number | null>(resolve => child.on('close', resolve))
  const line = new Promise<number>(resolve =>
    createInterface(child.stdout).once('line', text => resolve(Number(text))),
  )
  return { child, ended, workerPid: line }
}

describe('the process', () => {
  it('ends when its parent is killed, also in the middle of a query', async () => {
    for (const what of ['busy', 'waiting']) {
      const { child, workerPid, ended } = parent(what)
      const pid = await workerPid
      expect(isAlive(pid)).toBe(true)
      child.kill('SIGKILL')
      await ended
      expect(await goes(pid)).toBe(true)
    }
  })

  it('does not keep its parent from ending', async () => {
    const { workerPid, ended } = parent('idle')
    const pid = await workerPid
    expect(await ended).toBe(0)
    expect(await goes(pid)).toBe(true)
  })

  it('outlives Ctrl-C, which its parent answers', async () => {
    const worker = startWorker(options)
    await worker.call('rows', ['SELECT 1'], limits)
    process.kill(worker.pid ?? 0, 'SIGINT')
    process.kill(worker.pid ?? 0, 'SIGTERM')
    expect(await worker.call('rows', ['SELECT 2'], limits)).toEqual([[2]])
    worker.kill()
    expect(await goes(worker.pid)).toBe(true)
  })

  it('fails all that waits when somebody ends it', async () => {
    const worker = startWorker(options)
    await worker.call('rows', ['SELECT 1'], limits)
    const waiting = [worker.call('rows', [slow], limits), worker.call('trees', [['SELECT 1'], false], limits)]
    const settled = Promise.allSettled(waiting)
    process.kill(worker.pid ?? 0, 'SIGKILL')
    const [first] = await settled
    expect(first).toMatchObject({ status: 'rejected', reason: { reason: 'ended' } })
    await expect(worker.call('rows', ['SELECT 1'], limits)).rejects.toMatchObject({ reason: 'ended' })
  })

  it('does not start for an engine that has no such database, and says so', async () => {
    const worker = startWorker({ ...options, engine: 'paper' })
    const asked = worker.call('rows', ['SELECT 1'], limits)
    await expect(asked).rejects.toThrow('the engine "paper" has no database of the kind "binder"')
    expect(worker.isLost).toBe(true)
  })

  it('says which limit was passed', async () => {
    const asked = async (sql: string, given: typeof limits) => {
      const worker = startWorker(options)
      await worker.call('rows', ['SELECT 1'], limits)
      return await worker.call('rows', [sql], given).catch((error: unknown) => error)
    }
    expect(await asked(slow, { ...limits, timeMs: 200 })).toMatchObject({ reason: 'time' })
    const large = "SELECT length(repeat('x' || range, 500000000)) FROM range(3)"
    expect(await asked(large, { ...limits, memoryBytes: 100_000_000 })).toMatchObject({ reason: 'memory' })
  })
})

it('values come through a pipe in any pieces', () => {
  const values = ['é😀', { a: [1n, undefined, null] }, 'x'.repeat(100_000), '']
  const bytes = Buffer.concat(values.map(frameOf))
  for (const size of [1, 3, 4, 5, 4096, 65_536, bytes.length]) {
    const found: unknown[] = []
    const read = frameReader(value => found.push(value))
    for (let start = 0; start < bytes.length; start += size) read(bytes.subarray(start, start + size))
    expect(found).toEqual(values)
  }
})
