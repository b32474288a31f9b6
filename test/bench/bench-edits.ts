/** One keystroke in a file of a large project until all problems of all files are known, without the way to an editor. */
import { rmSync } from 'node:fs'
import { type Bench, keepSamples, ownProgram } from './bench.ts'
import { newProject } from './bench-project.ts'
import type { EditTimes } from './edits.ts'
import { measure } from './measure.ts'
import type { Goal } from './measurement.ts'

const goals: Readonly<Record<number, Goal>> = { 1000: { seconds: 0.01 }, 10000: { seconds: 0.025 } }
const longestMs = 10 * 60_000

export async function benchEdits(bench: Bench, size: number): Promise<void> {
  const folder = newProject(bench, size)
  for (const [index, { edit, errors, samples, breaks }] of (await edited(bench, folder, size)).entries()) {
    const goal = breaks ? undefined : goals[size]
    const work = `in memory: ${edit}${errors > 0 ? `, ${errors} errors` : ''}`
    keepSamples(
      bench,
      { id: `edit-${index}/${size}`, work, assets: size, ...(goal && { goal }) },
      samples,
      undefined,
    )
  }
  rmSync(folder, { recursive: true })
}

async function edited(bench: Bench, folder: string, size: number): Promise<readonly EditTimes[]> {
  const { stdout } = await measure(ownProgram(bench, folder, 'edits', folder, String(size)), longestMs)
  return JSON.parse(stdout) as readonly EditTimes[]
}
