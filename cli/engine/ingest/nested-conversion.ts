/**
 * Converts objects and lists that become one column of structs and lists: every value inside of them is read and converted
 * as the value of a column would be, so that times, decimals and misfits mean the same at each depth.
 */
import { localTypes, quoteName } from '@svc/server/catalog'
import {
  fieldAtSource,
  internalName,
  listStep,
  type RawColumn,
  type SourceType,
  type SqlType,
} from '@svc/server/language'
import {
  type Conversion,
  columnType,
  conversion,
  type ReadPart,
  type SourceFormat,
  type TextOptions,
} from './conversion.ts'

/** Returns how the values at a place of the source become values of the column. */
export function columnConversion(
  column: RawColumn,
  sourceType: SourceType,
  format: SourceFormat,
  written?: TextOptions,
): Conversion {
  const target = columnType(column)
  const { type: _type, ...unnamed } = column
  const plain = (type: string, source: SourceType) =>
    conversion({ ...unnamed, type }, source, format, written)
  if (!target.includes('STRUCT(')) return plain(target, sourceType)
  const walk: Walk = { format, plain }
  return nestedConversion(localTypes.parse(target), sourceType, walk, 0)
}

interface Walk {
  readonly format: SourceFormat
  plain(type: string, source: SourceType): Conversion
}

function nestedConversion(target: SqlType, source: SourceType, walk: Walk, depth: number): Conversion {
  if (target.kind === 'struct' && source.kind === 'struct' && source.fields.length > 0)
    return structConversion(target, source, walk, depth)
  if (target.kind === 'list' && source.kind === 'list' && hasStruct(target))
    return listConversion(nestedConversion(target.element, source.element, walk, depth + 1), target, depth)
  return walk.plain(localTypes.print(target), source)
}

function hasStruct(type: SqlType): boolean {
  return type.kind === 'struct' || (type.kind === 'list' && hasStruct(type.element))
}

interface Field {
  readonly name: string
  readonly type: string
  /** Absent where the source has no such field. */
  readonly found?: { readonly key: string; readonly how: Conversion }
}

function structConversion(
  target: SqlType & { readonly kind: 'struct' },
  source: SourceType & { readonly kind: 'struct' },
  walk: Walk,
  depth: number,
): Conversion {
  const fields = target.fields.map(({ name = '', type }): Field => {
    const found = fieldAtSource(source.fields, name)
    const text = localTypes.print(type)
    if (found === undefined) return { name, type: text }
    const how = nestedConversion(type, found.type, walk, depth)
    return { name, type: text, found: { key: found.name, how } }
  })
  const read = localTypes.print(target)
  const pack = (raw: string, part: (how: Conversion, value: string) => string) => {
    const values = fields.map(({ name, type, found }) => {
      const value =
        found === undefined ? `CAST(NULL AS ${type})` : part(found.how, `${raw}.${quoteName(found.key)}`)
      return `${quoteName(name)} := ${value}`
    })
    return `CASE WHEN ${raw} IS NOT NULL THEN struct_pack(${values.join(', ')}) END`
  }
  return {
    read,
    parts: partsOf(fields),
    value: raw => pack(raw, (how, value) => how.value(value)),
    fitting: raw => pack(raw, (how, value) => how.fitting(value)),
    misfit(raw) {
      const misfits = fields.flatMap(({ found }) => {
        const misfit = found?.how.misfit(`${raw}.${quoteName(found.key)}`)
        return misfit === undefined ? [] : [`coalesce(${misfit}, false)`]
      })
      return misfits.length === 0 ? undefined : `(${misfits.join(' OR ')})`
    },
  }
}

/** A struct of which no field is at the source is read all the same, to tell whether it is NULL. */
function partsOf(fields: readonly Field[]): readonly ReadPart[] {
  const parts = fields.flatMap(({ found }) =>
    found === undefined
      ? []
      : readParts(found.how).map(({ path, read }) => ({ path: [found.key, ...path], read })),
  )
  return parts.length === 0 ? [{ path: [], read: 'JSON' }] : parts
}

function listConversion(element: Conversion, target: SqlType, depth: number): Conversion {
  const item = internalName(`v${depth}`)
  const each = (raw: string, value: string) => `list_transform(${raw}, lambda ${item}: ${value})`
  return {
    read: localTypes.print(target),
    parts: readParts(element).map(({ path, read }) => ({ path: [listStep, ...path], read })),
    value: raw => each(raw, element.value(item)),
    fitting: raw => each(raw, element.fitting(item)),
    misfit(raw) {
      const misfit = element.misfit(item)
      return misfit === undefined ? undefined : `coalesce(list_bool_or(${each(raw, misfit)}), false)`
    },
  }
}

/** Returns what is read of a value, and as which type. */
export function readParts({ parts, read }: Conversion): readonly ReadPart[] {
  return parts ?? [{ path: [], read }]
}
