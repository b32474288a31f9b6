/**
 * Checks the SQL of all files in slices and publishes results after each: after a checkout of a thousand
 * files the first problems must not wait for the last.
 */
import { setImmediate } from 'node:timers/promises'
import type { ShadowCatalog } from '../../catalog/index.ts'
import type { AnalyzeOptions, Project, ProjectAnalysis, SourceShapes } from '../../language/index.ts'
import type { ProjectHost } from './project-host.ts'

/** The progress of checking the present texts, in assets. */
export interface Checking {
  readonly done: number
  readonly of: number
}

export interface SlicedCheck {
  readonly catalog: ShadowCatalog
  readonly project: Project
  readonly shapes: SourceShapes
  /** Aborted when the texts change. */
  readonly signal: NonNullable<AnalyzeOptions['signal']>
  readonly host: Pick<ProjectHost, 'log' | 'now' | 'progress'>
  /** Called after each slice but the last. The results of `waiting` are not certain yet. */
  readonly onPart: (analysis: ProjectAnalysis, waiting: ReadonlySet<string>, checking: Checking) => void
}

const sliceMs = 400

/** A clock that jumps ends a slice before its first step, but not this many in a row. */
const mostIdleSlices = 100

/** Resolves when the SQL of all assets is checked, or when the signal is aborted. */
export async function checkInSlices(check: SlicedCheck): Promise<void> {
  const { catalog, project, shapes, signal, host } = check
  const progress = host.progress('svc: checking files')
  const before = catalog.work().done
  let idle = 0
  let left = { done: -1, waiting: 0 }
  try {
    while (idle < mostIdleSlices) {
      const slice = sliceOf(signal, host.now)
      const analysis = await catalog.analyze(project, shapes, { unitTests: 'none', signal: slice })
      const { done, waiting } = catalog.work()
      if (signal.aborted || waiting.size === 0) return
      idle = left.done === done && left.waiting === waiting.size ? idle + 1 : 0
      left = { done, waiting: waiting.size }
      // Assets that depend on changed columns are discovered during the work, so the total may grow.
      const checking = { done: done - before, of: done - before + waiting.size }
      progress.report(`${checking.done} of ${checking.of}`, Math.round((100 * checking.done) / checking.of))
      check.onPart(analysis, waiting, checking)
      // Requests and newer texts are heard between two slices.
      await setImmediate()
    }
    host.log.error(
      `the check of SQL was given up with ${left.waiting} files left: ${mostIdleSlices} looks found nothing more`,
    )
  } finally {
    progress.end()
  }
}

/**
 * Returns the signal of a slice. Its time starts with the first check, so that each slice makes at least one
 * step.
 */
function sliceOf(signal: SlicedCheck['signal'], now: () => Date): SlicedCheck['signal'] {
  let endsMs: number | undefined
  return {
    get aborted() {
      endsMs ??= now().getTime() + sliceMs
      return signal.aborted || now().getTime() > endsMs
    },
  }
}
