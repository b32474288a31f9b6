import type { JsonOf } from '@svc/server/contract'
import type { Style } from './style.ts'

export type AgentsOutput = JsonOf<'agents'>

export function renderAgents({ path, status }: AgentsOutput, style: Style): readonly string[] {
  if (status === 'outdated') return [`${style.red('✗')} ${path} is not as the project is now: svc agents`]
  return [`${style.green('✓')} ${path} ${status === 'written' ? 'written' : 'is as the project is now'}`]
}
