/** Binds fields of structs: `column.field`, `(expression).field`, `expression['field']`. */
import type { SqlType } from '../../engines/sql-type.ts'
import { oncePer } from '../../once.ts'
import type { Edit, Name, Span } from '../tree.ts'
import type { BinderDialect } from './dialect.ts'
import type { Column, Scope } from './model.ts'
import { changed, type FieldValue, unknownValue, type Value } from './values.ts'
import { mention, report, type Work } from './work.ts'

export interface FieldPlace {
  readonly scope: Scope
  /** The edit that removes the mistake. */
  readonly repair: Edit
  /** The column of which the first field is read. */
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

/** Returns undefined if there is no such field, which is reported. */
function bindField(work: Work, value: Value, name: Name, of: string, place: FieldPlace): Value | undefined {
  const fields = fieldsOf(work, value)
  if (fields === undefined) return { ...changed(value), unknown: true }
  const match = fieldCalled(work, fields, name.text)
  if (match !== undefined) {
    mentionField(work, name, match, `${of}.f:${work.dialect.fold(name.text)}`)
    return match.value.direct ? { ...match.value, direct: false } : match.value
  }
  if (name.text !== '') reportField(work, fields, name, place)
  return undefined
}

/** Each of thousands of misspelt fields is looked for in the same list. */
const namesOf = oncePer((fields: readonly FieldValue[]): readonly string[] => fields.map(({ name }) => name))

export function reportField(
  work: Work,
  fields: readonly FieldValue[],
  { text, start, end }: Pick<Name, 'text' | 'start' | 'end'>,
  { repair, scope }: Pick<FieldPlace, 'repair' | 'scope'>,
): void {
  report(work, {
    kind: 'unknown-field',
    name: text,
    fields: namesOf(fields),
    span: { start, end },
    repair: [repair],
    scope,
  })
}

/** Records a mention of a field. `otherwise` is the id of a field that belongs to no known struct. */
function mentionField(work: Work, span: Span, { id, name, value, at }: FieldValue, otherwise: string): void {
  mention(work, span, { kind: 'field', id: id ?? otherwise, name, value, at }, 'read', { qualified: true })
}

/** Records a mention of the field in `value['name']`, whose name is a string. */
export function mentionQuotedField(work: Work, literal: Span, field: FieldValue): void {
  mentionField(work, literal, field, `x${work.count++}.f`)
}

/** Returns the fields that a struct literal defines, each with its place. */
export function writtenFields(
  work: Work,
  entries: readonly { readonly name: string; readonly at: Name | undefined; readonly value: Value }[],
): readonly FieldValue[] {
  const own = `s${work.count++}`
  return entries.map(({ name, at, value }, index) => {
    if (at === undefined) return { name, value }
    const field: FieldValue = { name, value, id: `${own}.f${index}`, at }
    const target = { kind: 'field', id: `${own}.f${index}`, name, value, at } as const
    mention(work, at, target, 'definition')
    return field
  })
}

/** Returns the fields of a value; none if it is no struct; undefined if they are unknown. */
export function fieldsOf(work: Pick<Work, 'dialect'>, value: Value): readonly FieldValue[] | undefined {
  if (value.fields !== undefined) return value.fields
  return value.type === undefined ? undefined : typeFields(value, value.type, work.dialect)
}

/** Kept with the value, because a wide struct is asked for its fields as often as it has some. */
const typeFields = oncePer(
  (value: Value, type: SqlType, dialect: BinderDialect): readonly FieldValue[] | undefined =>
    dialect.fieldsOf(type)?.map((field, index) => {
      const home = value.home && `${value.home}.f${index}`
      const few = field.type !== undefined && dialect.hasFewValues(field.type)
      return {
        name: field.name,
        value: { ...value, direct: false, type: field.type, few, home },
        ...(home !== undefined && { id: home }),
      }
    }),
)

export function fieldCalled(
  work: Pick<Work, 'dialect'>,
  fields: readonly FieldValue[],
  name: string,
): FieldValue | undefined {
  return byFoldedName(fields, work.dialect).get(work.dialect.fold(name))
}

/** The first field counts of several whose names the engine does not tell apart. */
const byFoldedName = oncePer(
  (fields: readonly FieldValue[], { fold }: BinderDialect): ReadonlyMap<string, FieldValue> =>
    new Map(fields.map(field => [fold(field.name), field] as const).reverse()),
)

/** Returns one element of a list. */
export function elementOf(work: Work, value: Value): Value {
  if (value.element !== undefined) return value.element
  const type = value.type === undefined ? undefined : work.dialect.elementOf(value.type)
  const few = type !== undefined && work.dialect.hasFewValues(type)
  const home = value.home && `${value.home}.e`
  return { ...changed(value), type, few, unknown: type === undefined || value.unknown, home }
}
