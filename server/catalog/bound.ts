/** What binding one statement gives, and what must stand in the catalogue before it is bound. */
import type { Column, ColumnLineage, ColumnUse, Diagnostic } from '../language/index.ts'
import { lineageOf, matchColumns, type Resolution, resolve } from '../language/lineage/lineage.ts'
import type { QueryNode } from '../language/lineage/sql-tree.ts'
import { constantValue, type Value } from '../language/lineage/values.ts'
import { createSchemaSql, createTableSql, isPlaceholder } from './relations.ts'
import { assetShape, openShape, type Shape } from './shape.ts'
import { inputColumns, type Statement } from './statement.ts'
import { usesInFile } from './uses.ts'

/** All that is known of one asset's transform. */
export interface Bound {
  readonly shape: Shape
  readonly columns: readonly Column[]
  readonly lineage: readonly ColumnLineage[]
  /** Worked out when asked for: most files are never looked at so closely. */
  readonly uses: () => readonly ColumnUse[]
  readonly diagnostics: readonly Diagnostic[]
  readonly volatile: boolean
}

export const nothingBound: Bound = {
  shape: openShape,
  columns: [],
  lineage: [],
  uses: () => [],
  diagnostics: [],
  volatile: false,
}

/** A first walk finds out which names the statement asks of relations not fully known. */
export function privateTables(statement: Statement, query: QueryNode): string[] {
  const inputs = [...statement.inputs.values()].filter(input => input.isPrivate)
  if (inputs.length === 0) return []
  if (inputs.some(input => !input.shape.complete)) resolve(query, statement.lookUp)
  const schemas = new Set(inputs.map(input => createSchemaSql(input.relation.schema)))
  return [...schemas, ...inputs.map(input => createTableSql(input.relation, inputColumns(input)))]
}

/** Columns as the binder saw them; those that rest on unknown ones have the types taken back. */
export function boundOf(
  asset: string,
  statement: Statement,
  described: readonly Column[],
  resolution: Resolution,
): Bound {
  const values = matchColumns(
    described.map(column => column.name),
    resolution.columns,
  )
  const all = described.map((column, index) => withValue(column, values[index] ?? constantValue))
  const known = all.filter(({ column }) => !isPlaceholder(column.name))
  const columns = known.map(({ column }) => column)
  return {
    shape: assetShape(asset, columns, resolution.complete),
    columns,
    lineage: known.map(({ column, value }) => lineageOf(column.name, value)),
    uses: () => usesInFile(resolution.uses, statement),
    diagnostics: [],
    volatile: resolution.volatile,
  }
}

function withValue(column: Column, value: Value): { column: Column; value: Value } {
  return { column: value.unknown ? { name: column.name, type: undefined } : column, value }
}
