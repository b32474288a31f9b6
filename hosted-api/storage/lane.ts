/**
 * Places for work that takes a connection. The owners take turns, and one of them has a part of the places at most: what it
 * has put in may wait for its own locks, and others must not wait with it.
 */
import { FairQueue } from './fair-queue.ts'

export interface LaneSize {
  readonly places: number
  /** Places of one owner; 0, the service itself, may have all. */
  readonly ofOne: number
}

export class Lane {
  readonly #size: LaneSize
  readonly #waiting = new FairQueue<() => void>()
  readonly #running = new Map<number, number>()
  #taken = 0

  constructor(size: LaneSize) {
    this.#size = size
  }

  /** Runs `work` when the owner has a place. */
  async run<T>(owner: number, work: () => Promise<T>): Promise<T> {
    await new Promise<void>(begin => {
      this.#waiting.add(owner, begin)
      this.#fill()
    })
    try {
      return await work()
    } finally {
      this.#give(owner)
      this.#fill()
    }
  }

  #fill(): void {
    while (this.#taken < this.#size.places) {
      let next = 0
      const [begin] = this.#waiting.take(1, owner => {
        next = owner
        return owner === 0 || this.#placesOf(owner) < this.#size.ofOne
      })
      if (begin === undefined) return
      this.#taken++
      this.#running.set(next, this.#placesOf(next) + 1)
      begin()
    }
  }

  #give(owner: number): void {
    this.#taken--
    const left = this.#placesOf(owner) - 1
    if (left === 0) this.#running.delete(owner)
    else this.#running.set(owner, left)
  }

  #placesOf(owner: number): number {
    return this.#running.get(owner) ?? 0
  }
}
