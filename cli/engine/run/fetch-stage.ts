/** The first stage of a run: fetches its sources with the warehouse closed, and looks at those in the warehouse while it is open. */
import type { FetchedSource } from '../ingest/source.ts'
import { stepsOf } from '../plan/step.ts'
import { type FetchWave, fetchSources } from './fetch-sources.ts'
import type { PreparedRun } from './prepare-run.ts'
import type { Run } from './run.ts'
import { answerMemory, fileMemory } from './standing-loads.ts'
import { readSchemaLock } from './write-schema-lock.ts'

/** Returns the fetched sources by asset; failures are in the progress of the run. */
export async function fetchStage(
  run: Run,
  prepared: PreparedRun,
  spoolFolder: string,
  wave: FetchWave,
): Promise<Map<string, FetchedSource>> {
  const { workspace, progress, emit } = run
  const steps = stepsOf(prepared.plan.steps, 'fetch').filter(
    ({ asset }) => wave.sources.includes(asset) && !progress.assets.has(asset),
  )
  emit({ type: 'stage', stage: 'fetch', items: steps.length })
  const memory = await fileMemory(run)
  const answers = await answerMemory(run)
  const locked = readSchemaLock(workspace)
  const fetched = await fetchSources(steps, { run, prepared, wave, spoolFolder, locked, memory, answers })
  memory.save()
  answers.save()
  return fetched
}
