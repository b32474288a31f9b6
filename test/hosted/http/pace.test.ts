import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { beginShort, nextTurn } from '../../../hosted-api/http/pace.ts'

/** Counts the slices of long work until it is stopped. */
function longWork(): { slices(): number; stop(): Promise<void> } {
  let slices = 0
  let isStopped = false
  const work = (async () => {
    while (!isStopped) {
      await nextTurn()
      slices++
    }
  })()
  return {
    slices: () => slices,
    async stop() {
      isStopped = true
      await work
    },
  }
}

async function rounds(count: number): Promise<void> {
  for (let round = 0; round < count; round++) await new Promise(resolve => setImmediate(resolve))
}

describe('long work', () => {
  it('has one slice in a round of the event loop while nobody else is there', async () => {
    const work = longWork()
    await rounds(50)
    expect(work.slices()).toBeGreaterThan(20)
    await work.stop()
  })

  it('lets the rounds of a short request pass, and goes on as soon as it has ended', async () => {
    const work = longWork()
    await rounds(5)
    const end = beginShort()
    await rounds(2)
    const before = work.slices()
    await rounds(50)
    // A round takes microseconds; a slice comes every ten milliseconds at most.
    expect(work.slices() - before).toBeLessThan(25)
    end()
    const after = work.slices()
    await rounds(20)
    expect(work.slices() - after).toBeGreaterThan(5)
    await work.stop()
  })

  it('goes on, however many short requests there are', async () => {
    const work = longWork()
    const ends = Array.from({ length: 20 }, () => beginShort())
    const before = work.slices()
    while (work.slices() < before + 3) await wait(5)
    for (const end of ends) end()
    await work.stop()
  })
})
