/** Reads the files that a run leaves behind. One that is missing, broken or far too large says nothing. */
import { promises } from 'node:fs'
import { join } from 'node:path'

/** Larger ones take too long to read for what they tell. */
const largestBytes = 100_000_000

export async function readJson(root: string, file: string): Promise<unknown> {
  const path = join(root, file)
  try {
    if ((await promises.stat(path)).size > largestBytes) return undefined
    return JSON.parse(await promises.readFile(path, 'utf8'))
  } catch {
    return undefined
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
