/** Copies records whose columns SQL can name into a file, with their masked values. */
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { quoteLiteral, quoteName } from '@svc/server/catalog'
import type { SourceField, SourceType } from '@svc/server/language'
import { limitedRecords, recordName } from '../record-names.ts'

import type { Mask, Masking } from './mask.ts'

export interface ColumnsToMask {
  /** A FROM clause with the records. */
  readonly from: string
  readonly guard?: string | undefined
  readonly fields: readonly SourceField[]
  /** Returns SQL of the text of a scalar from SQL of its value; absent where a cast gives it. */
  readonly textOf?: (value: string, field: SourceField) => string
}

/** Writes the file and returns its path. */
export async function copyMasked(
  { from, guard, fields, textOf }: ColumnsToMask,
  { mask, local, folder }: Masking,
  file: { readonly name: string; readonly layout: string },
): Promise<string> {
  const path = join(folder, file.name)
  const columns = fields.map(field => {
    const value = `${recordName}.${quoteName(field.name)}`
    const text = textOf === undefined ? undefined : textOf(value, field)
    return `${maskedValue(value, { type: field.type, path: [field.name], mask, text })} AS ${quoteName(field.name)}`
  })
  await mask.prepare(local)
  const records = `${limitedRecords(from, guard, undefined)} AS ${recordName}`
  await local.rows(
    `COPY (SELECT ${columns.join(', ')} FROM ${records}) TO ${quoteLiteral(path)} (${file.layout})`,
  )
  chmodSync(path, 0o600)
  return path
}

interface ValueToMask {
  readonly type: SourceType
  /** Source names without steps into lists. */
  readonly path: readonly string[]
  readonly mask: Mask
  /** SQL of the text of a scalar, if a cast does not give it. */
  readonly text?: string | undefined
  readonly depth?: number
}

function maskedValue(value: string, { type, path, mask, text, depth = 0 }: ValueToMask): string {
  const { rules } = mask
  const kind = rules.kindAt(path)
  if (kind === undefined && !rules.reachesInto(path)) return value
  if (type.kind === 'struct') {
    const fields = type.fields.map(field => {
      const inside = `${value}.${quoteName(field.name)}`
      const masked = maskedValue(inside, { type: field.type, path: [...path, field.name], mask, depth })
      return `${quoteName(field.name)} := ${masked}`
    })
    return `CASE WHEN ${value} IS NULL THEN NULL ELSE struct_pack(${fields.join(', ')}) END`
  }
  if (type.kind === 'list') {
    const element = `element_${depth}`
    const masked = maskedValue(element, { type: type.element, path, mask, depth: depth + 1 })
    return `[${masked} FOR ${element} IN ${value}]`
  }
  if (kind === undefined || type.kind === 'unknown') return value
  return mask.sql(kind, text ?? `CAST(${value} AS VARCHAR)`)
}
