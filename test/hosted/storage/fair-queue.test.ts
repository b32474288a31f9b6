import { expect, it } from 'vitest'
import { FairQueue } from '../../../hosted-api/storage/fair-queue.ts'

it('takes one thing of each owner after the other, and those of one owner in their order', () => {
  const queue = new FairQueue<string>()
  for (const thing of ['a1', 'a2', 'a3', 'a4']) queue.add(1, thing)
  queue.add(2, 'b1')
  queue.add(3, 'c1')
  expect(queue.take(4)).toEqual(['a1', 'b1', 'c1', 'a2'])
  queue.add(2, 'b2')
  expect(queue.size).toBe(3)
  expect(queue.take(10)).toEqual(['a3', 'b2', 'a4'])
  expect([queue.size, queue.take(1)]).toEqual([0, []])
})

it('puts back what was taken as the next, and knows whether others wait', () => {
  const queue = new FairQueue<string>()
  queue.add(1, 'a1')
  queue.add(1, 'a2')
  queue.add(2, 'b1')
  const [first = ''] = queue.take(1)
  queue.addFirst(1, first)
  expect([queue.size, queue.hasOther(1), queue.take(3)]).toEqual([3, true, ['a1', 'b1', 'a2']])
  queue.add(1, 'a3')
  expect([queue.hasOther(1), queue.hasOther(2)]).toEqual([false, true])
})

it('passes over owners who may not go, and they keep their turn', () => {
  const queue = new FairQueue<string>()
  for (const thing of ['a1', 'a2']) queue.add(1, thing)
  queue.add(2, 'b1')
  expect(queue.take(5, owner => owner !== 1)).toEqual(['b1'])
  queue.add(2, 'b2')
  expect(queue.take(5)).toEqual(['a1', 'b2', 'a2'])
})
