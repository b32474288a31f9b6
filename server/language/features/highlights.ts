/** Highlights the places of a file with the same meaning as the name under the cursor. */
import type { Range } from '../text/range.ts'
import type { Knowledge } from './knowledge.ts'
import { occurrencesAt, occurrencesOf } from './names/occurrences.ts'
import { subjectKey } from './names/subjects.ts'
import { eachOnce } from './references.ts'

export interface Highlight {
  readonly range: Range
  /** `write` marks the place that defines the name. */
  readonly kind: 'read' | 'write'
}

export function highlights(knowledge: Knowledge, path: string, offset: number): readonly Highlight[] {
  const keys = new Set(occurrencesAt(knowledge, path, offset).map(({ subject }) => subjectKey(subject)))
  if (keys.size === 0) return []
  const occurrences = occurrencesOf(knowledge, path, keys)
  return eachOnce(occurrences).map(({ range, role }) => ({
    range,
    kind: role === 'definition' ? 'write' : 'read',
  }))
}
