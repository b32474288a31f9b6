/** Says which sources are taken as unchanged without reading their rows, and by which rule of the user. */
import type { ChangesTold } from '@svc/server/language'
import type { Plan } from '../engine/plan/plan.ts'
import { countOf } from './numbers.ts'

const mostNamed = 5

/** `changed_by: updated_at` */
export function ruleText({
  by,
  column = by,
}: {
  readonly by: ChangesTold['by']
  readonly column?: string | undefined
}): string {
  return `changed_by: ${column}`
}

/** Returns one sentence; none where a run reads the rows of every source. */
export function toldSentences({ assets }: Pick<Plan, 'assets'>): string[] {
  const told = assets.flatMap(({ name, told }) => (told === undefined ? [] : [`${name} (${ruleText(told)})`]))
  if (told.length === 0) return []
  const more = told.length > mostNamed ? ` and ${told.length - mostNamed} more` : ''
  const named = told.slice(0, mostNamed).join(', ')
  return [
    `The rows of ${countOf(told.length, 'source')} count as unchanged without being read, as long as changed_by says so: ${named}${more}.`,
  ]
}
