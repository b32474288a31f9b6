/** Decimals of JSON have as many digits as a DOUBLE holds, because its readers round the others. */
import {
  type Engine,
  fieldAtSource,
  type JsonShape,
  listStep,
  type RawTable,
  type SqlType,
  seen,
} from '@svc/server/language'
import { SvcError } from '../errors.ts'

export interface ReadAsJson {
  readonly engine: Engine
  /** The tables in the shape in which they are loaded. */
  readonly tables: readonly RawTable[]
  /** The kinds of JSON values that were seen; undefined for other formats. */
  readonly shape: JsonShape | undefined
}

/** Refuses decimals, in columns of every table and inside of structs and lists, that would not be those of the source. */
export function refuseRounded({ engine, tables, shape }: ReadAsJson): void {
  if (shape === undefined) return
  const rounded = tables.flatMap(({ child, columns }) =>
    columns.flatMap(({ name, type, path }) => {
      const isDecimal = type?.includes('DECIMAL') === true
      if (!isDecimal || !isRounded(engine.types.parse(type), shapeAt(shape, path))) return []
      return [`"${child === undefined ? name : `${child}.${name}`}"`]
    }),
  )
  if (rounded.length === 0) return
  throw new SvcError(
    'contract-violated',
    `numbers in ${rounded.join(', ')} have more than 15 digits and would be rounded`,
    { hint: 'Let the source send them as text, or promise double or varchar.' },
  )
}

function shapeAt(shape: JsonShape, path: readonly string[]): JsonShape | undefined {
  let at: JsonShape | undefined = shape
  for (const step of path)
    at = step === listStep ? at?.element : at?.fields.find(field => field.key === step)?.shape
  return at
}

function isRounded(type: SqlType, shape: JsonShape | undefined): boolean {
  if (shape === undefined) return false
  switch (type.kind) {
    case 'scalar':
      return type.name === 'DECIMAL' && (shape.kinds & seen.longDecimal) !== 0
    case 'list':
    case 'array':
      return isRounded(type.element, shape.element)
    case 'struct': {
      const found = shape.fields.map(field => ({ name: field.key, shape: field.shape }))
      return type.fields.some(field => isRounded(field.type, fieldAtSource(found, field.name ?? '')?.shape))
    }
    case 'map':
      return shape.fields.some(field => isRounded(type.value, field.shape))
    default:
      return false
  }
}
