/** What has changed inside of columns of structs since an earlier load: fields that are new, and fields that become text. Pure. */
import {
  type EngineTypes,
  fieldAtSource,
  fieldNamed,
  listStep,
  type RawColumn,
  type SourceType,
  type SqlType,
} from '@svc/server/language'
import { typeAt } from './record-source.ts'

/** Returns the fields of a column that an earlier load did not have, as columns of their own: `customer.email`. */
export function newFields(
  column: RawColumn,
  before: RawColumn | undefined,
  recordType: SourceType | undefined,
  types: EngineTypes,
): readonly RawColumn[] {
  if (before?.type === undefined || column.type === undefined || recordType === undefined) return []
  const [old, now] = [types.parse(before.type), types.parse(column.type)]
  return fieldsBeyond(old, now, typeAt(recordType, column.path)).map(({ names, path, type }) => ({
    ...column,
    name: [column.name, ...names].join('.'),
    path: [...column.path, ...path],
    type: types.print(type),
  }))
}

interface NewField {
  readonly names: readonly string[]
  /** In names of the source. */
  readonly path: readonly string[]
  readonly type: SqlType
}

function fieldsBeyond(old: SqlType, now: SqlType, source: SourceType | undefined): readonly NewField[] {
  if (old.kind === 'list' && now.kind === 'list' && source?.kind === 'list') {
    return fieldsBeyond(old.element, now.element, source.element).map(field => ({
      ...field,
      path: [listStep, ...field.path],
    }))
  }
  if (old.kind !== 'struct' || now.kind !== 'struct' || source?.kind !== 'struct') return []
  return now.fields.flatMap(({ name = '', type }): readonly NewField[] => {
    const found = fieldAtSource(source.fields, name)
    if (found === undefined) return []
    const known = fieldNamed(old.fields, name)
    if (known === undefined) return [{ names: [name], path: [found.name], type }]
    return fieldsBeyond(known.type, type, found.type).map(field => ({
      ...field,
      names: [name, ...field.names],
      path: [found.name, ...field.path],
    }))
  })
}

/** Returns the type without the fields that the earlier one has not. */
export function knownFields(now: SqlType, old: SqlType): SqlType {
  if (now.kind === 'list' && old.kind === 'list')
    return { kind: 'list', element: knownFields(now.element, old.element) }
  if (now.kind !== 'struct' || old.kind !== 'struct') return now
  const fields = now.fields.flatMap(field => {
    const known = fieldNamed(old.fields, field.name)
    return known === undefined ? [] : [{ ...field, type: knownFields(field.type, known.type) }]
  })
  return fields.length === 0 ? old : { kind: 'struct', fields }
}

export interface TextField {
  readonly names: readonly string[]
  readonly before: SqlType
}

/**
 * Returns the fields that had values of another type and would be texts, so that their old type is lost. A list of such values has
 * no names.
 */
export function fieldsThatBecomeText(old: SqlType, wide: SqlType, types: EngineTypes): readonly TextField[] {
  if (old.kind === 'list' && wide.kind === 'list') {
    const [element, now] = [old.element, wide.element]
    return becomesText(element, now, types)
      ? [{ names: [], before: old }]
      : fieldsThatBecomeText(element, now, types)
  }
  if (old.kind !== 'struct' || wide.kind !== 'struct') return []
  return old.fields.flatMap(({ name = '', type }): readonly TextField[] => {
    const now = fieldNamed(wide.fields, name)?.type
    if (now === undefined) return []
    if (becomesText(type, now, types)) return [{ names: [name], before: type }]
    return fieldsThatBecomeText(type, now, types).map(field => ({ ...field, names: [name, ...field.names] }))
  })
}

function becomesText(old: SqlType, now: SqlType, types: EngineTypes): boolean {
  return old.kind === 'scalar' && !types.same(old, now) && types.print(now) === types.usual.text
}
