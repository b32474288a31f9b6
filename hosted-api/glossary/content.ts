/** Turns a body into the content of a record: aliases, nulls, and rules that a schema cannot express. */
import { invalid, invalidAt } from '../http/index.ts'
import type { Kind } from './kind.ts'
import type { Content } from './record.ts'

/**
 * Returns the content of a creation or replacement, without `project`; `id` is the caller's identifier (2.1).
 * @throws Problem `invalid`
 */
export function readContent(kind: Kind, body: Content): Content {
  const { project: _project, id, identifier, ...said } = body
  if (id != null && identifier != null && id !== identifier) {
    throw invalidAt('/identifier', 'conflict', '"id" and "identifier" are the same thing and differ here.')
  }
  return completed(kind, { ...said, identifier: identifier ?? id })
}

/** Removes nulls and absent fields, which mean the same. */
function completed(kind: Kind, content: Content): Content {
  const said = Object.fromEntries(
    Object.entries(content).filter(([, value]) => value !== null && value !== undefined),
  )
  return kind.complete?.(said) ?? said
}

/**
 * Checks rules between fields.
 * @throws Problem `invalid`
 */
export function requireRules(kind: Kind, content: Content): void {
  const problems = kind.problems?.(content) ?? []
  if (problems.length > 0) throw invalid(problems)
}
