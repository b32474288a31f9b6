/**
 * Prepares the extensions that `svc.yaml` lists: each is loaded once as a trial, so that later loads do not
 * fail. Extensions are native code and never loaded into this process: one that crashes ends only the process
 * that tries it.
 */
import type { Engine, ExtensionSetting } from '../language/index.ts'
import type { Limits } from './limits.ts'
import { startWorker, type WorkerProcess } from './worker/worker-process.ts'

export interface ExtensionProblem {
  /** The position in the list of the settings. */
  readonly index: number
  readonly message: string
  readonly hint: string
}

export interface ReadyExtensions {
  /** Statements that load them, in order. */
  readonly load: readonly string[]
  readonly problems: readonly ExtensionProblem[]
}

/** A request to prepare extensions. It must not be made for a project that the user has not trusted. */
export interface ExtensionsRequest {
  readonly engine: Engine
  /** The project's root, an absolute path. */
  readonly root: string
  readonly extensions: readonly ExtensionSetting[]
  /** Whether the engine may download extensions that are not installed. */
  readonly mayInstall: boolean
}

/** The task `prepare` of the worker process. */
export interface ExtensionTask extends Pick<ExtensionsRequest, 'root' | 'mayInstall'> {
  readonly extension: ExtensionSetting
}

export interface ExtensionOutcome {
  /** The statement that loads it; absent if the extension is built in, or cannot be loaded. */
  readonly load?: string
  readonly problem?: Omit<ExtensionProblem, 'index'>
}

export const noExtensions: ReadyExtensions = { load: [], problems: [] }

/** The limits are wide because an extension may have to be downloaded and is large. */
const limits: Limits = { timeMs: 120_000, memoryBytes: 1_000_000_000 }

/** Returns the result for every extension; it never throws. */
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

/** Tries statements that declare what a database has; returns what is wrong with each, in order. It never throws. */
export async function tryDeclarations(
  engine: Engine,
  load: readonly string[],
  statements: readonly string[],
): Promise<readonly (string | undefined)[]> {
  const worker = startWorker({
    engine: engine.kind,
    kind: 'extensions',
    memoryBytes: limits.memoryBytes,
    load,
  })
  try {
    const found = (await worker.call('declare', [statements], limits)) as readonly (string | null)[]
    return found.map(message => message ?? undefined)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return statements.map(() => reason)
  } finally {
    worker.kill()
  }
}

/** Writes a statement that declares something as one of those that are loaded, on one line. */
export function loadOfDeclaration(sql: string): string {
  return `DECLARE ${JSON.stringify(sql)}`
}

function lost({ name }: ExtensionSetting, error: unknown): Omit<ExtensionProblem, 'index'> {
  const reason = error instanceof Error ? error.message : String(error)
  return {
    message: `the extension ${name} is not loaded: ${reason}`,
    hint: 'It was tried in a process of its own. Take it out of svc.yaml, or name the file of another build of it.',
  }
}
