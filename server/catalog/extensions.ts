/**
 * Makes the extensions ready that `svc.yaml` names: each is loaded once, so that whoever loads it afterwards meets no
 * error. They are native code, which is never loaded in this process: one that crashes ends only the process that tries it.
 */
import type { Engine, ExtensionSetting } from '../language/index.ts'
import type { Limits } from './limits.ts'
import { startWorker, type WorkerProcess } from './worker/worker-process.ts'

export interface ExtensionProblem {
  /** In the list of the settings. */
  readonly index: number
  readonly message: string
  readonly hint: string
}

export interface ReadyExtensions {
  /** Statements that load them, in order. */
  readonly load: readonly string[]
  readonly problems: readonly ExtensionProblem[]
}

/** Nothing of it is asked for a project that nobody trusts. */
export interface ExtensionsRequest {
  readonly engine: Engine
  /** The project's root, absolute. */
  readonly root: string
  readonly extensions: readonly ExtensionSetting[]
  /** Whether the engine may fetch what is not installed. */
  readonly mayInstall: boolean
}

/** What the process with the database is asked to `prepare`. */
export interface ExtensionTask extends Pick<ExtensionsRequest, 'root' | 'mayInstall'> {
  readonly extension: ExtensionSetting
}

export interface ExtensionOutcome {
  /** The statement that loads it; absent where the engine has it, or cannot load it. */
  readonly load?: string
  readonly problem?: Omit<ExtensionProblem, 'index'>
}

export const noExtensions: ReadyExtensions = { load: [], problems: [] }

/** An extension may have to be fetched, and is large. */
const limits: Limits = { timeMs: 120_000, memoryBytes: 1_000_000_000 }

/** Never throws. */
export async function prepareExtensions({
  engine,
  root,
  extensions,
  mayInstall,
}: ExtensionsRequest): Promise<ReadyExtensions> {
  const load: string[] = []
  const problems: ExtensionProblem[] = []
  let worker: WorkerProcess | undefined
  for (const [index, extension] of extensions.entries()) {
    worker ??= startWorker({
      engine: engine.kind,
      kind: 'extensions',
      memoryBytes: limits.memoryBytes,
      load: [...load],
    })
    try {
      const task: ExtensionTask = { root, extension, mayInstall }
      const outcome = (await worker.call('prepare', [task], limits)) as ExtensionOutcome
      if (outcome.load !== undefined) load.push(outcome.load)
      if (outcome.problem !== undefined) problems.push({ index, ...outcome.problem })
    } catch (error) {
      problems.push({ index, ...lost(extension, error) })
      worker.kill()
      worker = undefined
    }
  }
  worker?.kill()
  return { load, problems }
}

function lost({ name }: ExtensionSetting, error: unknown): Omit<ExtensionProblem, 'index'> {
  const reason = error instanceof Error ? error.message : String(error)
  return {
    message: `the extension ${name} is not loaded: ${reason}`,
    hint: 'It was tried in a process of its own. Take it out of svc.yaml, or name the file of another build of it.',
  }
}
