import type { JsonOf } from '@svc/server/contract'
import type { Style } from './style.ts'

export interface AgentsReport {
  readonly path: string
  readonly status: 'written' | 'unchanged' | 'outdated'
  /** The part of the file that svc writes. */
  readonly text: string
  /** Whether the text itself is asked for. */
  readonly shows: boolean
}

export function renderAgents({ path, status, text, shows }: AgentsReport, style: Style): readonly string[] {
  if (shows) return text.trimEnd().split('\n')
  if (status === 'outdated') return [`${style.red('✗')} ${path} is not as the project is now: svc agents`]
  return [`${style.green('✓')} ${path} ${status === 'written' ? 'written' : 'is as the project is now'}`]
}

export function agentsJson({ path, status, text }: AgentsReport): JsonOf<'agents'> {
  return { path, status, text }
}
