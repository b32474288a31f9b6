/** Says which assets a plan leaves on their old builds, and the command that plans them too. */
import { svcIn } from '@svc/server/language'
import type { Plan } from '../engine/plan/plan.ts'

export function leftBehindText({ assets, leftBehind, environment }: Plan): string {
  const changed = assets.filter(({ change }) => change !== 'removed' && change !== 'reused')
  const selected = [...changed.map(({ name }) => name), ...leftBehind]
  const line = svcIn(environment)(`plan ${selected.join(',')}`)
  return `Left on their old builds: ${leftBehind.join(', ')}. Take them along with: ${line}`
}
