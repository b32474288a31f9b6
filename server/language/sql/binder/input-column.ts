/** Makes a column of a table that a text reads. */
import type { ColumnOrigin } from '../../analysis.ts'
import type { BinderDialect } from './dialect.ts'
import type { Column } from './model.ts'
import { constantValue } from './values.ts'

/**
 * Makes the column. `typeText` is undefined if the type is unknown. `isFew` means that it has a handful of
 * values.
 */
export function inputColumn(
  origin: ColumnOrigin,
  typeText: string | undefined,
  isFew: boolean,
  dialect: BinderDialect,
): Column {
  const type = typeText === undefined ? undefined : dialect.typeCalled(typeText)
  const id = `in:${origin.asset}:${origin.source ?? '-'}:${dialect.fold(origin.column)}`
  return {
    id,
    name: origin.column,
    maker: { kind: 'input', origin },
    value: {
      ...constantValue,
      origins: [origin],
      direct: true,
      unknown: typeText === undefined,
      few: isFew || (type !== undefined && dialect.hasFewValues(type)),
      type,
      home: id,
    },
  }
}
