/**
 * Looks at the SQL of all files in slices, so that what is found is told as it comes: after a checkout of a thousand
 * files nobody waits for the last of them to see the first.
 */
import type { ShadowCatalog } from '../../catalog/index.ts'
import type { AnalyzeOptions, Project, ProjectAnalysis, SourceShapes } from '../../language/index.ts'
import type { ProjectHost } from './project-host.ts'

/** How far the work on a state of the project is, in assets. */
export interface Checking {
  readonly done: number
  readonly of: number
}

export interface SlicedCheck {
  readonly catalog: ShadowCatalog
  readonly project: Project
  readonly shapes: SourceShapes
  /** Newer texts end the work. */
  readonly signal: NonNullable<AnalyzeOptions['signal']>
  readonly host: Pick<ProjectHost, 'now' | 'progress'>
  /** Told after each slice but the last one. Of `waiting` nothing is known for certain yet. */
  readonly onPart: (analysis: ProjectAnalysis, waiting: ReadonlySet<string>, checking: Checking) => void
}

const sliceMs = 400

/** Resolves when the SQL of all assets is known, or when nobody wants to know it any more. */
export async function checkInSlices(check: SlicedCheck): Promise<void> {
  const { catalog, project, shapes, signal, host } = check
  const progress = host.progress('svc: checking files')
  const before = catalog.work().done
  try {
    for (;;) {
      const slice = sliceOf(signal, host.now)
      const analysis = await catalog.analyze(project, shapes, { unitTests: 'none', signal: slice })
      const { done, waiting } = catalog.work()
      if (signal.aborted || waiting.size === 0) return
      // What a change of columns reaches is found out on the way: there may be more of it as the work goes on.
      const checking = { done: done - before, of: done - before + waiting.size }
      progress.report(`${checking.done} of ${checking.of}`, Math.round((100 * checking.done) / checking.of))
      check.onPart(analysis, waiting, checking)
    }
  } finally {
    progress.end()
  }
}

/** Its time begins when it is asked first, so that each slice comes at least one step further. */
function sliceOf(signal: SlicedCheck['signal'], now: () => Date): SlicedCheck['signal'] {
  let endsMs: number | undefined
  return {
    get aborted() {
      endsMs ??= now().getTime() + sliceMs
      return signal.aborted || now().getTime() > endsMs
    },
  }
}
