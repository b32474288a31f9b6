/** Reads the files that a run writes. A missing, broken or very large file is ignored. */
import { promises } from 'node:fs'
import { join } from 'node:path'

/** Larger files would take too long to read. */
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

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
