/**
 * Which output columns hold personal data: those that a file says so of, and those that carry such a column of a
 * source or of a parent on, under whatever name. Rows of a failed test are shown without them.
 */
import type { Asset, ColumnOrigin, Project, ProjectAnalysis } from '@svc/server/language'

export interface PersonalColumns {
  /** Lower-case names of an asset's personal output columns. */
  of(asset: string): ReadonlySet<string>
  /** Whether a column that SQL reads is personal. */
  carries(origin: ColumnOrigin): boolean
}

export function personalColumns(project: Project, analysis: ProjectAnalysis): PersonalColumns {
  // Nothing is personal where no file says so: large projects need not follow every column.
  if (!namesPersonal(project)) return { of: () => none, carries: () => false }
  const known = new Map<string, ReadonlySet<string>>()
  const find = (name: string): ReadonlySet<string> => {
    const done = known.get(name)
    if (done !== undefined) return done
    known.set(name, new Set())
    const found = columnsOf(name, project, analysis, find)
    known.set(name, found)
    return found
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

/** Whether any file says of a column that it is personal. */
export function namesPersonal(project: Project): boolean {
  return [...project.byName.values()].some(says)
}

/** Names under which personal values may stand in a record: marked ones, and those that marked columns are made of. */
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
  // A column named in the contract most often keeps its name; lineage finds it where it does not.
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
 * Rows with personal values masked. `known`: the asset's own columns, when rows may hold others (an alias in a `sql`
 * test): then only columns known to be harmless stay readable.
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
