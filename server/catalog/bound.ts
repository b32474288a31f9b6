/** What binding one statement gives, and what must stand in the catalogue before it is bound. */
import type { Column, ColumnLineage, ColumnUse, Diagnostic } from '../language/index.ts'
import { lineageOf, matchColumns, type Resolution, resolve } from '../language/lineage/lineage.ts'
import type { QueryNode } from '../language/lineage/sql-tree.ts'
import { constantValue } from '../language/lineage/values.ts'
import { createSchemaSql, createTableSql, isPlaceholder } from './relations.ts'
import { assetShape, openShape, type Shape } from './shape.ts'
import { type Input, inputColumns, type Statement } from './statement.ts'
import { type Mentions, noMentions, usesInFile } from './uses.ts'

/** All that is known of one asset's transform. */
export interface Bound {
  readonly shape: Shape
  readonly columns: readonly Column[]
  readonly lineage: readonly ColumnLineage[]
  /** Worked out when asked for: most files are never looked at so closely. */
  readonly uses: () => readonly ColumnUse[]
  readonly mentions: () => Mentions
  readonly diagnostics: readonly Diagnostic[]
  readonly volatile: boolean
}

export const nothingBound: Bound = {
  shape: openShape,
  columns: [],
  lineage: [],
  uses: () => [],
  mentions: () => noMentions,
  diagnostics: [],
  volatile: false,
}

/** A first walk finds out which names the statement asks of relations not fully known. */
export function privateTables(statement: Statement, query: QueryNode): string[] {
  const inputs = [...statement.inputs.values()].filter(input => input.isPrivate)
  if (inputs.length === 0) return []
  if (inputs.some(input => !input.shape.complete)) resolve(query, statement.lookUp)
  for (const input of inputs) takeStandIn(input)
  const schemas = new Set(inputs.map(input => createSchemaSql(input.relation.schema)))
  return [...schemas, ...inputs.map(input => createTableSql(input.relation, inputColumns(input)))]
}

/** A missing asset is taken for the one nearest in name where that one has most of what is asked. */
function takeStandIn(input: Input): void {
  const { standIn, asked, askedForFields } = input
  const certain = [...asked.keys()].filter(name => !askedForFields.has(name))
  if (!standIn || input.shape.complete || certain.length === 0) return
  const names = new Set(standIn.columns.map(column => column.name.toLowerCase()))
  const fitting = certain.filter(name => names.has(name)).length
  if (fitting * 2 < certain.length) return
  const values = standIn.values.map(value => ({ ...value, origins: [input.origin(value.name ?? '')] }))
  input.shape = { ...standIn, values }
  asked.clear()
}

/** Columns as the binder saw them; those that rest on unknown ones have their types taken back. */
export function boundOf(
  asset: string,
  statement: Statement,
  described: readonly Column[],
  resolution: Resolution,
): Bound {
  const names = distinctNames(described.map(column => column.name))
  const values = matchColumns(
    described.map(column => column.name),
    resolution.columns,
  )
  const columns: Column[] = []
  const lineage: ColumnLineage[] = []
  for (const [index, { type }] of described.entries()) {
    const name = names[index] ?? ''
    const value = values[index] ?? constantValue
    if (isPlaceholder(name)) continue
    columns.push({ name, type: value.unknown ? undefined : type })
    lineage.push(lineageOf(name, value))
  }
  return {
    shape: assetShape(asset, columns, resolution.complete, resolution.also),
    columns,
    lineage,
    uses: () => usesInFile(resolution.uses, statement),
    mentions: () => ({ tagTexts: statement.tagTexts, uses: resolution.uses }),
    diagnostics: [],
    volatile: resolution.volatile,
  }
}

/** As CREATE TABLE AS names them: the second `a` becomes `a_1`. */
export function distinctNames(names: readonly string[]): readonly string[] {
  const all = new Set(names.map(name => name.toLowerCase()))
  if (all.size === names.length) return names
  const taken = new Set<string>()
  /** By name: the number that was given last. */
  const counts = new Map<string, number>()
  return names.map(name => {
    const key = name.toLowerCase()
    let count = counts.get(key) ?? 0
    let given = name
    while (taken.has(given.toLowerCase()) || (given !== name && all.has(given.toLowerCase())))
      given = `${name}_${++count}`
    counts.set(key, count)
    taken.add(given.toLowerCase())
    return given
  })
}
