/** Where the code of the process lies: beside the bundle that this is part of, or where a checkout builds it. */
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
