/** Reads a file that may not be there. */
import { readFileSync, statSync } from 'node:fs'
import { FileFailure } from './file-failure.ts'

/** No file of a project that people write is larger. */
const largestBytes = 256 << 20

/**
 * Returns the text of a file; undefined if there is none. Throws FileFailure, also for what has no end, such
 * as a link to a device.
 */
export function readIfExists(path: string): string | undefined {
  const stat = statOf(path)
  if (stat === undefined) return undefined
  if (!stat.isFile()) throw new FileFailure(`cannot read ${path}: it is no file`, 'Put a file there.')
  if (stat.size > largestBytes)
    throw new FileFailure(`cannot read ${path}: it has more than 256 MB`, 'Is it the right file?')
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new FileFailure(`cannot read ${path}`, 'Are you allowed to read it?', cause)
  }
}

function statOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
