/** From a body to the content of a record: aliases, nulls, and the rules that no schema can say. */
import { type FieldProblem, invalid } from '../http/index.ts'
import type { Kind } from './kind.ts'
import type { Content } from './record.ts'

/**
 * What a creation or replacement says about a record, without `project`; `id` is the caller's identifier (2.1).
 * @throws Problem `invalid`
 */
export function readContent(kind: Kind, body: Content): Content {
  const { project: _project, id, identifier, ...said } = body
  if (id != null && identifier != null && id !== identifier) {
    throw invalid([
      {
        pointer: '/identifier',
        code: 'conflict',
        detail: '"id" and "identifier" are the same thing and differ here.',
      },
    ])
  }
  return completed(kind, { ...said, identifier: identifier ?? id })
}

/** Nothing is said by null and by an empty place. */
export function completed(kind: Kind, content: Content): Content {
  const said = Object.fromEntries(
    Object.entries(content).filter(([, value]) => value !== null && value !== undefined),
  )
  return kind.complete?.(said) ?? said
}

/** Rules between fields. `pointer` is where the record stands in the body. */
export function contentProblems(kind: Kind, content: Content, pointer = ''): readonly FieldProblem[] {
  return kind.problems?.(content, pointer) ?? []
}
