/** Loads that keep what earlier ones brought, from files of a web server, a bucket and an SFTP server. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { runProject } from '../../../cli/engine/run/run-project.ts'
import { showsSource } from '../../support/features/shows.ts'
import { s3Key, startS3Server } from '../../support/s3-server.ts'
import { canStartSshd, startSftpServer } from '../../support/sftp-server.ts'
import { outcomes, projectMaker, type TestProject } from './test-project.ts'

const project = projectMaker()

interface Place {
  /** The keys of `ingest` that say where the files are. */
  readonly keys: string
  readonly credentials: string
  /** Whether a pattern finds several files. */
  readonly lists: boolean
  put(name: string, text: string): void
  /** The names of the files that were sent since the last time that this was asked. */
  sent?(): readonly string[]
  close(): unknown
}

async function webServer(): Promise<Place> {
  const files = new Map<string, string>()
  const server = createServer(({ url = '' }, response) => response.end(files.get(url.replace('/data/', ''))))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    keys: `endpoint: "http://127.0.0.1:${(server.address() as AddressInfo).port}/data"`,
    ...{ credentials: '', lists: false },
    put: (name, text) => files.set(name, text),
    close: () => server.close(),
  }
}

async function bucket(): Promise<Place> {
  const server = await startS3Server()
  return {
    keys: `endpoint: "s3://shop/in", s3: {endpoint: "${server.origin}", region: eu-central-1}`,
    ...{ credentials: `${s3Key.id}:${s3Key.secret}`, lists: true },
    put: (name, text) => server.put('shop', `in/${name}`, text),
    sent: () => server.asked.splice(0).flatMap(line => /^GET \/shop\/in\/(\S+)$/.exec(line)?.slice(1) ?? []),
    close: () => server.close(),
  }
}

async function sftpServer(): Promise<Place> {
  const server = await startSftpServer()
  const folder = join(server.files, 'in')
  mkdirSync(folder)
  return {
    keys: `endpoint: "sftp://${server.user}@127.0.0.1:${server.port}${folder}", sftp: {host_key: "${server.hostKey}"}`,
    ...{ credentials: server.key, lists: true },
    put: (name, text) => writeFileSync(join(folder, name), text),
    close: () => server.stop(),
  }
}

const asset = (place: Place, resource: string, how: string) =>
  `ingest: {type: file, ${place.keys}, credentials: env:KEY, resource: "${resource}", ${how}}\ntransform: SELECT * FROM {{ source }}`

function projectOf(place: Place, files: Readonly<Record<string, string>>): TestProject {
  const p = project(files)
  // A signed request of a clock that is wrong is refused.
  p.clock = new Date()
  p.env = { KEY: place.credentials || 'none' }
  return p
}

const rowsOf = async (p: TestProject, name: string, more = '') =>
  (await p.query(`SELECT id, v ${more} FROM analytics.${name} ORDER BY 1, 2`)).map(row =>
    Object.values(row).join(' '),
  )

const lines = (...records: readonly [id: number, day: number, v: string][]) =>
  records.map(([id, day, v]) => `${JSON.stringify({ id, changed: `2026-01-0${day}`, v })}\n`).join('')

describe.each([
  ['a web server', webServer, true],
  ['a bucket', bucket, true],
  ['an SFTP server', sftpServer, canStartSshd()],
] as const)('files of %s', (_name, open, canOpen) => {
  let place: Place
  beforeAll(async () => {
    if (canOpen) place = await open()
  })
  afterAll(() => place?.close())

  test.runIf(canOpen)('are added, merged and kept with their history', async () => {
    showsSource(['https', 's3', 'sftp'], ['append', 'merge', 'scd2'])
    const p = projectOf(place, {
      added: asset(place, 'orders.ndjson', 'write: append, incremental: {cursor: changed}'),
      merged: asset(place, 'orders.ndjson', 'write: merge, primary_key: id, incremental: {cursor: changed}'),
      kept: asset(place, 'orders.ndjson', 'write: scd2, primary_key: id'),
    })
    place.put('orders.ndjson', lines([1, 1, 'a'], [2, 2, 'b']))
    expect((await p.run()).failure).toBeUndefined()
    place.put('orders.ndjson', lines([2, 3, 'x'], [3, 3, 'c'], [4, 1, 'late']))
    expect((await p.run()).failure).toBeUndefined()
    expect(await rowsOf(p, 'added')).toEqual(['1 a', '2 b', '2 x', '3 c'])
    expect(await rowsOf(p, 'merged')).toEqual(['1 a', '2 x', '3 c'])
    const hasEnded = ', _svc_valid_to IS NOT NULL'
    expect(await rowsOf(p, 'kept', hasEnded)).toEqual([
      ...['1 a true', '2 b true', '2 x false'],
      ...['3 c false', '4 late false'],
    ])
    expect(outcomes(await p.run())).toEqual(['added unchanged', 'kept unchanged', 'merged unchanged'])
  })

  test.runIf(canOpen)('that had come before a run was interrupted are not fetched again', async () => {
    if (!place.lists) return
    showsSource(['s3', 'sftp'], ['resume'])
    const p = projectOf(place, { parts: asset(place, 'part*.csv', 'limits: {concurrency: 1}') })
    place.put('part1.csv', 'id,v\n1,a\n')
    place.put('part2.csv', `id,v\n${`2,${'x'.repeat(1000)}\n`.repeat(1000)}`)
    const controller = new AbortController()
    const workspace = await p.workspace('prod', controller.signal)
    const request = { kind: 'run', selector: undefined, noIngest: false, allTests: false } as const
    // Progress is told ten times a second: here each look at the clock finds a second gone by.
    let seconds = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => 1000 * seconds++)
    const run = runProject(workspace, request, event => {
      if (event.type === 'fetch-progress' && event.bytes > 1000) controller.abort()
    })
    await expect(run).rejects.toThrow(/was stopped/)
    clock.mockRestore()
    await workspace.close()
    place.sent?.()
    expect((await p.run()).failure).toBeUndefined()
    if (place.sent !== undefined) expect(place.sent()).toEqual(['part2.csv'])
    const notes = p.events.flatMap(event => (event.type === 'fetch-progress' ? (event.note ?? []) : []))
    expect(notes).toContain('going on: 1 of 2 files is kept')
    expect(await p.query('SELECT count(*)::INTEGER AS n FROM analytics.parts')).toEqual([{ n: 1001 }])
  })

  test.runIf(canOpen)('are loaded once each', async () => {
    showsSource(['https', 's3', 'sftp'], ['only_new'])
    const resource = place.lists ? 'day*.csv' : 'day1.csv'
    const p = projectOf(place, {
      orders: asset(place, resource, 'only_new: true, write: merge, primary_key: id'),
    })
    place.put('day1.csv', 'id,v\n1,a\n2,b\n')
    expect((await p.run()).failure).toBeUndefined()
    expect(outcomes(await p.run())).toEqual(['orders unchanged'])
    if (place.lists) {
      place.sent?.()
      place.put('day2.csv', 'id,v\n2,x\n3,c\n')
      expect((await p.run()).failure).toBeUndefined()
      if (place.sent !== undefined) expect(place.sent()).toEqual(['day2.csv'])
      expect(await rowsOf(p, 'orders')).toEqual(['1 a', '2 x', '3 c'])
    }
    place.put('day1.csv', 'id,v\n1,changed\n')
    expect((await p.run()).failure).toBeUndefined()
    expect(await rowsOf(p, 'orders')).toContain('1 changed')
    const warned = p.events.flatMap(event => (event.type === 'warning' ? [event.message] : []))
    expect(warned).toEqual(['1 file has changed since the last load: day1.csv'])
  })
})
