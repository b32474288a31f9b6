/** Appends the events of a run to a file, one a line, in one piece. */
import { appendFile, mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { RunLineage } from './events.ts'

/** Returns a sentence if they could not be written. */
export async function writeFile(
  root: string,
  path: string,
  { whole: [began, ended], parts }: RunLineage,
): Promise<string | undefined> {
  const file = resolve(root, path)
  const events = [began, ...parts.flat(), ended]
  try {
    await mkdir(dirname(file), { recursive: true })
    await appendFile(file, events.map(event => `${JSON.stringify(event)}\n`).join(''))
    return undefined
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    return `The ${events.length} OpenLineage events of this run were not written: ${path} cannot be written (${code}).`
  }
}
