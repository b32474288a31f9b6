/** The types of SQL columns, as the editor shows them. */
import type { Column as KnownColumn } from '../../analysis.ts'
import type { Engine, EngineTypes } from '../../engines/engine.ts'
import type { SqlType } from '../../engines/sql-type.ts'
import { columnCalled } from '../../names/called.ts'
import { oncePer } from '../../once.ts'
import type { BoundSql, Column } from '../../sql/binder/model.ts'
import type { Value } from '../../sql/binder/values.ts'

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
  const own = writtenType(column.value, engine.types)
  if (own?.isWhole === true) return typeText(engine.types, own.type)
  const passed = output.length === 0 ? undefined : passedTypes(bound, output, engine).get(column)
  return passed ?? typeText(engine.types, own?.type)
}

/** Returns the type of a value, as far as its text tells it. */
export function typeOfValue(types: EngineTypes, value: Value): string | undefined {
  return typeText(types, writtenType(value, types)?.type)
}

interface WrittenType {
  readonly type: SqlType
  /** Whether all of its parts are known. */
  readonly isWhole: boolean
}

const untold: SqlType = { kind: 'unknown', text: '…' }

/** Returns the type of a value; that of a struct or of a list which the SQL writes out is made of its parts. */
function writtenType({ type, fields, element }: Value, types: EngineTypes): WrittenType | undefined {
  if (type !== undefined) return { type, isWhole: true }
  if (fields !== undefined && fields.length > 0 && hasStructs(types)) {
    const parts = fields.map(({ name, value }) => ({ name, part: writtenType(value, types) }))
    const named = parts.map(({ name, part }) => ({ name: name || undefined, type: part?.type ?? untold }))
    return { type: { kind: 'struct', fields: named }, isWhole: parts.every(({ part }) => part?.isWhole) }
  }
  const part = element && writtenType(element, types)
  return part && { type: { kind: 'list', element: part.type }, isWhole: part.isWhole }
}

/** A row has no type with a text in every engine. */
const hasStructs = oncePer((types: EngineTypes) => types.parse('struct(a integer)').kind === 'struct')

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
