/** Long work lets everything else in between, and ends when nobody wants it any more. */
import { expect, it } from 'vitest'
import { CancellationTokenSource } from 'vscode-languageserver'
import type { Steps } from '../../server/language/steps.ts'
import { inTurns } from '../../server/lsp/in-turns.ts'

/** A step takes so long that three of them are more than a turn. */
function work(steps: number) {
  let done = 0
  function* each(): Steps<string> {
    for (; done < steps; done++) yield
    return 'all'
  }
  return { steps: each(), nowMs: () => done * 11, done: () => done }
}

it('is done in turns, between which others have theirs', async () => {
  const { steps, nowMs, done } = work(30)
  const others: number[] = []
  const look = (): void => {
    others.push(done())
    if (done() < 30) setImmediate(look)
  }
  setImmediate(look)
  expect(await inTurns(steps, new CancellationTokenSource().token, nowMs)).toBe('all')
  expect(new Set(others).size).toBeGreaterThan(5)
})

it('ends between two turns when it is cancelled', async () => {
  const { steps, nowMs, done } = work(1_000_000)
  const source = new CancellationTokenSource()
  setImmediate(() => source.cancel())
  await expect(inTurns(steps, source.token, nowMs)).rejects.toThrow('cancelled')
  expect(done()).toBeLessThan(100)
})
