import { describe, expect, test } from 'vitest'
import { executeSteps, type Schedule } from '../../../cli/engine/run/schedule.ts'

interface Step {
  readonly id: string
  readonly after: readonly string[]
}

/** `a`, `b < a c`: a step and what it waits for. */
function stepsOf(...lines: readonly string[]): Step[] {
  return lines.map(line => {
    const [id = '', after = ''] = line.split(' < ')
    return { id, after: after === '' ? [] : after.split(' ') }
  })
}

const later = () => new Promise<void>(resolve => setTimeout(resolve, 1))

/** Executes each step for a moment and notes when it begins and ends. */
function noting(log: string[], more: Partial<Schedule<Step>> = {}): Schedule<Step> {
  return {
    threads: 2,
    async execute(step, queue) {
      log.push(`+${step.id}`)
      await later()
      log.push(`-${step.id}`)
      queue.done(step)
    },
    ...more,
  }
}

describe('steps', () => {
  test('begin when what they wait for is done, and unknown names count as done', async () => {
    const log: string[] = []
    await executeSteps(stepsOf('c < a b', 'a < elsewhere', 'b < a', 'd'), noting(log))
    expect(log.filter(line => line.startsWith('-')).sort()).toEqual(['-a', '-b', '-c', '-d'])
    for (const [before, after] of ['ab', 'ac', 'bc']) {
      expect(log.indexOf(`-${before}`)).toBeLessThan(log.indexOf(`+${after}`))
    }
  })

  test.each([1, 2, 3, 8])('%i at the same time, and no more', async threads => {
    let running = 0
    let most = 0
    await executeSteps(stepsOf('a', 'b', 'c', 'd', 'e', 'f < a b c d e', 'g < f', 'h < f'), {
      threads,
      async execute(step, { done }) {
        running += 1
        most = Math.max(most, running)
        await later()
        running -= 1
        done(step)
      },
    })
    expect(most).toBe(Math.min(threads, 5))
  })

  test('of a failed one do not begin, the others do', async () => {
    const log: string[] = []
    await executeSteps(stepsOf('bad', 'good', 'under < bad', 'beside < good', 'both < bad good'), {
      threads: 2,
      async execute(step, { done }) {
        log.push(step.id)
        if (step.id !== 'bad') done(step)
      },
    })
    expect(log.sort()).toEqual(['bad', 'beside', 'good'])
  })

  test('can be taken together, also those that have just become ready', async () => {
    const batches: string[][] = []
    await executeSteps(stepsOf('a', 'b', 'c < a', 'd < c'), {
      threads: 1,
      async execute(first, { take, done }) {
        const batch: string[] = []
        for (let step: Step | undefined = first; step !== undefined; step = take()) {
          batch.push(step.id)
          done(step)
        }
        batches.push(batch)
      },
    })
    expect(batches).toEqual([['a', 'b', 'c', 'd']])
  })

  test('that break the scheduler stop it, once those that run have ended', async () => {
    const log: string[] = []
    const broken = executeSteps(
      stepsOf('a', 'b', 'c', 'd < b'),
      noting(log, {
        async execute(step, { done }) {
          log.push(`+${step.id}`)
          if (step.id === 'a') throw new Error('a bug')
          await later()
          log.push(`-${step.id}`)
          done(step)
        },
      }),
    )
    await expect(broken).rejects.toThrow('a bug')
    expect(log).toEqual(['+a', '+b', '-b'])
  })

  test('of an aborted run do not begin', async () => {
    const controller = new AbortController()
    const log: string[] = []
    await executeSteps(stepsOf('a', 'b', 'c < a'), {
      threads: 1,
      signal: controller.signal,
      async execute(step, { done }) {
        log.push(step.id)
        controller.abort()
        done(step)
      },
    })
    expect(log).toEqual(['a'])
  })

  test('are ten thousand in a chain and side by side', async () => {
    const count = 10_000
    const chain = Array.from({ length: count }, (_, n) => ({
      id: `c${n}`,
      after: n === 0 ? [] : [`c${n - 1}`],
    }))
    const wide = Array.from({ length: count }, (_, n) => ({ id: `w${n}`, after: ['c0'] }))
    const ended: string[] = []
    await executeSteps([...chain, ...wide], {
      threads: 3,
      async execute(step, { done }) {
        ended.push(step.id)
        done(step)
      },
    })
    expect(new Set(ended).size).toBe(2 * count)
  })
})
