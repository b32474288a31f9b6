import { expect, it } from 'vitest'
import { Lane } from '../../../hosted-api/storage/lane.ts'

/** Work that ends when it is told to, and notes when it begins. */
function createWork(lane: Lane) {
  const begun: string[] = []
  const ends = new Map<string, (error?: Error) => void>()
  const start = (owner: number, name: string) =>
    lane.run(owner, () => {
      begun.push(name)
      return new Promise<string>((resolve, reject) =>
        ends.set(name, error => (error === undefined ? resolve(name) : reject(error))),
      )
    })
  return { begun, start, end: (name: string, error?: Error) => ends.get(name)?.(error) }
}

const settled = () => new Promise(resolve => setImmediate(resolve))

it('gives one owner a part of the places, and the others take turns for the rest', async () => {
  const { begun, start, end } = createWork(new Lane({ places: 3, ofOne: 2 }))
  const all = ['a1', 'a2', 'a3', 'a4'].map(name => start(1, name))
  await settled()
  expect(begun).toEqual(['a1', 'a2'])
  all.push(start(2, 'b1'), start(2, 'b2'), start(3, 'c1'))
  await settled()
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  // One who has his places already keeps his turn.
  for (const name of ['b1', 'a1', 'a2', 'b2', 'c1', 'a3', 'a4']) {
    end(name)
    await settled()
  }
  expect(begun).toEqual(['a1', 'a2', 'b1', 'b2', 'a3', 'c1', 'a4'])
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'])
})

it('gives the service itself all places, and one back whose work has failed', async () => {
  const { begun, start, end } = createWork(new Lane({ places: 2, ofOne: 1 }))
  const failing = start(0, 'first')
  const others = [start(0, 'second'), start(5, 'third')]
  await settled()
  expect(begun).toEqual(['first', 'second'])
  end('first', new Error('it failed'))
  await expect(failing).rejects.toThrow('it failed')
  await settled()
  expect(begun).toEqual(['first', 'second', 'third'])
  for (const name of ['second', 'third']) end(name)
  expect(await Promise.all(others)).toEqual(['second', 'third'])
})
