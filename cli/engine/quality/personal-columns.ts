/**
 * Determines the output columns with personal data: columns that a file marks, and columns that carry a
 * marked column of a source or a parent, under any name. Rows of a failed test are shown without them.
 */
import type { Asset, ColumnOrigin, Project, ProjectAnalysis } from '@svc/server/language'

export interface PersonalColumns {
  /** Returns the lower-case names of an asset's personal output columns. */
  of(asset: string): ReadonlySet<string>
  /** Returns whether a column that SQL reads is personal. */
  carries(origin: ColumnOrigin): boolean
}

export function personalColumns(project: Project, analysis: ProjectAnalysis): PersonalColumns {
  // If no file marks a column, large projects need not trace any lineage.
  if (!namesPersonal(project)) return { of: () => none, carries: () => false }
  const known = new Map<string, ReadonlySet<string>>()
  const find = (name: string): ReadonlySet<string> => {
    const done = known.get(name)
    if (done !== undefined) return done
    known.set(name, new Set())
    const columns = columnsOf(name, project, analysis, find)
    known.set(name, columns)
    return columns
  }
  return {
    of: find,
    carries({ asset, column, source }) {
      const inSource = project.byName.get(asset)?.definition.contract?.columns ?? {}
      const names = source === undefined ? find(asset) : new Set(marked(inSource))
      return names.has(column.toLowerCase())
    },
  }
}

const none: ReadonlySet<string> = new Set()

/** Returns whether any file marks a column as personal. */
export function namesPersonal(project: Project): boolean {
  return [...project.byName.values()].some(says)
}

/**
 * Returns the names under which personal values may be in a record: marked columns, and the columns that they
 * are made of.
 */
export function personalNames(
  asset: Asset,
  project: Project,
  analysis: ProjectAnalysis,
): ReadonlySet<string> {
  const names = new Set(personalColumns(project, analysis).of(asset.name))
  for (const [name, { pii, from }] of Object.entries(asset.definition.contract?.columns ?? {})) {
    if (pii) for (const each of [name, from ?? name]) names.add(each.toLowerCase())
  }
  for (const { column, from } of analysis.of(asset.name)?.lineage ?? []) {
    if (!names.has(column.toLowerCase())) continue
    for (const origin of from) if (origin.source !== undefined) names.add(origin.column.toLowerCase())
  }
  return names
}

function says({ definition }: Asset): boolean {
  return marked(definition.columns).length + marked(definition.contract?.columns ?? {}).length > 0
}

function columnsOf(
  name: string,
  project: Project,
  analysis: ProjectAnalysis,
  find: (name: string) => ReadonlySet<string>,
): ReadonlySet<string> {
  const definition = project.byName.get(name)?.definition
  if (definition === undefined) return new Set()
  const personal = new Set(marked(definition.columns))
  const inSource = new Set(marked(definition.contract?.columns ?? {}))
  // A column that the contract marks usually keeps its name; lineage finds it if it does not.
  for (const column of inSource) personal.add(column)
  const carries = ({ asset, column, source }: ColumnOrigin) =>
    source === undefined ? find(asset).has(column.toLowerCase()) : inSource.has(column.toLowerCase())
  for (const { column, from } of analysis.of(name)?.lineage ?? []) {
    if (from.some(carries)) personal.add(column.toLowerCase())
  }
  return personal
}

function marked(columns: Readonly<Record<string, { readonly pii: boolean }>>): string[] {
  return Object.entries(columns)
    .filter(([, { pii }]) => pii)
    .map(([column]) => column.toLowerCase())
}

const mask = '***'

/**
 * Returns rows with personal values masked. Pass the asset's own columns as `known` if rows may have others
 * (an alias in a `sql` test): then only columns known to be harmless stay readable.
 */
export function maskRows(
  rows: readonly Readonly<Record<string, unknown>>[],
  personal: ReadonlySet<string>,
  harmless: ReadonlySet<string> | undefined,
): Readonly<Record<string, unknown>>[] {
  if (personal.size === 0) return [...rows]
  const hides = (column: string) => personal.has(column) || (harmless !== undefined && !harmless.has(column))
  return rows.map(row =>
    Object.fromEntries(
      Object.entries(row).map(([column, value]) => [
        column,
        value !== null && hides(column.toLowerCase()) ? mask : value,
      ]),
    ),
  )
}
