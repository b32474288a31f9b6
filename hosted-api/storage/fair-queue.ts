/**
 * A queue in which the owners take turns: who puts a thousand things into it does not make others wait for all of them.
 * Those of one owner keep their order.
 */
export class FairQueue<T> {
  /** In the order of turns; an owner without things is not in it. */
  #lines = new Map<number, T[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  add(owner: number, thing: T): void {
    const line = this.#lines.get(owner)
    if (line === undefined) this.#lines.set(owner, [thing])
    else line.push(thing)
    this.#size++
  }

  /** Puts back what was taken: it is the next again. */
  addFirst(owner: number, thing: T): void {
    const line = [thing, ...(this.#lines.get(owner) ?? [])]
    this.#lines.delete(owner)
    this.#lines = new Map([[owner, line], ...this.#lines])
    this.#size++
  }

  /** Whether somebody else than the owner has something in it. */
  hasOther(owner: number): boolean {
    return this.#lines.size > (this.#lines.has(owner) ? 1 : 0)
  }

  /**
   * Removes up to `most` things: the first of each owner, then the second of each, and so on.
   * @param mayGo owners for whom it is false keep their turn
   */
  take(most: number, mayGo: (owner: number) => boolean = () => true): readonly T[] {
    const taken: T[] = []
    while (taken.length < most) {
      const next = [...this.#lines].find(([owner]) => mayGo(owner))
      if (next === undefined) break
      const [owner, line] = next
      const thing = line.shift() as T
      taken.push(thing)
      this.#size--
      // The next turn of this owner comes after those of all others.
      this.#lines.delete(owner)
      if (line.length > 0) this.#lines.set(owner, line)
    }
    return taken
  }
}
