/** A run in the history of a project. */
import type { ProjectSummary } from '@svc/server/protocol'
import type { RunEntry } from '../runs.ts'

export interface RunNode {
  readonly kind: 'run'
  readonly project: ProjectSummary
  readonly run: RunEntry
}

export function isRunNode(value: unknown): value is RunNode {
  return (
    typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'run' && 'run' in value
  )
}
