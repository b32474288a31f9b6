/** A language server that does not answer is found out, and one that is slow, idle or asleep is left alone. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createWatchdog } from '../../extension/watchdog.ts'

describe('a server', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** Answers after so many milliseconds; never, if there are none. */
  function watched(answerMs: number | undefined) {
    const seen = { asked: 0, silent: 0 }
    const dog = createWatchdog({
      ask: () => {
        seen.asked += 1
        return new Promise(resolve => {
          if (answerMs !== undefined) setTimeout(resolve, answerMs)
        })
      },
      onSilence: () => {
        seen.silent += 1
      },
    })
    return { dog, seen }
  }

  it('that does not answer for ten seconds is told, once', async () => {
    const { dog, seen } = watched(undefined)
    dog.noteWork()
    await vi.advanceTimersByTimeAsync(9_500)
    dog.noteWork()
    expect(seen.silent).toBe(0)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(seen).toEqual({ asked: 1, silent: 1 })
    dog.noteWork()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(seen).toEqual({ asked: 2, silent: 2 })
  })

  it('that answers late is left alone', async () => {
    const { dog, seen } = watched(9_000)
    for (let second = 0; second < 120; second++) {
      dog.noteWork()
      await vi.advanceTimersByTimeAsync(1_000)
    }
    expect(seen.silent).toBe(0)
    expect(seen.asked).toBeGreaterThan(5)
  })

  it('that nobody asks for anything is not asked either', async () => {
    const { dog, seen } = watched(10)
    await vi.advanceTimersByTimeAsync(600_000)
    expect(seen.asked).toBe(0)
    dog.noteWork()
    await vi.advanceTimersByTimeAsync(120_000)
    const { asked } = seen
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(seen.asked).toBe(asked)
  })

  it('whose machine has slept gets its ten seconds', async () => {
    let answer: (value: unknown) => void = () => undefined
    let silent = 0
    const dog = createWatchdog({
      ask: () =>
        new Promise(resolve => {
          answer = resolve
        }),
      onSilence: () => {
        silent += 1
      },
    })
    dog.noteWork()
    await vi.advanceTimersByTimeAsync(500)
    vi.setSystemTime(Date.now() + 8 * 3_600_000)
    await vi.advanceTimersByTimeAsync(2_000)
    answer(true)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(silent).toBe(0)
  })

  it('that is stopped or started again owes no answer', async () => {
    const { dog, seen } = watched(undefined)
    dog.noteWork()
    dog.stop()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(seen).toEqual({ asked: 1, silent: 0 })
  })
})
