/** The fields of the rows of a child table. */
import type { SourceField, SourceType } from './source-shape.ts'

/**
 * Returns the fields of the elements of a list of objects; undefined for other values. A list in which no object was
 * seen counts as one if the contract says that it is.
 */
export function elementFields(type: SourceType, isDeclared: boolean): readonly SourceField[] | undefined {
  if (type.kind === 'list' && type.element.kind === 'struct' && type.element.fields.length > 0)
    return type.element.fields
  const isEmpty =
    type.kind === 'unknown' ||
    (type.kind === 'list' && (type.element.kind === 'struct' || type.element.kind === 'unknown'))
  return isDeclared && isEmpty ? [] : undefined
}
