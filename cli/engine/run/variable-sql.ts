/**
 * Returns the SQL of `{{ var('x') }}`: a literal, or the bare text if the tag is inside a string. The shadow
 * catalogue does the same.
 */
import type { JsonScalar, SqlTemplate, Tag } from '@svc/server/language'
import type { Dialect } from '../warehouse/dialect.ts'

export type Vars = Readonly<Record<string, JsonScalar>>

export function variableSql(
  template: SqlTemplate,
  tag: Extract<Tag, { kind: 'var' }>,
  vars: Vars,
  dialect: Dialect,
): string {
  if (!Object.hasOwn(vars, tag.name))
    throw new Error(`no variable "${tag.name}"; the checks should have found it`)
  const value = vars[tag.name] ?? null
  const inString = dialect.engine
    .tokens(template.text)
    .some(({ kind, start, end }) => kind === 'string' && start < tag.range.start && tag.range.end < end)
  return inString ? String(value ?? '').replaceAll("'", "''") : dialect.literal(value)
}
