/** Widens the type of a loaded column when values need it, by rules that engines share; a type never narrows. */
import { type ScalarType, type SqlType, type StructType, sameType, type TypeField } from './sql-type.ts'

export interface WideningRules {
  readonly sameName: (a: string, b: string) => boolean
  /** Returns what holds the values of two single types, if it is no text. */
  readonly scalars: (a: ScalarType, b: ScalarType) => SqlType | undefined
  readonly isJson: (type: ScalarType) => boolean
  readonly json: SqlType
  readonly text: SqlType
}

/** Returns the narrowest type that holds both. A struct gets the fields of both. */
export function widened(a: SqlType, b: SqlType, rules: WideningRules): SqlType {
  if (sameType(a, b, rules.sameName)) return a
  if (a.kind === 'list' && b.kind === 'list')
    return { kind: 'list', element: widened(a.element, b.element, rules) }
  if (a.kind === 'struct' && b.kind === 'struct') return widerStruct(a, b, rules)
  const both = a.kind === 'scalar' && b.kind === 'scalar' ? rules.scalars(a, b) : undefined
  return both ?? ([a, b].some(type => isOnlyJson(type, rules)) ? rules.json : rules.text)
}

function isOnlyJson(type: SqlType, { isJson }: WideningRules): boolean {
  return type.kind === 'list' || type.kind === 'struct' || (type.kind === 'scalar' && isJson(type))
}

function widerStruct(a: StructType, b: StructType, rules: WideningRules): StructType {
  const same = (one: TypeField, other: TypeField) =>
    one.name !== undefined && other.name !== undefined && rules.sameName(one.name, other.name)
  const known = a.fields.map(field => {
    const other = b.fields.find(each => same(field, each))
    return other === undefined ? field : { ...field, type: widened(field.type, other.type, rules) }
  })
  const added = b.fields.filter(field => !a.fields.some(each => same(each, field)))
  return { kind: 'struct', fields: [...known, ...added] }
}
