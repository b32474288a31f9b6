/** Lets requests wait until the work on a version of the documents is done. */

interface Waiter {
  readonly version: number
  readonly resolve: () => void
}

export class Waiters {
  #done = -1
  #waiting: Waiter[] = []

  /** Resolves as soon as `version`, or a later one, is done. */
  for(version: number): Promise<void> {
    if (version <= this.#done) return Promise.resolve()
    return new Promise(resolve => this.#waiting.push({ version, resolve }))
  }

  done(version: number): void {
    if (version <= this.#done) return
    this.#done = version
    const ready = this.#waiting.filter(waiter => waiter.version <= version)
    this.#waiting = this.#waiting.filter(waiter => waiter.version > version)
    for (const { resolve } of ready) resolve()
  }
}
