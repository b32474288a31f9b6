/** The process in which SQL is checked is ended by the system: no SQL is blamed, and checking goes on. */
import { setTimeout as wait } from 'node:timers/promises'
import { openCatalog, type ShadowCatalog } from '@svc/server/catalog'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  startProcess,
  startWorkersBy,
  type WorkerProcess,
} from '../../server/catalog/worker/worker-process.ts'
import { engine } from '../support/engine.ts'
import { sample } from '../support/long.ts'
import { projectOf } from '../support/spec-project.ts'

/** The numbers of the calls, from now on, at which the process is killed. */
let deaths: Set<number>
let called = 0
let last: WorkerProcess | undefined

startWorkersBy(options => mortal(startProcess(options)))

function mortal(worker: WorkerProcess): WorkerProcess {
  last = worker
  return {
    get pid() {
      return worker.pid
    },
    get isLost() {
      return worker.isLost
    },
    call(method, input, limits, onTime) {
      called += 1
      const answer = worker.call(method, input, limits, onTime)
      if (deaths.has(called)) process.kill(worker.pid ?? 0, 'SIGKILL')
      return answer
    },
    interrupt: () => worker.interrupt(),
    kill: () => worker.kill(),
  }
}

let catalog: ShadowCatalog

beforeEach(async () => {
  deaths = new Set()
  called = 0
  catalog = await openCatalog(engine, { batchSize: 2, remembersColumns: true })
})
afterEach(() => catalog.close())

/** Rows of assets that read each other, of which one and a test have a wrong column if `column` is one. */
async function problems(column: string): Promise<string[]> {
  const files = new Map<string, string>()
  for (let n = 0; n < 6; n++) {
    const low = n === 3 ? column : 'id'
    const test = n === 0 ? `tests:\n  - expression: x < 100\n  - expression: ${column} > 0\n` : ''
    // Each has another text than the last time.
    const top = `SELECT ${n} AS id, ${called} AS n`
    files.set(`models/top${n}.svc`, `name: top${n}\ningest: none\ntransform: ${top}\n`)
    const sql = `SELECT ${low} AS x, id, n FROM {{ ref('top${n}') }}`
    files.set(`models/low${n}.svc`, `name: low${n}\ningest: none\ntransform: ${sql}\n${test}`)
  }
  const project = projectOf(files)
  const analysis = await catalog.analyze(project, new Map())
  return [...project.byName.keys()].flatMap(name =>
    (analysis.of(name)?.diagnostics ?? []).map(({ message }) => `${name}: ${message}`),
  )
}

const wrong = [expect.stringMatching(/^low0: .*nope/), expect.stringMatching(/^low3: .*nope/)]
const calls = sample(
  Array.from({ length: 14 }, (_, index) => index + 1),
  5,
)

describe('the process is killed', () => {
  it.each(calls)('at call %i', async first => {
    deaths = new Set([first])
    expect(await problems('id')).toEqual([])
    expect((await problems('nope')).sort()).toEqual(wrong)
  })

  it.each(calls)('at call %i and soon again', async first => {
    deaths = new Set([first, first + 1, first + 3])
    expect((await problems('nope')).sort()).toEqual(wrong)
    expect(await problems('id')).toEqual([])
  })

  it('again and again: what is not checked says so, and is checked with the next change', async () => {
    deaths = new Set(Array.from({ length: 500 }, (_, index) => index + 1))
    const found = await problems('id')
    expect(found.length).toBeGreaterThan(0)
    for (const each of found) expect(each).toMatch(/: this SQL is not checked: the system ended the process/)
    deaths = new Set()
    expect((await problems('nope')).sort()).toEqual(wrong)
    expect(await problems('id')).toEqual([])
  })

  it('while it waits', async () => {
    expect(await problems('id')).toEqual([])
    process.kill(last?.pid ?? 0, 'SIGKILL')
    await wait(100)
    expect((await problems('nope')).sort()).toEqual(wrong)
  })
})
