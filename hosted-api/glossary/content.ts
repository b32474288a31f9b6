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

/** Nothing is said by null and by an empty place; metrics know their tables from their SQL. */
export function completed(kind: Kind, content: Content): Content {
  const said = Object.fromEntries(
    Object.entries(content).filter(([, value]) => value !== null && value !== undefined),
  )
  if (kind.name !== 'metric') return said
  const named = (said['source_assets'] as readonly string[] | undefined) ?? []
  return {
    ...said,
    source_assets: [...new Set([...named, ...referencedAssets(String(said['sql_definition'] ?? ''))])],
  }
}

const referenceTag = /\{\{\s*ref\(\s*(['"])([^'"{}]+)\1\s*\)\s*\}\}/g

export function referencedAssets(sql: string): readonly string[] {
  return [...sql.matchAll(referenceTag)].map(match => match[2] ?? '')
}

/** Rules between fields. `pointer` is where the record stands in the body. */
export function contentProblems(kind: Kind, content: Content, pointer = ''): readonly FieldProblem[] {
  if (kind.name === 'dimension') return dimensionProblems(content, pointer)
  if (kind.name === 'link') return linkProblems(content, pointer)
  return []
}

const typesWithValues = ['categorical', 'hierarchical']

function dimensionProblems(content: Content, pointer: string): readonly FieldProblem[] {
  const values = content['values'] as readonly unknown[] | undefined
  const type = String(content['type'] ?? 'categorical')
  if (values === undefined || values.length === 0 || typesWithValues.includes(type)) return []
  const detail = `A ${type} dimension has no list of values: only ${typesWithValues.join(' and ')} ones do.`
  return [{ pointer: `${pointer}/values`, code: 'not_allowed', detail }]
}

function linkProblems(content: Content, pointer: string): readonly FieldProblem[] {
  const role = String(content['role'] ?? 'attribute')
  if (role === 'attribute' || content['column'] != null) return []
  return [{ pointer: `${pointer}/column`, code: 'required', detail: `A link as ${role} needs a column.` }]
}
