import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { leaseOfProcess, readLeaseHolder, takeLease } from '../../../cli/engine/warehouse/lease/lease-file.ts'
import {
  isSameProcess,
  processStart,
  programOf,
} from '../../../cli/engine/warehouse/lease/process-identity.ts'
import type { LeaseHolder } from '../../../cli/engine/warehouse/warehouse.ts'

const noProcess = 2 ** 30

describe('a lease file', () => {
  let folder: string
  let path: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-lease-'))
    path = join(folder, 'w.duckdb.prod.lease')
  })

  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const holder = (parts: Partial<LeaseHolder> = {}): LeaseHolder => ({
    runId: 'r1',
    command: 'run',
    user: 'ada',
    host: hostname(),
    pid: process.pid,
    since: '2026-01-02T03:04:05.000Z',
    ...parts,
  })

  function left(record: unknown, ageSeconds: number): void {
    writeFileSync(path, typeof record === 'string' ? record : JSON.stringify(record))
    const at = new Date(Date.now() - ageSeconds * 1000)
    utimesSync(path, at, at)
  }

  const host = 'another-host'
  const start = processStart(process.pid)
  it.each([
    ['of a process that is gone', { holder: holder({ pid: noProcess }), token: 't' }, 0, false],
    [
      'of a process whose number has another now',
      { holder: holder(), token: 't', processStart: '1' },
      0,
      start === undefined,
    ],
    ['of a process that is alive', { holder: holder(), token: 't', processStart: start }, 3600, true],
    ['of a process that is alive, start unknown', { holder: holder(), token: 't' }, 3600, true],
    ['of another host that beats', { holder: holder({ host, pid: noProcess }), token: 't' }, 20, true],
    ['of another host that is slow', { holder: holder({ host }), token: 't' }, 200, true],
    ['of another host that is silent', { holder: holder({ host }), token: 't' }, 400, false],
    ['cut off just now', '{"holder": {"run', 5, true],
    ['cut off long ago', '{"holder": {"run', 90, false],
    ['of no known shape', '{"token": 1}', 90, false],
    ['empty', '', 90, false],
  ])('%s is respected or taken over', async (_, record, ageSeconds, isHeld) => {
    left(record, ageSeconds)
    expect((await readLeaseHolder(path, hostname())) !== undefined).toBe(isHeld)
    const taking = takeLease(path, 'prod', holder({ runId: 'r2' }))
    if (isHeld) {
      await expect(taking).rejects.toMatchObject({ code: 'lease-held', hint: expect.any(String) })
      return
    }
    const lease = await taking
    expect(lease.tookOverFrom).toBeDefined()
    expect((await readLeaseHolder(path, hostname()))?.runId).toBe('r2')
    await lease.release()
    expect(readdirSync(folder)).toEqual([])
  })

  it('says who holds it', async () => {
    left({ holder: holder({ runId: 'r9' }), token: 't', processStart: start }, 0)
    await expect(takeLease(path, 'prod', holder())).rejects.toThrow(
      `prod is being changed by svc run (run r9 of ada on ${hostname()}, process ${process.pid}, since 2026-01-02T03:04:05.000Z)`,
    )
  })

  it('that nobody can read is named, with what to do', async () => {
    left('not a lease', 0)
    await expect(takeLease(path, 'prod', holder())).rejects.toMatchObject({
      code: 'lease-held',
      message: `prod may be being changed: ${path} is a lease that svc cannot read`,
      hint: expect.stringContaining('Delete the file if no run is under way.'),
    })
  })

  it('is found by the number of its process', async () => {
    const lease = await takeLease(path, 'prod', holder({ runId: 'r7' }))
    expect((await leaseOfProcess(join(folder, 'w.duckdb.'), process.pid))?.runId).toBe('r7')
    expect(await leaseOfProcess(join(folder, 'w.duckdb.'), noProcess)).toBeUndefined()
    expect(await leaseOfProcess(join(folder, 'other.duckdb.'), process.pid)).toBeUndefined()
    await lease.release()
  })

  it('is left alone by a holder that lost it', async () => {
    const lost = await takeLease(path, 'prod', holder())
    rmSync(path)
    const mine = await takeLease(path, 'prod', holder({ runId: 'r2' }))
    await lost.release()
    expect((await readLeaseHolder(path, hostname()))?.runId).toBe('r2')
    await mine.release()
  })

  it('clears away what dead processes left beside it', async () => {
    const old = new Date(Date.now() - 90_000)
    for (const name of [
      'w.duckdb.prod.lease.aaaa.tmp',
      'w.duckdb.prod.lease.bbbb',
      'w.duckdb.dev.lease',
      'mine.txt',
    ]) {
      writeFileSync(join(folder, name), 'x')
      utimesSync(join(folder, name), old, old)
    }
    writeFileSync(join(folder, 'w.duckdb.prod.lease.cccc.tmp'), 'of somebody at work')
    await (await takeLease(path, 'prod', holder())).release()
    expect(readdirSync(folder).sort()).toEqual([
      'mine.txt',
      'w.duckdb.dev.lease',
      'w.duckdb.prod.lease.cccc.tmp',
    ])
  })
})

describe('processes', () => {
  it('are the same while they live', () => {
    expect(isSameProcess(process.pid, processStart(process.pid))).toBe(true)
    expect(isSameProcess(process.pid, undefined)).toBe(true)
    expect(isSameProcess(noProcess, undefined)).toBe(false)
  })

  it('are named without their arguments', () => {
    const name = programOf(process.pid)
    if (processStart(process.pid) === undefined) expect(name).toBeUndefined()
    else expect(name).toMatch(/^node[^/]*$/)
    expect(programOf(noProcess)).toBeUndefined()
  })
})
