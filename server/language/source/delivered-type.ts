/**
 * The types of raw columns, in the words of the project's engine. A source is read by an engine of its own, so what
 * comes from it is told in other words.
 */
import type { Engine } from '../engines/engine.ts'
import { readingEngine } from '../engines/index.ts'
import { typeNameOfSource } from '../engines/portable-types.ts'
import type { NestedMode } from '../schema/definition.ts'
import type { RawColumn, SourceType } from './source-shape.ts'

/** Returns the type of a column for values that become one; undefined if only NULLs were seen. */
export function deliveredType(
  type: SourceType,
  mode: NestedMode,
  engine: Engine,
  from: Engine = readingEngine,
): string | undefined {
  const { usual } = engine.types
  if (type.kind === 'scalar') return storedType(type.type, engine, from)
  if (type.kind === 'unknown') return undefined
  if (type.kind === 'mixed') return usual.text
  if (type.kind === 'list' && type.element.kind === 'scalar' && mode === 'tables')
    return storedType(`${type.element.type}[]`, engine, from)
  return usual.json
}

/** Returns the type that the project's engine has for a type of the engine that reads the source. */
export function storedType(type: string, engine: Engine, from: Engine = readingEngine): string {
  return engine.kind === from.kind ? type : typeNameOfSource(type, from, engine)
}

/** Returns a column that the tool adds. */
export function systemColumn(
  name: string,
  type: string,
  path: readonly string[],
  nullable = false,
): RawColumn {
  return { name, type, path, system: true, pii: false, nullable }
}
