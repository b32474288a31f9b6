/** The schemas of a kind's bodies, derived from its description. */
import { type TObject, type TSchema, Type } from '@sinclair/typebox'
import { closed, oneOf, orNull, RecordId, Time, Warning } from '../http/index.ts'
import { remember } from '../http/remember.ts'
import type { Field, Kind } from './kind.ts'
import { identifier } from './kinds.ts'
import { contentFields } from './record.ts'

/** Returns the fields that a body has beside the identifier. */
export function sayable(kind: Kind): readonly Field[] {
  return contentFields(kind).filter(field => field !== identifier)
}

/** Returns the schema of creation: `project` if it is not known otherwise, and the caller's `id` (2.1). */
export function createBody(kind: Kind): TObject {
  return closed({
    ...(kind.named ? { project: RecordId } : {}),
    ...identifierMembers(kind),
    ...members(sayable(kind)),
  })
}

export function identifierMembers(kind: Kind): Record<string, TSchema> {
  if (!kind.named) return {}
  const own = Type.Optional({ ...identifier.schema, description: identifier.doc })
  return kind.takesId ? { id: own, identifier: own } : { identifier: own }
}

/** Returns the schema of a record without its project, as a whole. */
export const wholeContent = remember((kind: Kind) => {
  const { identifier: own } = identifierMembers(kind)
  return closed({ ...(own === undefined ? {} : { identifier: own }), ...members(sayable(kind)) })
})

/** Returns the schemas of fields in a body: null means the same as leaving the field out. */
export function members(fields: readonly Field[]): Record<string, TSchema> {
  return Object.fromEntries(
    fields.map(({ name, schema, required, doc }) => {
      const described = { ...schema, description: doc }
      return [name, required === true ? described : Type.Optional(orNull(described))]
    }),
  )
}

/** Returns the schema of a record in an answer. */
export function recordSchema(kind: Kind): TObject {
  const names = kind.named
    ? { name: Type.String(), identifier: Type.String(), description: Type.String() }
    : {}
  const fields = kind.fields.map(({ name, schema, required, default: fallback, doc }) => {
    const always = required === true || fallback !== undefined
    return [name, always ? { ...schema, description: doc } : orNull(schema)]
  })
  const joined = Object.keys(kind.joined?.columns ?? {}).map(name => [name, Type.String()])
  return closed({
    id: RecordId,
    ...names,
    project: RecordId,
    ...Object.fromEntries([...fields, ...joined]),
    origin: oneOf(['api', 'pack', 'import'], {
      description: 'How the record was created or last changed.',
    }),
    version: Type.Integer({ minimum: 1 }),
    created_at: Time,
    created_by: Type.String(),
    updated_at: Time,
    updated_by: Type.String(),
    deleted_at: Type.Optional(Time),
  })
}

/** `{success, term, warnings?}` */
export function changeAnswer(kind: Kind): TObject {
  return closed({
    success: Type.Literal(true),
    [kind.name]: recordSchema(kind),
    warnings: Type.Optional(Type.Array(Warning)),
  })
}
