/**
 * The type of a nested value that stays one value of the engine (`nested: struct`): objects become structs, lists stay
 * lists, and what is deeper than `nested.depth` is JSON. It is pure, as everything that decides about raw tables.
 */
import type { Engine } from '../engines/engine.ts'
import type { SqlType, TypeField } from '../engines/sql-type.ts'
import { fieldNamed } from '../names/called.ts'
import { storedType } from './delivered-type.ts'
import { toSnakeCase } from './snake-case.ts'
import type { SourceField, SourceType } from './source-shape.ts'

export interface StructRules {
  readonly engine: Engine
  /** How many objects may be inside of each other. */
  readonly depth: number
  rename(name: string): string
  /** Returns whether a field is loaded, by its place in names of the source without lists. */
  keeps(type: SourceType, place: readonly string[]): boolean
  /** Called for a value that is kept as JSON. */
  onWhole(type: SourceType, place: readonly string[]): void
  /** Called for two fields of one object that get the same name. */
  onMeeting(places: readonly [string, string], name: string): void
}

/** Returns undefined if no field of the value is loaded. */
export function structType(
  type: SourceType,
  place: readonly string[],
  rules: StructRules,
  depth = 0,
): SqlType | undefined {
  const { types } = rules.engine
  if (type.kind === 'scalar') return types.parse(storedType(type.type, rules.engine))
  if (type.kind === 'mixed') return types.parse(types.usual.text)
  if (type.kind === 'list' && type.element.kind !== 'unknown' && type.element.kind !== 'mixed') {
    const element = structType(type.element, place, rules, depth)
    return element && { kind: 'list', element }
  }
  if (type.kind !== 'struct' || type.fields.length === 0 || depth >= rules.depth) {
    rules.onWhole(type, place)
    return types.parse(types.usual.json)
  }
  const fields = fieldsOf(type.fields, place, rules, depth + 1)
  return fields.length === 0 ? undefined : { kind: 'struct', fields }
}

function fieldsOf(
  fields: readonly SourceField[],
  place: readonly string[],
  rules: StructRules,
  depth: number,
): readonly TypeField[] {
  const names = new Map<string, string>()
  return fields.flatMap(field => {
    const own = [...place, field.name]
    if (!rules.keeps(field.type, own)) return []
    const type = structType(field.type, own, rules, depth)
    if (type === undefined) return []
    const name = rules.rename(field.name)
    const folded = rules.engine.fold(name)
    const other = names.get(folded)
    if (other !== undefined) {
      rules.onMeeting([other, own.join('.')], name)
      return []
    }
    names.set(folded, own.join('.'))
    return [{ name, type }]
  })
}

/** Returns the field of an object at the source that a field of a struct has its values from. */
export function fieldAtSource<Field extends { readonly name: string }>(
  fields: readonly Field[],
  name: string,
): Field | undefined {
  return (
    fieldNamed(fields, name) ??
    fields.find(field => toSnakeCase(field.name) === name) ??
    fields.find(field => field.name.toLowerCase() === name.toLowerCase())
  )
}
