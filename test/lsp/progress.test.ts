/** A sign of long work, as an editor gets it: over a real connection, by a clock that the test moves. */
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Connection, createConnection } from 'vscode-languageserver/node'
import {
  createProtocolConnection,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node'
import { progressOf } from '../../server/lsp/progress.ts'

const shows = { window: { workDoneProgress: true } }
let server: Connection
let client: ProtocolConnection
let told: { kind: string; title?: string; message?: string; percentage?: number }[]
let created: number
let nowMs: number
const now = () => new Date(nowMs)

beforeEach(async () => {
  const toServer = new PassThrough()
  const toClient = new PassThrough()
  server = createConnection(new StreamMessageReader(toServer), new StreamMessageWriter(toClient))
  client = createProtocolConnection(new StreamMessageReader(toClient), new StreamMessageWriter(toServer))
  told = []
  created = 0
  nowMs = 0
  client.onRequest('window/workDoneProgress/create', () => {
    created += 1
    return null
  })
  client.onNotification('$/progress', ({ value }) => {
    told.push(value)
  })
  server.onRequest('test/flush', () => true)
  server.onInitialize(() => ({ capabilities: {} }))
  server.listen()
  client.listen()
  await client.sendRequest('initialize', { processId: null, rootUri: null, capabilities: shows })
})
afterEach(() => {
  client.dispose()
  server.dispose()
})

/** What was sent before has come when an answer to this has; twice, for the answer to `create`. */
async function arrived(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await client.sendRequest('test/flush')
}

it('begins after a while, goes on, and ends', async () => {
  const progress = progressOf(server, shows, now)('Reading shop')
  progress.report('10 of 100 files', 10)
  nowMs = 400
  progress.report('40 of 100 files', 40)
  await arrived()
  nowMs = 600
  progress.report('80 of 100 files', 80)
  await arrived()
  progress.end()
  await arrived()
  expect(created).toBe(1)
  expect(told.map(({ kind }) => kind)).toEqual(['begin', 'report', 'report', 'end'])
  expect(told[0]).toMatchObject({ title: 'Reading shop' })
  expect(told[2]).toMatchObject({ message: '80 of 100 files', percentage: 80 })
})

it('is not shown for work that is over soon, and not more often than anybody can read', async () => {
  const progress = progressOf(server, shows, now)
  const short = progress('Short')
  nowMs = 299
  short.report('half', 50)
  short.end()
  await arrived()
  expect(created).toBe(0)
  nowMs = 0
  const long = progress('Long')
  for (nowMs = 300; nowMs < 500; nowMs++) long.report(String(nowMs))
  await arrived()
  expect(told.filter(({ kind }) => kind === 'report').map(({ message }) => message)).toEqual(['300', '400'])
})

it('ends for work that is over before the editor has made room for it', async () => {
  const progress = progressOf(server, shows, now)('Reading shop')
  nowMs = 400
  progress.report('40 of 100 files', 40)
  progress.end()
  await arrived()
  expect(told.map(({ kind }) => kind)).toEqual(['begin', 'end'])
})

it('is kept from an editor that cannot show it', async () => {
  const progress = progressOf(server, {}, now)('Reading shop')
  nowMs = 400
  progress.report('40 of 100 files', 40)
  progress.end()
  await arrived()
  expect([created, told]).toEqual([0, []])
})

it('is not missed where the editor refuses it', async () => {
  client.onRequest('window/workDoneProgress/create', () => {
    throw new Error('no room')
  })
  const progress = progressOf(server, shows, now)('Reading shop')
  nowMs = 400
  progress.report('40 of 100 files', 40)
  await arrived()
  progress.end()
  await arrived()
  expect(told).toEqual([])
})
