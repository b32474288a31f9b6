/** What other processes do to any adapter: die, hold locks, race for leases. */
import { hostname } from 'node:os'
import { describe, expect, it } from 'vitest'
import type { LeaseHolder } from '../../../../cli/engine/warehouse/warehouse.ts'
import { times } from '../../../support/long.ts'
import { greenOf, greensSeen, liveGeneration, makeGreens } from '../generations.ts'
import type { Ground } from './ground.ts'

export function describeProcesses(ground: Ground): void {
  describe('killed processes', () => {
    it('leave production all old or all new, whenever they die', { timeout: 180_000 }, async () => {
      const first = await ground.write()
      await makeGreens(first)
      await first.close()
      let last = 0
      for (let kill = 0; kill < times(5, 24); kill++) {
        const flipping = ground.child('flip')
        expect(await flipping.line()).toMatch(/^flipped /)
        await new Promise(resolve => setTimeout(resolve, (kill * 7) % 50))
        await flipping.kill()
        const told = Number(flipping.lines.at(-1)?.slice('flipped '.length))
        const session = await ground.write()
        await session.promotion.recover('prod', () => {})
        const generation = await liveGeneration(session)
        expect(generation).toBeGreaterThanOrEqual(told)
        expect(generation).toBeLessThanOrEqual(told + 1)
        expect(generation).toBeGreaterThan(last)
        expect(await greensSeen(session)).toEqual([greenOf(generation)])
        const history = await session.state.runs()
        expect(history).toHaveLength(generation)
        expect(Math.max(...history.map(run => run.generation ?? 0))).toBe(generation)
        await session.close()
        last = generation
      }
    })

    it('leave every build with its record, and no record without its build', {
      timeout: 180_000,
    }, async () => {
      const first = await ground.write()
      await makeGreens(first)
      await first.close()
      for (let kill = 0; kill < times(3, 8); kill++) {
        const building = ground.child('build')
        expect(await building.line()).toMatch(/^built /)
        await new Promise(resolve => setTimeout(resolve, kill * 13))
        await building.kill()
        const told = building.lines.map(line => line.slice('built '.length))
        const session = await ground.write()
        const recorded = [...(await session.state.builds()).keys()]
        const present: string[] = []
        for (const schema of await session.schemas('svc_g_b')) {
          for (const { name } of await session.relations(schema)) present.push(`${schema}.${name}`)
        }
        expect(recorded.filter(key => !present.includes(key))).toEqual([])
        if (ground.warehouse.capabilities.transactionalDdl) expect(recorded.sort()).toEqual(present.sort())
        expect(told.filter(id => !recorded.includes(id))).toEqual([])
        await session.close()
      }
    })
  })

  describe('a process killed between a relation and its record', () => {
    it('leaves no record, and nothing that stands in the way', async () => {
      const first = await ground.write()
      await first.state.initialise()
      await first.close()
      const dying = ground.child('build-and-die')
      expect(await dying.line()).toBe('built whole')
      expect(await dying.ended).toBeNull()
      const session = await ground.write()
      const recorded = [...(await session.state.builds()).values()].map(({ relation }) => relation.name)
      expect(recorded).toEqual(['whole'])
      const present = (await session.relations('svc_g_dying')).map(({ name }) => name)
      const together = ground.warehouse.capabilities.transactionalDdl
      expect(present).toEqual(together ? ['whole'] : ['half', 'whole'])
      // What has no record is nobody's: it can be dropped, and what has one stays.
      await session.dropRelations([{ relation: { schema: 'svc_g_dying', name: 'half' }, kind: 'table' }])
      expect(await session.query('SELECT n FROM svc_g_dying.whole')).toEqual([{ n: 1 }])
    })
  })

  describe('locks of other processes', () => {
    it('are waited for', async () => {
      await (await ground.write()).close()
      const holding = ground.child('hold', 'write')
      expect(await holding.line()).toBe('holding')
      const told: string[] = []
      const opening = ground.warehouse.open('write', {
        onWait: holder => {
          told.push(holder)
          holding.say('go')
        },
      })
      const session = await opening
      expect(await session.query('SELECT 1 AS n')).toEqual([{ n: 1 }])
      await session.close()
      expect(told.length).toBeLessThanOrEqual(1)
      expect(told.every(who => who.includes(String(holding.pid)))).toBe(true)
    })

    it('are free when a session is closed', async () => {
      const session = await ground.write()
      await Promise.all([
        session.query('SELECT 1'),
        session.execute(['CREATE TABLE main.t AS SELECT 1 AS n']),
      ])
      await session.close()
      const holding = ground.child('hold', 'write')
      expect(await holding.line()).toBe('holding')
      holding.say('go')
      expect(await holding.line()).toBe('closed')
    })
  })

  describe('leases', () => {
    const holder = (runId: string): LeaseHolder => ({
      runId,
      command: 'run',
      user: 'ada',
      host: hostname(),
      pid: process.pid,
      since: '2026-01-02T03:04:05.000Z',
    })

    it('are held by one at a time, per environment', async () => {
      const lease = await ground.warehouse.acquireLease('prod', holder('r1'))
      expect(lease.tookOverFrom).toBeUndefined()
      expect(await ground.warehouse.leaseHolder('prod')).toEqual(holder('r1'))
      expect(await ground.warehouse.leaseHolder('dev/ä')).toBeUndefined()
      const second = ground.warehouse.acquireLease('prod', holder('r2'))
      await expect(second).rejects.toMatchObject({
        code: 'lease-held',
        message: expect.stringContaining('r1'),
      })
      const dev = await ground.warehouse.acquireLease('dev/ä', holder('r3'))
      await lease.assertHeld()
      await lease.release()
      await lease.release()
      await expect(lease.assertHeld()).rejects.toMatchObject({ code: 'lease-lost' })
      expect(await ground.warehouse.leaseHolder('prod')).toBeUndefined()
      await (await ground.warehouse.acquireLease('prod', holder('r4'))).release()
      await dev.release()
    })

    it('of a killed process are taken over', async () => {
      const dying = ground.child('lease', 'dead-run')
      await dying.line()
      dying.say('go')
      expect(await dying.line()).toBe('won -')
      expect(await ground.warehouse.leaseHolder('prod')).toMatchObject({ runId: 'dead-run', pid: dying.pid })
      await expect(ground.warehouse.acquireLease('prod', holder('r1'))).rejects.toMatchObject({
        code: 'lease-held',
      })
      await dying.kill()
      expect(await ground.warehouse.leaseHolder('prod')).toBeUndefined()
      const lease = await ground.warehouse.acquireLease('prod', holder('r2'))
      expect(lease.tookOverFrom).toMatchObject({ runId: 'dead-run', pid: dying.pid })
      await lease.release()
    })

    it('go back when a process ends by itself', async () => {
      const ending = ground.child('lease', 'r1')
      await ending.line()
      ending.say('go')
      await ending.line()
      ending.say('go')
      expect(await ending.line()).toBe('released')
      ending.end()
      await ending.ended
      expect((await ground.warehouse.acquireLease('prod', holder('r2'))).tookOverFrom).toBeUndefined()
    })

    it.each(['free', 'left by a dead process'])('are won by exactly one of many when %s', async state => {
      const racers = Array.from({ length: 6 }, (_, n) => ground.child('lease', `r${n}`))
      await Promise.all(racers.map(racer => racer.line()))
      for (let round = 0; round < 3; round++) {
        if (state !== 'free') {
          const dying = ground.child('lease', 'dead-run')
          await dying.line()
          dying.say('go')
          await dying.line()
          await dying.kill()
        }
        for (const racer of racers) racer.say('go')
        const ends = await Promise.all(racers.map(racer => racer.line()))
        expect(ends.filter(end => end.startsWith('won'))).toEqual([
          state === 'free' ? 'won -' : 'won dead-run',
        ])
        expect(ends.filter(end => end.startsWith('lost lease-held'))).toHaveLength(5)
        const winner = racers[ends.findIndex(end => end.startsWith('won'))]
        winner?.say('go')
        expect(await winner?.line()).toBe('released')
      }
    })
  })
}
