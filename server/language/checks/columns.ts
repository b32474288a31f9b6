/** Answers questions about output columns and their types. Names are compared as the engine does. */
import type { AssetAnalysis } from '../analysis.ts'
import type { Engine } from '../engines/engine.ts'
import type { TypeFamily } from '../engines/sql-type.ts'
import { getOrInsertComputed } from '../get-or-insert.ts'
import type { Ingest } from '../schema/definition.ts'
import { pathPattern } from '../source/path-pattern.ts'
import { toSnakeCase } from '../source/snake-case.ts'

type Columns = Pick<AssetAnalysis, 'columns'>

/** Returns the names of the output columns; undefined if there may be others or the SQL cannot be parsed. */
export function knownColumns(analysis: AssetAnalysis | undefined): readonly string[] | undefined {
  if (analysis === undefined || !analysis.complete || analysis.columns.length === 0) return undefined
  return getOrInsertComputed(names, analysis, () => analysis.columns.map(column => column.name))
}

/** Returns the columns that the asset's own file may name: mistakes in its SQL leave most of them known. */
export function knownOwnColumns(analysis: AssetAnalysis | undefined): readonly string[] | undefined {
  return knownColumns(analysis) ?? analysis?.ownColumns
}

export function hasColumn(columns: readonly string[], name: string, engine: Engine): boolean {
  if (columns.length < manyColumns) return columns.some(column => engine.sameName(column, name))
  const names = getOrInsertComputed(
    folded,
    columns,
    () => new Set(columns.map(column => engine.fold(column))),
  )
  return names.has(engine.fold(name))
}

/** Returns the engine's type of the output column `name`; undefined if it is not known. */
export function columnType(
  analysis: Columns | undefined,
  name: string,
  engine: Engine,
): ColumnType | undefined {
  const text =
    analysis !== undefined && analysis.columns.length < manyColumns
      ? analysis.columns.find(column => engine.sameName(column.name, name))?.type
      : analysis && typesOf(analysis, engine).get(engine.fold(name))
  return text === undefined ? undefined : { text, family: engine.types.family(engine.types.parse(text)) }
}

export interface ColumnType {
  /** The text for messages. */
  readonly text: string
  readonly family: TypeFamily
}

/**
 * Above this number an index is built: an asset may have thousands of columns and as many tests that ask for
 * them.
 */
const manyColumns = 40

const names = new WeakMap<AssetAnalysis, readonly string[]>()
const types = new WeakMap<Columns, ReadonlyMap<string, string | undefined>>()
const folded = new WeakMap<readonly string[], ReadonlySet<string>>()

/** Maps the folded name to the type of the first column with that name. */
function typesOf(analysis: Columns, engine: Engine): ReadonlyMap<string, string | undefined> {
  return getOrInsertComputed(types, analysis, () => {
    const inReverse = analysis.columns.toReversed()
    return new Map(inReverse.map(({ name, type }) => [engine.fold(name), type]))
  })
}

/**
 * Returns the pattern of `ingest.exclude` that leaves out the source column `name`. Patterns use the source's
 * names, the contract the column names.
 */
export function excludingPattern(ingest: Ingest, name: string): string | undefined {
  if (ingest.type === 'none') return undefined
  return ingest.exclude.find(
    pattern =>
      pathPattern(pattern).covers([name]) || (!/[.*]/.test(pattern) && toSnakeCase(pattern) === name),
  )
}
