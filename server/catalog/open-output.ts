/**
 * Combines the columns of an output that partly depends on data: those of its SQL, and those that a run
 * found.
 */
import type { Column } from '../language/index.ts'
import type { BoundSql } from '../language/sql/binder/model.ts'
import { constantValue, united, type Value } from '../language/sql/binder/values.ts'
import { linedUp } from './line-up.ts'
import type { Input, Statement } from './statement.ts'

export interface OutputColumn extends Column {
  readonly value: Value
}

/**
 * Adds the found columns. `told` has those known from the SQL alone; what the SQL says of a found column is
 * more recent and wins.
 */
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

/** Adds origins: an unknown column of an input may be in the output under the same name. */
function withUnknown(value: Value, name: string, statement: Statement): Value {
  const open = [...statement.inputs.values()].filter(input => !isKnown(input, statement))
  if (open.length === 0) return value
  const origins = open.map(input => input.origin(name))
  return { ...value, direct: false, origins: united(value.origins, origins) }
}

/**
 * Returns whether the columns of the input are known. The run that found the columns of the output found
 * those of the input too.
 */
function isKnown({ shape, origin }: Input, { found }: Statement): boolean {
  const { asset, source } = origin('')
  return shape.complete || (source === undefined && found(asset) !== undefined)
}
