/** Fields of structs: `column.field`, `(expression).field`, `expression['field']`. */
import type { Edit, Name } from '../tree.ts'
import type { Column, Scope } from './model.ts'
import { changed, type FieldValue, unknownValue, type Value } from './values.ts'
import { mention, report, type Work } from './work.ts'

export interface FieldPlace {
  readonly scope: Scope
  /** What takes the mistake out of the text. */
  readonly mend: Edit
  /** The column that the first field is read of. */
  readonly of: Column | undefined
}

export function bindFields(work: Work, value: Value, names: readonly Name[], place: FieldPlace): Value {
  let current = value
  let id = place.of?.id ?? 'x'
  for (const name of names) {
    const next = bindField(work, current, name, id, place)
    if (next === undefined) return unknownValue
    id = `${id}.f:${work.dialect.fold(name.text)}`
    current = next
  }
  return current
}

/** Undefined: there is no such field, and that is reported. */
function bindField(work: Work, value: Value, name: Name, of: string, place: FieldPlace): Value | undefined {
  const fields = fieldsOf(work, value)
  if (fields === undefined) return { ...changed(value), unknown: true }
  const found = fieldCalled(work, fields, name.text)
  if (found !== undefined) {
    const id = `${of}.f:${work.dialect.fold(name.text)}`
    mention(work, name, { kind: 'field', id, name: found.name, value: found.value }, 'read', {
      qualified: true,
    })
    return found.value.direct ? { ...found.value, direct: false } : found.value
  }
  if (name.text !== '' && !value.unknown)
    report(work, {
      kind: 'unknown-field',
      name: name.text,
      fields: fields.map(field => field.name),
      span: { start: name.start, end: name.end },
      mend: [place.mend],
      scope: place.scope,
    })
  return undefined
}

/** The fields of a value; none: it is no struct; undefined: nobody knows. */
export function fieldsOf(work: Work, value: Value): readonly FieldValue[] | undefined {
  if (value.fields !== undefined) return value.fields
  if (value.type === undefined) return undefined
  return work.dialect.fieldsOf(value.type)?.map(({ name, type }) => ({
    name,
    value: { ...value, direct: false, type, few: type !== undefined && work.dialect.hasFewValues(type) },
  }))
}

export function fieldCalled(work: Work, fields: readonly FieldValue[], name: string): FieldValue | undefined {
  const wanted = work.dialect.fold(name)
  return fields.find(field => work.dialect.fold(field.name) === wanted)
}

/** One element of a list. */
export function elementOf(work: Work, value: Value): Value {
  if (value.element !== undefined) return value.element
  const type = value.type === undefined ? undefined : work.dialect.elementOf(value.type)
  const few = type !== undefined && work.dialect.hasFewValues(type)
  return { ...changed(value), type, few, unknown: type === undefined || value.unknown }
}
