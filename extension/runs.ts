/** The runs of a project as `svc logs --list` tells them: for the history, for promotions, and for what failed. */
import type { Background } from './background.ts'

export interface RunEntry {
  readonly run_id: string
  readonly kind: 'run' | 'preview' | 'promote' | 'rollback' | null
  readonly environment: string | null
  readonly selector: string | null
  readonly status: 'running' | 'deployed' | 'Failed'
  readonly promoted: boolean
  readonly started_at: string | null
  readonly finished_at: string | null
  readonly seconds: number | null
  readonly failure: {
    readonly code: string
    readonly message: string
    readonly asset: string | null
    readonly place: string | null
  } | null
  readonly changed_at: string
}

/** Newest first. */
export async function listRuns(background: Background, root: string): Promise<readonly RunEntry[]> {
  const answer = (await background.json(root, ['logs', '--list'])) as { readonly logs: readonly RunEntry[] }
  return answer.logs
}

/** The words behind `svc` that do once more what a run did; undefined for what cannot be repeated. */
export function wordsAgain(run: RunEntry): readonly string[] | undefined {
  if (run.kind !== 'run' && run.kind !== 'preview') return undefined
  const selector = run.selector === null ? [] : [run.selector]
  return [run.kind, ...selector, ...(run.environment === null ? [] : ['--env', run.environment])]
}

/** `models/x.svc:6:3` as a path and a position that counts from 0. Undefined: the text is no place. */
export function placeOf(
  text: string,
): { readonly path: string; readonly line: number; readonly character: number } | undefined {
  const match = /^(.+?)(?::(\d+)(?::(\d+))?)?$/.exec(text)
  if (match?.[1] === undefined) return undefined
  return { path: match[1], line: Number(match[2] ?? 1) - 1, character: Number(match[3] ?? 1) - 1 }
}
