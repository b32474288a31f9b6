/**
 * What is known of the personal data of one asset: the marks that its file declares, and the lineage of its
 * columns. It comes from the files of a project, or from what was stored with a build.
 */
import type { ColumnLineage, ColumnOrigin, ProjectAnalysis } from '../analysis.ts'
import type { Engine } from '../engines/engine.ts'
import { warehouseSpelling } from '../names/resolve-name.ts'
import type { Asset } from '../project/project.ts'
import { joined, namesOfEndedMarks } from '../source/masks.ts'
import { toSnakeCase } from '../source/snake-case.ts'
import { promisedTables, type TablePromises } from '../source/table-contract.ts'
import { aggregateIn } from './k-anonymity.ts'
import { isNamed, type Marking } from './marking.ts'

/** The marks that an asset's file declares. */
export interface DeclaredMarks {
  /** Columns of the output: personal, or declared harmless by `pii: false`. */
  readonly columns: Readonly<Record<string, boolean>>
  /** The personal columns of its source, under each name that they may have there. */
  readonly source: readonly string[]
  /** The columns of its source whose marks `ingest.mask` ends, under each name that they may have there; absent if none. */
  readonly masked?: readonly string[]
}

export interface PersonalFacts {
  readonly asset: string
  readonly lineage: readonly (Pick<ColumnLineage, 'column' | 'from' | 'hidden'> & Partial<ColumnLineage>)[]
  /** False if the asset may have columns that are not in `lineage`. */
  readonly complete: boolean
  readonly declared: DeclaredMarks
  /** Returns the key of the facts of an asset that this one reads; undefined if they are not known. */
  readonly parent: (asset: string) => string | undefined
}

export const noMarks: DeclaredMarks = { columns: {}, source: [] }

/** The part of an asset that says what is personal in it. */
export type MarkedAsset = Pick<Asset, 'definition' | 'sql'>

export function declaredMarks({ definition, sql }: MarkedAsset, engine: Engine): DeclaredMarks {
  const aggregate =
    definition.deploy.kAnonymity === undefined || sql === undefined
      ? undefined
      : aggregateIn(sql.text, engine)
  const summaries = (aggregate?.summaries ?? []).map(({ column }) => [column, false] as const)
  const written = Object.entries(definition.columns).flatMap(([name, { pii }]) =>
    pii === undefined ? [] : [[name, pii] as const],
  )
  const columns = [...summaries, ...written]
  const source = markedSource(definition.contract)
  const masked = maskedNames(definition)
  if (columns.length + source.length + masked.length === 0) return noMarks
  return { columns: Object.fromEntries(columns), source, ...(masked.length > 0 && { masked }) }
}

function maskedNames({ ingest, contract }: Asset['definition']): readonly string[] {
  return ingest.type === 'none' ? [] : namesOfEndedMarks(ingest, promisedTables(contract))
}

/** Returns whether a column of a raw table is personal: by a mark of the file or by a name, and not masked. */
export function isMarkedAtSource(
  marks: DeclaredMarks,
  marking: Marking,
  origin: ColumnOrigin,
  engine: Engine,
): boolean {
  if (isMaskedAtSource(marks, origin, engine)) return false
  return (
    (marking.declared && coversSource(marks.source, origin.source, origin.column, engine)) ||
    isNamed(marking, origin, engine)
  )
}

/** Returns whether a mask leaves nothing personal in a column of a raw table. */
export function isMaskedAtSource(
  { masked = [] }: Pick<DeclaredMarks, 'masked'>,
  { source, column }: ColumnOrigin,
  engine: Engine,
): boolean {
  return coversSource(masked, source, column, engine)
}

export function hasMarks({ columns, source }: DeclaredMarks): boolean {
  return source.length > 0 || Object.values(columns).includes(true)
}

/** Returns a name as marks have it: with that of the child table before it. */
function inTable(child: string | undefined, name: string): string {
  return child === undefined ? name : `${child}__${name}`
}

/** Returns the names of the marked columns of a contract, and of what is loaded below them. */
export function markedSource(contract: TablePromises | undefined): readonly string[] {
  const names = promisedTables(contract).flatMap(({ child, columns }) =>
    Object.entries(columns).flatMap(([name, { pii, from }]) =>
      pii ? [name, ...(from === undefined ? [] : [from])].map(each => inTable(child, each)) : [],
    ),
  )
  return [
    ...new Set(
      names.flatMap(name => [
        name,
        joined(name, part => part),
        joined(name, toSnakeCase),
        warehouseSpelling(name),
      ]),
    ),
  ]
}

/**
 * Returns whether a mark is about a column of a raw table: the column itself, or anything that it contains
 * (`profile` covers `profile__mail`, `contacts` covers all columns of the child table `contacts`).
 */
export function coversSource(
  marked: readonly string[],
  child: string | undefined,
  column: string,
  { fold }: Engine,
): boolean {
  if (marked.length === 0 || column.startsWith('_svc_')) return false
  const whole = fold(child === undefined || child === '' ? column : `${child}__${column}`)
  return marked.some(name => whole === fold(name) || whole.startsWith(`${fold(name)}__`))
}

/** Returns the facts of the assets of a project as its files are now. */
export function factsOfFiles(
  assetOf: (name: string) => MarkedAsset | undefined,
  engine: Engine,
  analysis: ProjectAnalysis | undefined,
): (name: string) => PersonalFacts | undefined {
  return name => {
    const asset = assetOf(name)
    if (asset === undefined) return undefined
    const { lineage = [], complete = false } = analysis?.of(name) ?? {}
    return {
      asset: name,
      lineage,
      complete,
      declared: declaredMarks(asset, engine),
      parent: parent => parent,
    }
  }
}
