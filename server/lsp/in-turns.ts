/** Does long work in turns, between which everything else is answered: also the question whether the server still answers. */
import { setImmediate } from 'node:timers/promises'
import type { CancellationToken } from 'vscode-languageserver'
import type { Steps } from '../language/steps.ts'
import { cancelled } from './context.ts'

/** How long others wait for a turn to end, in milliseconds. */
const turnMs = 30

/** Rejects as soon as nobody wants the answer any more. */
export async function inTurns<T>(
  steps: Steps<T>,
  token: CancellationToken,
  nowMs: () => number = () => performance.now(),
): Promise<T> {
  for (;;) {
    const endsMs = nowMs() + turnMs
    do {
      const step = steps.next()
      if (step.done === true) return step.value
    } while (nowMs() < endsMs)
    await setImmediate()
    if (token.isCancellationRequested) throw cancelled()
  }
}
