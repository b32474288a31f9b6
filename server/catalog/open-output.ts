/** The columns of an output that the data decide in part: those that its SQL tells of, and those that a run found. */
import type { Column } from '../language/index.ts'
import type { BoundSql } from '../language/sql/binder/model.ts'
import { constantValue, united, type Value } from '../language/sql/binder/values.ts'
import { linedUp } from './line-up.ts'
import type { Input, Statement } from './statement.ts'

export interface OutputColumn extends Column {
  readonly value: Value
}

/** `told`: by the SQL alone. What is said there of a column that was found is said for this text, and not for that day. */
export function withFound(
  told: readonly OutputColumn[],
  statement: Statement,
  bound: BoundSql,
): readonly OutputColumn[] {
  const found = statement.found(statement.asset.name)
  if (found === undefined) return told
  const { engine } = statement
  const { fold } = engine
  const known = new Map(told.map(column => [fold(column.name), column]))
  const values = linedUp(
    found.map(({ name }) => name),
    bound,
    engine,
  )
  return found.map(({ name, type }, index): OutputColumn => {
    const own = known.get(fold(name))
    if (own !== undefined) return { ...own, type: own.type ?? type }
    return { name, type, value: withUnknown(values[index] ?? constantValue, name, statement) }
  })
}

/** What an input has beyond what is known of it stands in the output under the same name, if it does. */
function withUnknown(value: Value, name: string, statement: Statement): Value {
  const open = [...statement.inputs.values()].filter(input => !isKnown(input, statement))
  if (open.length === 0) return value
  const origins = open.map(input => input.origin(name))
  return { ...value, direct: false, origins: united(value.origins, origins) }
}

/** The run that found the columns of the output found those of the input too. */
function isKnown({ shape, origin }: Input, { found }: Statement): boolean {
  const { asset, source } = origin('')
  return shape.complete || (source === undefined && found(asset) !== undefined)
}
