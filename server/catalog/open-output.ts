/** The columns of an output that the data decide in part: those that its SQL tells of, and those that a run found. */
import type { Column, Engine } from '../language/index.ts'
import type { BoundSql } from '../language/sql/binder/model.ts'
import { constantValue, united, type Value } from '../language/sql/binder/values.ts'
import { linedUp } from './line-up.ts'
import type { Statement } from './statement.ts'

export interface OutputColumn extends Column {
  readonly value: Value
}

/** `told`: by the SQL alone. Of them the SQL knows more than any run. */
export function withFound(
  told: readonly OutputColumn[],
  statement: Statement,
  bound: BoundSql,
  { fold }: Engine,
): readonly OutputColumn[] {
  const found = statement.found()
  if (found === undefined) return told
  const known = new Map(told.map(column => [fold(column.name), column]))
  const values = linedUp(
    found.map(({ name }) => name),
    bound,
  )
  const columns = found.map(({ name, type }, index): OutputColumn => {
    const own = known.get(fold(name))
    known.delete(fold(name))
    if (own !== undefined) return { ...own, type: own.type ?? type }
    return { name, type, value: withUnknown(values[index] ?? constantValue, name, statement) }
  })
  return [...columns, ...known.values()]
}

/** What an input may have beyond what is known of it stands in the output under the same name, if it does. */
function withUnknown(value: Value, name: string, { inputs }: Statement): Value {
  const open = [...inputs.values()].filter(({ shape }) => !shape.complete)
  if (open.length === 0) return value
  const origins = open.map(input => input.origin(name))
  return { ...value, direct: false, origins: united(value.origins, origins) }
}
