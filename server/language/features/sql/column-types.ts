/** The types of SQL columns, as the editor shows them. */
import type { Column as KnownColumn } from '../../analysis.ts'
import type { Engine, EngineTypes } from '../../engines/engine.ts'
import type { SqlType } from '../../engines/sql-type.ts'
import { columnCalled } from '../../names/called.ts'
import { oncePer } from '../../once.ts'
import type { BoundSql, Column } from '../../sql/binder/model.ts'

const printed = oncePer((type: SqlType, types: EngineTypes) => types.print(type))

export function typeText(types: EngineTypes, type: SqlType | undefined): string | undefined {
  return type && printed(type, types)
}

/**
 * Returns the type of the column's expression, or else that of the output column that passes it on. `output`
 * has the columns of the asset whose transform this is.
 */
export function columnType(
  engine: Engine,
  bound: BoundSql,
  column: Column,
  output: readonly KnownColumn[],
): string | undefined {
  const own = typeText(engine.types, column.value.type)
  return own !== undefined || output.length === 0 ? own : passedTypes(bound, output, engine).get(column)
}

const passedTypes = oncePer((bound: BoundSql, output: readonly KnownColumn[], engine: Engine) => {
  const types = new Map<Column, string>()
  for (const column of bound.output.columns) {
    const type = columnCalled(output, column.name, engine)?.type
    for (let at: Column | undefined = column; at !== undefined && type !== undefined; at = passedFrom(at)) {
      if (types.has(at)) break
      types.set(at, type)
    }
  }
  return types
})

/** Returns the column that this one passes on unchanged. */
function passedFrom({ maker }: Column): Column | undefined {
  if (maker.kind === 'passed' || maker.kind === 'star' || maker.kind === 'numbered') return maker.of
  return maker.kind === 'named' ? maker.of : undefined
}
