/**
 * Finds the code of the worker process: beside the bundle that contains this module, or in the build output
 * of a checkout.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const name = 'sql-worker.cjs'

export function workerFile(): string {
  const places = [
    join(import.meta.dirname, name),
    join(import.meta.dirname, '..', '..', '..', 'cli', 'dist', name),
  ]
  const [first = name] = places
  return places.find(place => existsSync(place)) ?? first
}
