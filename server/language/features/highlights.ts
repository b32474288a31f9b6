/** The other places of a file that mean the same as what stands under the cursor. */
import type { Range } from '../text/range.ts'
import type { Knowledge } from './knowledge.ts'
import { occurrenceAt, occurrencesIn } from './names/occurrences.ts'
import { subjectKey } from './names/subjects.ts'

export interface Highlight {
  readonly range: Range
  /** `write`: here it gets its name. */
  readonly kind: 'read' | 'write'
}

export function highlights(knowledge: Knowledge, path: string, offset: number): readonly Highlight[] {
  const occurrence = occurrenceAt(knowledge, path, offset)
  if (occurrence === undefined) return []
  const key = subjectKey(occurrence.subject)
  return occurrencesIn(knowledge, path)
    .filter(each => subjectKey(each.subject) === key)
    .map(({ range, role }) => ({ range, kind: role === 'definition' ? 'write' : 'read' }))
}
