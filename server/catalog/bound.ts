/** The result of binding one statement, and the tables that must exist before it is bound. */

import { testedFewValues } from '../language/checks/few-values.ts'
import type {
  Column,
  ColumnLineage,
  ColumnOrigin,
  ColumnUse,
  Diagnostic,
  Engine,
  RowUse,
} from '../language/index.ts'
import { inputColumn } from '../language/sql/binder/input-column.ts'
import type { BoundSql } from '../language/sql/binder/model.ts'
import { rowUses } from '../language/sql/binder/row-uses.ts'
import { transformOf } from '../language/sql/binder/transform-of.ts'
import { constantValue } from '../language/sql/binder/values.ts'
import { lineageOf, linedUp } from './line-up.ts'
import { type OutputColumn, withFound } from './open-output.ts'
import { noMentions, type PackedMentions, packedMentions, unpackedMentions } from './packed.ts'
import { createSchemaSql, createTableSql, isPlaceholder } from './relations.ts'
import { assetShape, openShape, type Shape } from './shape.ts'
import { type Input, inputColumns, type Statement } from './statement.ts'
import { allTypesKnown } from './unknown-inputs.ts'
import { mentionsOf, usesInFile } from './uses.ts'

/** The analysis of one asset's transform. */
export interface Bound {
  readonly shape: Shape
  readonly columns: readonly Column[]
  readonly lineage: readonly ColumnLineage[]
  readonly rowUses: readonly RowUse[]
  /** Computed on demand: most assets are never asked for the uses of columns. */
  readonly uses: () => readonly ColumnUse[]
  readonly mentions: PackedMentions
  readonly diagnostics: readonly Diagnostic[]
  readonly volatile: boolean
  /** A syntax error was skipped: readers must not take these for all of its columns. */
  readonly isUnsure?: true
  /** See `AssetAnalysis`. */
  readonly ownColumns?: readonly string[] | undefined
  readonly namesFrom?: readonly ColumnOrigin[] | undefined
}

export const nothingBound: Bound = {
  shape: openShape,
  columns: [],
  lineage: [],
  rowUses: [],
  uses: () => [],
  mentions: noMentions,
  diagnostics: [],
  volatile: false,
}

/**
 * Returns the tables that are created for this statement alone, with the columns that it reads from relations
 * that are not fully known. Its names must be bound before.
 */
export function privateTables(statement: Statement): string[] {
  const inputs = [...statement.inputs.values()].filter(input => input.isPrivate)
  if (inputs.length === 0) return []
  const { engine } = statement
  const schemas = new Set(inputs.map(input => createSchemaSql(input.relation.schema, engine)))
  return [...schemas, ...inputs.map(input => createTableSql(input.relation, inputColumns(input), engine))]
}

/** Replaces inputs by their stand-ins. Returns true if it did so, in which case names must be bound again. */
export function takeStandIns(statement: Statement): boolean {
  let isChanged = false
  for (const input of statement.inputs.values()) {
    const { shape } = input
    if (input.isPrivate) takeStandIn(input)
    isChanged ||= input.shape !== shape
  }
  return isChanged
}

/**
 * Reads a missing asset as the one nearest in name, if that one has most of the columns that the statement
 * asks for.
 */
function takeStandIn(input: Input): void {
  const { standIn, asked, askedForFields, engine } = input
  const certain = [...asked.keys()].filter(name => !askedForFields.has(name))
  if (!standIn || input.shape.complete || certain.length === 0) return
  const names = new Set(standIn.columns.map(column => column.name.toLowerCase()))
  const fitting = certain.filter(name => names.has(name)).length
  if (fitting * 2 < certain.length) return
  const values = standIn.columns.map(({ name, type }) =>
    inputColumn(input.origin(name), type, false, engine.binding),
  )
  input.shape = { ...standIn, values }
  asked.clear()
}

/** Returns the columns as the engine describes them, without the types that depend on unknown columns. */
export function boundOf(
  asset: string,
  statement: Statement,
  described: readonly Column[],
  bound: BoundSql,
): Bound {
  const complete = bound.output.open === undefined
  const { engine } = statement
  const told = toldColumns(described, bound, statement)
  const all = complete ? told : withFound(told, statement, bound)
  const columns = all.map(({ name, type }): Column => ({ name, type }))
  const makers = new Map(bound.output.columns.map(column => [column.value, column]))
  const lineage = all.map(({ name, value }) => {
    const line = lineageOf(name, value)
    const maker = line.kind === 'direct' || line.from.length === 0 ? undefined : makers.get(value)
    const transform = maker && transformOf(maker)
    return transform === undefined ? line : { ...line, transform }
  })
  const few = testedFewValues(statement.asset, engine)
  const also = (bound.output.also ?? []).map(column => column.name)
  return {
    shape: assetShape(asset, { columns, complete, also, few }, engine),
    columns,
    lineage,
    ...usesOf(statement, bound),
    diagnostics: [],
    volatile: bound.volatile,
    ...(bound.names.length > 0 && { namesFrom: bound.names }),
  }
}

export function usesOf(
  { template }: Statement,
  bound: BoundSql,
): Pick<Bound, 'uses' | 'mentions' | 'rowUses'> {
  const mentions = packedMentions(mentionsOf(bound))
  return { rowUses: rowUses(bound), mentions, uses: () => usesInFile(unpackedMentions(mentions), template) }
}

/** Returns the columns that are known from the SQL alone. */
function toldColumns(described: readonly Column[], bound: BoundSql, statement: Statement): OutputColumn[] {
  const { engine } = statement
  const isKnown = allTypesKnown(statement, bound)
  const written = described.map(column => column.name)
  const names = distinctNames(written, engine)
  const values = linedUp(written, bound, engine)
  return described.flatMap(({ type }, index): OutputColumn | [] => {
    const name = names[index] ?? ''
    const value = values[index] ?? constantValue
    return isPlaceholder(name) ? [] : { name, type: value.unknown && !isKnown ? undefined : type, value }
  })
}

/** Returns the names that CREATE TABLE AS gives: a second `a` becomes `a_1`. */
export function distinctNames(names: readonly string[], { fold }: Engine): readonly string[] {
  const all = new Set(names.map(name => fold(name)))
  if (all.size === names.length) return names
  const taken = new Set<string>()
  /** Maps a name to the number that was last appended to it. */
  const counts = new Map<string, number>()
  return names.map(name => {
    const key = fold(name)
    let count = counts.get(key) ?? 0
    let given = name
    while (taken.has(fold(given)) || (given !== name && all.has(fold(given)))) given = `${name}_${++count}`
    counts.set(key, count)
    taken.add(fold(given))
    return given
  })
}
