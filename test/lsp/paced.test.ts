/** A look at the whole disk that a client without file watching orders at each open and save. */
import { expect, it } from 'vitest'
import { paced } from '../../server/lsp/paced.ts'

it('hundreds of orders in a second take a small part of it, and the last of them is answered', () => {
  let now = 0
  let looked = 0
  const timers: { readonly at: number; readonly next: () => void }[] = []
  const order = paced(
    () => {
      looked += 1
      now += 20
    },
    () => now,
    (next, ms) => timers.push({ at: now + ms, next }),
  )
  order()
  expect(looked).toBe(1)
  for (let index = 0; index < 500; index++) order()
  expect([looked, timers.length]).toEqual([1, 1])
  now = timers[0]?.at ?? 0
  timers[0]?.next()
  expect([looked, now]).toEqual([2, 440])
  now += 400
  order()
  expect(looked).toBe(3)
})
