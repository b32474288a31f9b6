/**
 * Determines the personal columns of a project as its files are now: columns that a file marks or a policy names,
 * and columns that carry their values under any name. Rows of a failed test are shown without them.
 */
import {
  type Asset,
  type ColumnOrigin,
  declaredMarks,
  type Engine,
  hasMarks,
  type Marking,
  markedSource,
  namesPersonal,
  once,
  type Project,
  type ProjectAnalysis,
  projectFlow,
  type QueryMarks,
  queryMarks,
  type SqlTemplate,
  wholeMarking,
} from '@svc/server/language'
import { isReadAsQuery } from '../run/build-records.ts'

export interface PersonalColumns {
  /** Returns the lower-case names of an asset's personal output columns. */
  of(asset: string): ReadonlySet<string>
  /** Returns the lower-case names of the columns that personal data has an influence on, these included. */
  touched(asset: string): ReadonlySet<string>
  /** Returns whether a column that the SQL of an asset reads is personal. */
  carries(origin: ColumnOrigin): boolean
  /** Returns what a query of the asset, its transform or one of a test, shows of personal data. */
  inQuery(asset: Asset, template: SqlTemplate): QueryMarks
  /** Returns whether a message about building an asset may quote personal values. */
  inMessages(asset: string): boolean
  /** Returns whether the asset, or a view that is computed with it, has personal columns. */
  isNear(asset: string): boolean
}

/** Without `marking`, personal is what any file marks or any policy names. */
export function personalColumns(
  project: Project,
  analysis: ProjectAnalysis,
  marking: Marking = wholeMarking(project.glossary.policies),
): PersonalColumns {
  // If no file marks a column, large projects need not trace any lineage.
  if (!namesPersonal(project)) return noPersonalColumns
  const flow = projectFlow(project, analysis, marking)
  const graded = (asset: string, isCounted: (grade: string) => boolean) => {
    const definition = project.byName.get(asset)?.definition
    const { columns = [], lineage = [] } = analysis.of(asset) ?? {}
    const names = [
      ...columns.map(({ name }) => name),
      ...lineage.map(({ column }) => column),
      ...Object.keys(definition?.columns ?? {}),
      // A marked column of the source usually keeps its name, if the SQL cannot be read.
      ...(analysis.of(asset)?.complete === true ? [] : markedSource(definition?.contract)),
    ]
    return new Set(
      names.filter(name => isCounted(flow.of(asset, name)?.grade ?? 'none')).map(name => name.toLowerCase()),
    )
  }
  const known = new Map<string, ReadonlySet<string>>()
  const ground = { project, analysis, carries: isPersonalOrigin }
  function isPersonalOrigin(origin: ColumnOrigin): boolean {
    return flow.ofOrigin(origin.asset, origin)?.grade === 'personal'
  }
  const personal: PersonalColumns = {
    of(asset) {
      const done = known.get(asset) ?? graded(asset, grade => grade === 'personal')
      known.set(asset, done)
      return done
    },
    touched: asset => graded(asset, grade => grade !== 'none'),
    carries: origin => flow.ofOrigin(origin.asset, origin) !== undefined,
    inQuery: (asset, template) => queryMarks(ground, asset, template),
    inMessages: upstream(project, name => {
      const asset = project.byName.get(name)
      if (asset === undefined) return false
      // Statements around a build, and its indexes, may compute with whatever the asset reads.
      if (hasAround(asset) && [name, ...project.parents(name)].some(personal.isNear)) return true
      return asset.sql !== undefined && queryMarks(ground, asset, asset.sql).inMessages
    }),
    isNear: upstream(project, name => personal.of(name).size > 0 || hasMarkedSource(project, name)),
  }
  return personal
}

const noPersonalColumns: PersonalColumns = {
  of: () => none,
  touched: () => none,
  carries: () => false,
  inQuery: () => ({ isPersonal: () => false, inMessages: false }),
  inMessages: () => false,
  isNear: () => false,
}

function hasAround({ hooks, definition }: Asset): boolean {
  return hooks.length > 0 || definition.deploy.indexes.length > 0
}

/** Returns whether readers of an asset compute its query themselves. */
function isInlined({ byName }: Project, name: string): boolean {
  const kind = byName.get(name)?.definition.deploy.materialize
  return kind !== undefined && isReadAsQuery(kind)
}

function hasMarkedSource({ byName }: Project, name: string): boolean {
  return markedSource(byName.get(name)?.definition.contract).length > 0
}

/** Returns a function that asks about an asset and everything that is computed with it, each once. */
function upstream(project: Project, holds: (name: string) => boolean): (name: string) => boolean {
  const known = new Map<string, boolean>()
  const ask = (name: string): boolean => {
    const done = known.get(name)
    if (done !== undefined) return done
    known.set(name, false)
    const answer =
      holds(name) || project.parents(name).some(parent => isInlined(project, parent) && ask(parent))
    known.set(name, answer)
    return answer
  }
  return ask
}

const none: ReadonlySet<string> = new Set()

/**
 * Returns the names under which personal values may be in a record: marked columns, and the columns that they
 * are made of.
 */
export function personalNames(
  asset: Asset,
  project: Project,
  analysis: ProjectAnalysis,
  personal = personalColumns(project, analysis),
): ReadonlySet<string> {
  const names = new Set(personal.of(asset.name))
  for (const name of markedSource(asset.definition.contract)) names.add(name.toLowerCase())
  for (const { column, from } of analysis.of(asset.name)?.lineage ?? []) {
    if (!names.has(column.toLowerCase())) continue
    for (const origin of from) if (origin.source !== undefined) names.add(origin.column.toLowerCase())
  }
  return names
}

/** Returns what of the records of each source no message may repeat. The files of the project are looked through once for all. */
export function personalInSources(
  project: Project,
  analysis: ProjectAnalysis,
): (asset: Asset) => { readonly any: boolean; column(name: string): boolean } {
  const personal = once(() => personalColumns(project, analysis))
  return asset => {
    const names = once(() => personalNames(asset, project, analysis, personal()))
    return {
      any: mayBePersonal(project, asset),
      column: name => names().has(name.toLowerCase()),
    }
  }
}

/** Returns whether the source of an asset may have personal columns; what policies name may be in any. */
export function mayBePersonal(
  { glossary, engine }: Pick<Project, 'glossary' | 'engine'>,
  asset: Asset,
): boolean {
  return (
    hasMarks(declaredMarks(asset, engine)) ||
    glossary.policies.some(({ piiColumns }) => piiColumns.length > 0)
  )
}

/** Returns whether the file of an asset declares that a column is not personal. */
export function isHarmless(asset: Asset, column: string, engine: Engine): boolean {
  return isDeclared(asset, column, false, engine)
}

/** Returns whether the file of an asset says this of a column. */
export function isDeclared(asset: Asset, column: string, isPersonal: boolean, engine: Engine): boolean {
  return Object.entries(declaredMarks(asset, engine).columns).some(
    ([name, pii]) => pii === isPersonal && engine.sameName(name, column),
  )
}

const mask = '***'

/** Returns rows with personal values masked. */
export function maskRows(
  rows: readonly Readonly<Record<string, unknown>>[],
  personal: ReadonlySet<string>,
): Readonly<Record<string, unknown>>[] {
  if (personal.size === 0) return [...rows]
  return rows.map(row =>
    Object.fromEntries(
      Object.entries(row).map(([column, value]) => [
        column,
        value !== null && personal.has(column.toLowerCase()) ? mask : value,
      ]),
    ),
  )
}
