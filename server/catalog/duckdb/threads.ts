/** How many threads the databases of this process may work with. */

let most = Number.POSITIVE_INFINITY

/** For tests: a thread that waits for another one asks without pause, which costs a small statement a sixth of its time. */
export function limitThreads(count: number): void {
  most = count
}

export function databaseThreads(wanted: number): number {
  return Math.min(wanted, most)
}
