/** Extensions are native code: they are tried in a process of their own, which may end without any harm. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { prepareExtensions } from '../../server/catalog/extensions.ts'
import type { WorkerOptions } from '../../server/catalog/worker/messages.ts'
import {
  startProcess,
  startWorkersBy,
  type WorkerProcess,
} from '../../server/catalog/worker/worker-process.ts'
import { engine } from '../support/engine.ts'

const started: { readonly options: WorkerOptions; readonly worker: WorkerProcess }[] = []

/** Real ones. That of an extension called `deadly` is ended as native code would end it. */
startWorkersBy(options => watched(options, startProcess(options)))

function watched(options: WorkerOptions, worker: WorkerProcess): WorkerProcess {
  started.push({ options, worker })
  const watching: WorkerProcess = {
    get pid() {
      return worker.pid
    },
    get isLost() {
      return worker.isLost
    },
    call(method, input, limits) {
      const answer = worker.call(method, input, limits)
      const [task] = input as [{ readonly extension: { readonly name: string } }]
      if (task.extension.name === 'deadly') process.kill(worker.pid ?? 0, 'SIGKILL')
      return answer
    },
    interrupt: () => worker.interrupt(),
    kill: () => worker.kill(),
  }
  return watching
}

let root = ''

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-extensions-'))
  writeFileSync(join(root, 'text.duckdb_extension'), 'not an extension '.repeat(100))
})
beforeEach(() => void started.splice(0))
afterAll(() => rmSync(root, { recursive: true }))

/** Native libraries of DuckDB in this very process. */
function libraries(): readonly string[] {
  const { sharedObjects } = process.report.getReport() as unknown as { sharedObjects: readonly string[] }
  return sharedObjects.filter(file => /duckdb/i.test(basename(file)))
}

async function messages(...extensions: readonly { readonly name: string; readonly path?: string }[]) {
  const { load, problems } = await prepareExtensions({ engine, root, extensions, mayInstall: false })
  expect(load).toEqual([])
  return problems.map(({ index, message }) => [index, message])
}

it('no native code is loaded into the process that asks', async () => {
  const found = await messages(
    { name: 'json' },
    { name: 'spatail' },
    { name: 'text', path: './text.duckdb_extension' },
  )
  expect(found).toEqual([
    [1, 'DuckDB has no extension called spatail'],
    [2, './text.duckdb_extension is no extension of DuckDB'],
  ])
  expect(libraries()).toEqual([])
  // The question itself is a good one.
  await import('@duckdb/node-api')
  expect(libraries()).not.toEqual([])
})

it('one process tries them all, and is gone afterwards', async () => {
  await messages({ name: 'json' }, { name: 'icu' })
  expect(started).toHaveLength(1)
  await expect(
    started[0]?.worker.call('prepare', [], { timeMs: 1000, memoryBytes: 1_000_000_000 }),
  ).rejects.toThrow('the database is closed')
})

it('one that ends the process is a problem, and the next are tried all the same', async () => {
  const found = await messages({ name: 'json' }, { name: 'deadly' }, { name: 'spatail' })
  expect(found).toEqual([
    [1, 'the extension deadly is not loaded: the process that checks SQL was ended (SIGKILL)'],
    [2, 'DuckDB has no extension called spatail'],
  ])
  expect(started.map(({ options }) => options.kind)).toEqual(['extensions', 'extensions'])
})

it('nobody starts a process where none are named', async () => {
  expect(await messages()).toEqual([])
  expect(started).toEqual([])
})
