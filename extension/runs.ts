/**
 * The runs of a project as `svc logs --list` reports them: for the history, for promotions, and for failures.
 */
import type { JsonOf } from '@svc/server/contract'
import type { Background } from './background.ts'

type LogList = Extract<JsonOf<'logs'>, { readonly logs: unknown }>
export type RunEntry = LogList['logs'][number]

/** Returns runs, newest first. */
export async function listRuns(background: Background, root: string): Promise<readonly RunEntry[]> {
  const answer = (await background.json(root, ['logs', '--list'])) as LogList
  return answer.logs
}

/** Returns the arguments of `svc` that repeat a run; undefined if it cannot be repeated. */
export function wordsAgain(run: RunEntry): readonly string[] | undefined {
  if (run.kind !== 'run' && run.kind !== 'preview') return undefined
  const selector = run.selector === null ? [] : [run.selector]
  return [run.kind, ...selector, ...(run.environment === null ? [] : ['--env', run.environment])]
}

/**
 * Returns the previews that can be promoted in an environment, newest first; with `asset`, those that built
 * it.
 */
export function previewsIn(
  runs: readonly RunEntry[],
  environment: string,
  asset?: string,
): readonly RunEntry[] {
  return runs.filter(
    run =>
      run.kind === 'preview' &&
      run.status === 'deployed' &&
      run.environment === environment &&
      (asset === undefined || names(run, asset)),
  )
}

/** Returns the preview of an asset after which nothing was promoted. */
export function waitingPreview(
  runs: readonly RunEntry[],
  environment: string,
  asset: string,
): RunEntry | undefined {
  const previews = previewsIn(runs, environment, asset)
  const newest = runs.find(
    run => previews.includes(run) || (run.promoted && run.environment === environment && names(run, asset)),
  )
  return newest !== undefined && previews.includes(newest) ? newest : undefined
}

/**
 * Returns whether a selector names the asset (`x`, `+x`, `a,x+`) or means all. Assets that it selects by
 * graph or tag are not known here.
 */
function names({ selector }: RunEntry, asset: string): boolean {
  return selector === null || selector.split(/\W+/).includes(asset)
}

/** Parses `models/x.svc:6:3` as a path and a zero-based position. Undefined if the text is not a place. */
export function placeOf(
  text: string,
): { readonly path: string; readonly line: number; readonly character: number } | undefined {
  const match = /^(.+?)(?::(\d+)(?::(\d+))?)?$/.exec(text)
  if (match?.[1] === undefined) return undefined
  return { path: match[1], line: Number(match[2] ?? 1) - 1, character: Number(match[3] ?? 1) - 1 }
}
