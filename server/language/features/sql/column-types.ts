/** The types of SQL columns, as the editor shows them. */
import type { Column as KnownColumn } from '../../analysis.ts'
import type { Engine, EngineTypes } from '../../engines/engine.ts'
import type { SqlType } from '../../engines/sql-type.ts'
import type { BoundSql, Column } from '../../sql/binder/model.ts'

const texts = new WeakMap<SqlType, string>()

export function typeText(types: EngineTypes, type: SqlType | undefined): string | undefined {
  if (type === undefined) return undefined
  const text = texts.get(type) ?? types.print(type)
  texts.set(type, text)
  return text
}

const passed = new WeakMap<BoundSql, ReadonlyMap<Column, string>>()

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
  if (own !== undefined || output.length === 0) return own
  const types = passed.get(bound) ?? passedTypes(bound, output, engine)
  passed.set(bound, types)
  return types.get(column)
}

function passedTypes(
  bound: BoundSql,
  output: readonly KnownColumn[],
  { sameName }: Engine,
): ReadonlyMap<Column, string> {
  const types = new Map<Column, string>()
  for (const column of bound.output.columns) {
    const type = output.find(({ name }) => sameName(name, column.name))?.type
    for (let at: Column | undefined = column; at !== undefined && type !== undefined; at = passedFrom(at)) {
      if (types.has(at)) break
      types.set(at, type)
    }
  }
  return types
}

/** Returns the column that this one passes on unchanged. */
function passedFrom({ maker }: Column): Column | undefined {
  if (maker.kind === 'passed' || maker.kind === 'star' || maker.kind === 'numbered') return maker.of
  return maker.kind === 'named' ? maker.of : undefined
}
