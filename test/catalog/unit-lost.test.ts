/** A unit test whose database ends, because nobody waits any more or by itself, harms no other. */
import { openCatalog, type ShadowCatalog } from '@svc/server/catalog'
import type { UnitTestResult } from '@svc/server/language'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { WorkerOptions } from '../../server/catalog/worker/messages.ts'
import {
  startProcess,
  startWorkersBy,
  type WorkerProcess,
} from '../../server/catalog/worker/worker-process.ts'
import { engine } from '../support/engine.ts'
import { projectOf } from '../support/spec-project.ts'

/** What happens to the process when it is asked this, once. */
let onCall: { readonly asked: RegExp; readonly signal: 'SIGSTOP' | 'SIGKILL' } | undefined
const signal = { aborted: false }

/** Real ones. One that is held listens to nobody, as in the middle of a native call. */
startWorkersBy(options => watched(options, startProcess(options)))

function watched({ kind }: WorkerOptions, worker: WorkerProcess): WorkerProcess {
  return {
    get pid() {
      return worker.pid
    },
    get isLost() {
      return worker.isLost
    },
    call(method, input, limits) {
      if (kind === 'unit' && onCall?.asked.test(`${method} ${input.join(' ')}`)) {
        process.kill(worker.pid ?? 0, onCall.signal)
        signal.aborted = onCall.signal === 'SIGSTOP'
        onCall = undefined
      }
      return worker.call(method, input, limits)
    },
    interrupt: () => worker.interrupt(),
    kill: () => worker.kill(),
  }
}

let catalog: ShadowCatalog

beforeEach(async () => {
  catalog = await openCatalog(engine)
  signal.aborted = false
})
afterEach(() => catalog.close())

const orders = 'name: orders\ningest: none\ntransform: SELECT 1 AS id, [1] AS list\n'
const reader = (test: string) =>
  `name: a\ningest: none\ntransform: WITH base AS (FROM {{ ref('orders') }}) SELECT id, list FROM base\ntests:\n  - unit: {${test}}\n`

const plain = 'given: {orders: [{id: 1}]}, expect: [{id: 1}]'
/** Its columns are asked for before its rows are. */
const ofCte = `cte: base, ${plain}`
const lists = 'given: {orders: [{list: [1]}]}, expect: [{list: [1]}]'
const noNumber = 'given: {orders: [{id: 1}, {id: x}]}, expect: [{id: 1}]'
const rounded = 'given: {orders: [{id: 1.5}]}, expect: [{id: 1}]'

async function outcome(test: string) {
  const files = [
    ['models/orders.svc', orders],
    ['models/a.svc', reader(test)],
  ] as const
  const analysis = await catalog.analyze(projectOf(new Map(files)), new Map(), { signal })
  return analysis.of('a')?.unitTests?.map(({ status, message }: UnitTestResult) => message ?? status)
}

describe('nobody waits any more, and the process does not listen', () => {
  it.each([
    ['while the tables are made', ofCte, /^run CREATE/, 'pass'],
    ['while the columns are looked up', ofCte, /^describe /, 'pass'],
    ['while the tables are made and the query runs', plain, /^rows /, 'pass'],
    ['while the expected values are read', lists, /^texts VALUES/, 'pass'],
    [
      'while wrong values are looked for',
      noNumber,
      /^texts SELECT CAST/,
      '"x" is no value of column "id", which is INTEGER',
    ],
    [
      'while values are looked at that would be rounded',
      rounded,
      /^texts SELECT CAST/,
      '"1.5" is no value of column "id", which is INTEGER',
    ],
  ])('%s', async (_, test, asked, expected) => {
    onCall = { asked, signal: 'SIGSTOP' }
    expect(await outcome(test)).toBeUndefined()
    expect(onCall).toBeUndefined()
    signal.aborted = false
    expect(await outcome(test)).toEqual([expected])
    expect(await outcome(plain)).toEqual(['pass'])
  })
})

describe('the process ends by itself', () => {
  it('while expected values are read: it is nobody’s fault, and is tried again', async () => {
    onCall = { asked: /^texts VALUES/, signal: 'SIGKILL' }
    expect(await outcome(lists)).toEqual(['pass'])
    expect(onCall).toBeUndefined()
    expect(await outcome(plain)).toEqual(['pass'])
  })
})

describe('many are tested at once', () => {
  const names = ['b', 'c', 'd', 'e', 'f']
  const asset = (name: string) =>
    [
      `models/${name}.svc`,
      reader(plain)
        .replace('name: a', `name: ${name}`)
        .replace('id: 1', `id: ${name.charCodeAt(0)}`)
        .replace('expect: [{id: 1}]', `expect: [{id: ${name.charCodeAt(0)}}]`),
    ] as const
  const messages = async (files: Iterable<readonly [string, string]>) => {
    const project = projectOf(new Map([['models/orders.svc', orders], ...files]))
    const analysis = await catalog.analyze(project, new Map(), { signal })
    const of = (name: string) => analysis.of(name)?.unitTests?.map(({ status, message }) => message ?? status)
    return [...project.byName.keys()].flatMap(name => of(name) ?? [])
  }

  it('a process that ends once is nobody’s fault', async () => {
    // It has started by then.
    expect(await outcome(plain)).toEqual(['pass'])
    onCall = { asked: /AS SELECT CAST.*\n?.*'100'/, signal: 'SIGKILL' }
    expect(await messages(names.map(asset))).toEqual(names.map(() => 'pass'))
    expect(onCall).toBeUndefined()
  })

  it('the one that takes too long is named, and no other', async () => {
    catalog.close()
    catalog = await openCatalog(engine, { limits: { timeMs: 700, memoryBytes: 512_000_000 } })
    const slow = `name: slow\ningest: none\ntransform: SELECT count(*) AS id FROM range(10000000000) AS x, range(1000000) AS y\ntests:\n  - unit: {expect: [{id: 1}]}\n`
    const [first, ...rest] = names.map(asset)
    const all = [...(first ? [first] : []), ['models/slow.svc', slow] as const, ...rest]
    const found = await messages(all)
    expect(found.filter(message => message === 'pass')).toHaveLength(names.length)
    expect(found.filter(message => message !== 'pass')).toEqual([
      expect.stringMatching(/^unit test "unit" fails: it took more than .* and was stopped$/),
    ])
  })
})
