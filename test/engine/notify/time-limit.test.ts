/** A limit that only `AbortSignal.any` knows holds, also when the garbage collector comes by. */
import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { timeLimit } from '../../../cli/engine/notify/time-limit.ts'

it('ends what waits for it', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  const outer = AbortSignal.any([new AbortController().signal, timeLimit(60_000)])
  const inner = AbortSignal.any([outer, timeLimit(50)])
  const ended = once(inner, 'abort')
  // What nobody holds is taken in a later turn.
  await new Promise(resolve => setImmediate(resolve))
  collectGarbage()
  await ended
  expect(inner.aborted).toBe(true)
})
