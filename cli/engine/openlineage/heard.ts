/** Listens to a run: what began and ended when. No text of an error is kept, for it may hold values of persons. */
import type { EventOf, RunEvent, TestResult } from '@svc/server/contract'
import type { PublishReport } from '../publish/report.ts'
import type { RunReport } from '../run/events.ts'
import type { BuildRecord } from '../state/state.ts'

export interface HeardAsset {
  readonly name: string
  readonly began: string
  /** Undefined while it is under way: the run ended before it. */
  ended: string | undefined
  /** The code of its error. */
  failed: string | undefined
  /** Whether it was built, and not only fetched. */
  isBuilt: boolean
  /** Whether a build was taken as it is: its source brought nothing new, or a preview has made it. */
  isReused: boolean
}

/** A build that a run has made live. */
export interface Promoted {
  /** The run that built it. */
  readonly version: string
  readonly rows: number | null
}

export interface HeardTests {
  readonly asset: string
  readonly began: string
  ended: string
  readonly results: TestResult[]
}

export interface Heard {
  readonly runId: string
  readonly began: string
  readonly end: EventOf<'run-finished'>
  readonly assets: readonly HeardAsset[]
  readonly tests: readonly HeardTests[]
  readonly promoted: ReadonlyMap<string, Promoted>
  /** What a promotion or a rollback made live. */
  readonly moved: readonly BuildRecord[]
  /** What a publish has sent; undefined of one that broke off. */
  readonly published: PublishReport | undefined
  /** Whether its process died before it ended. */
  readonly died: boolean
}

export function listen(now: () => Date) {
  const assets = new Map<string, HeardAsset>()
  const tests = new Map<string, HeardTests>()
  let promoted: ReadonlyMap<string, Promoted> = new Map()
  let moved: readonly BuildRecord[] = []
  let published: PublishReport | undefined
  let start: EventOf<'run-started'> | undefined
  let end: EventOf<'run-finished'> | undefined
  const at = () => now().toISOString()
  const asset = (name: string) => {
    const known = assets.get(name) ?? begun(name, at())
    assets.set(name, known)
    return known
  }
  return {
    hear(event: RunEvent): void {
      if (event.type === 'run-started') start = event
      else if (event.type === 'run-finished') end = event
      else if (event.type === 'fetch-started' || event.type === 'build-started') asset(event.asset)
      else if (event.type === 'build-finished')
        Object.assign(asset(event.asset), { ended: at(), isBuilt: true })
      else if (event.type === 'asset-failed')
        Object.assign(asset(event.asset), { ended: at(), failed: event.code })
      // What nothing was fetched for is no work of this run.
      else if (event.type === 'asset-reused' && assets.has(event.asset))
        Object.assign(asset(event.asset), { ended: at(), isReused: true })
      else if (event.type === 'test-finished' && event.result.ran) hearTest(tests, event.result, at())
    },
    /** A run that broke off has no report. */
    report(report: RunReport): void {
      promoted = promotedBy(report)
      moved = report.moved ?? []
    },
    reportPublish(report: PublishReport): void {
      published = report
    },
    /** Undefined if its end is not known. A run that was refused has no beginning but the moment of its command. */
    heard(): Heard | undefined {
      if (end === undefined) return undefined
      const refusedAt = () => new Date(Date.parse(end?.at ?? '') - (end?.seconds ?? 0) * 1000).toISOString()
      const began = start?.at ?? refusedAt()
      // A build of a preview is live from now on, though nothing was done for it.
      const found = [...promoted.keys()].filter(name => !assets.has(name))
      const taken = found.map(name => ({ ...begun(name, began), ended: end?.at, isReused: true }))
      return {
        runId: end.run_id,
        began,
        end,
        assets: [...assets.values(), ...taken],
        tests: [...tests.values()],
        promoted,
        moved,
        published,
        died: false,
      }
    },
  }
}

function begun(name: string, began: string): HeardAsset {
  return { name, began, ended: undefined, failed: undefined, isBuilt: false, isReused: false }
}

function promotedBy({ runId, state }: RunReport): ReadonlyMap<string, Promoted> {
  const moved = [...(state?.live.values() ?? [])].filter(({ run_id }) => run_id === runId)
  return new Map(
    moved.map(({ asset, build_key }) => {
      const build = state?.builds.get(build_key)
      return [asset, { version: build?.run_id ?? runId, rows: build?.rows ?? null }]
    }),
  )
}

/** Unit tests are about rows of their own, not about those of a table. */
function hearTest(tests: Map<string, HeardTests>, result: TestResult, at: string): void {
  if (result.kind === 'unit') return
  const known = tests.get(result.asset) ?? { asset: result.asset, began: at, ended: at, results: [] }
  known.results.push(result)
  known.ended = at
  tests.set(result.asset, known)
}
