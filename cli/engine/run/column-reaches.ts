/**
 * Finds what a column that goes away takes with it. The files as they are cannot tell: SQL that names a missing column has no
 * lineage. So they are looked at once more with the column put back, by the function that draws its path.
 */
import {
  type Column,
  type ColumnReach,
  columnReach,
  type Diagnostic,
  type Engine,
  lineageBook,
  type Project,
  type ProjectAnalysis,
} from '@svc/server/language'
import { removedColumns } from '../plan/column-changes.ts'
import type { Breakage } from '../plan/plan.ts'
import type { StateSnapshot } from '../state/state.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { fileErrors } from './check-files.ts'

/** A column that was live and that the files have no more. */
interface Removed {
  readonly asset: string
  readonly column: string
  readonly reach: ColumnReach
  readonly breaks: readonly Breakage[]
}

export interface ColumnReaches {
  /** Returns undefined if the column does not go away. */
  of(asset: string, column: string): Pick<Removed, 'reach' | 'breaks'> | undefined
  /** The errors of files that are there because columns go away. */
  readonly breaks: readonly Breakage[]
}

export const noReaches: ColumnReaches = { of: () => undefined, breaks: [] }

/** The catalogue of the workspace knows the files as they are again afterwards. */
export async function columnReaches(
  workspace: Workspace,
  analysis: ProjectAnalysis,
  state: StateSnapshot,
  names: readonly string[],
): Promise<ColumnReaches> {
  const { project, catalog, sources, signal } = workspace
  const gone = goneColumns(project, analysis, state, names)
  if (gone.size === 0) return noReaches
  const errors = fileErrors(workspace, analysis, undefined)
  const found: Removed[] = []
  while (gone.size > 0) {
    const tops = uppermost(project, gone)
    const texts = tops.map(name => standIn(project, analysis, name, gone.get(name) ?? []))
    const before = await catalog.analyze(project.withFiles(new Map(texts)), sources, {
      signal,
      unitTests: 'none',
    })
    const book = lineageBook(project, before)
    const pass: Removed[] = []
    for (const [asset, columns] of gone) {
      const isThere = (column: Column) =>
        before.of(asset)?.columns.some(each => project.engine.sameName(each.name, column.name)) === true
      for (const { name: column } of columns.filter(isThere)) {
        const reach = columnReach(book, asset, column)
        if (reach !== undefined) pass.push({ asset, column, reach, breaks: [] })
      }
      const rest = columns.filter(column => !isThere(column))
      if (rest.length === 0 || tops.includes(asset)) gone.delete(asset)
      else gone.set(asset, rest)
    }
    const stay = new Set(errors.length === 0 ? [] : fileErrors(workspace, before, undefined).map(errorKey))
    const own = new Set(tops.map(name => project.byName.get(name)?.path))
    const vanished = errors.filter(error => !stay.has(errorKey(error)) && !own.has(error.path))
    found.push(...withBreaks(workspace, pass, vanished))
  }
  await catalog.analyze(project, sources, { signal })
  const { fold } = project.engine
  const byKey = new Map(found.map(each => [`${each.asset}\n${fold(each.column)}`, each]))
  return {
    of: (asset, column) => byKey.get(`${asset}\n${fold(column)}`),
    breaks: found.flatMap(({ breaks }) => breaks),
  }
}

function goneColumns(
  project: Project,
  analysis: ProjectAnalysis,
  state: StateSnapshot,
  names: readonly string[],
): Map<string, readonly Column[]> {
  return new Map(
    names.flatMap(name => {
      const columns = removedColumns(project, analysis, name, state.live.get(name)?.columns ?? [])
      return columns.length === 0 ? [] : [[name, columns] as const]
    }),
  )
}

/** A column that an asset lacks because what it reads lacks it comes back with that one. */
function uppermost(project: Project, gone: ReadonlyMap<string, unknown>): readonly string[] {
  const below = new Set<string>()
  const queue = [...gone.keys()]
  for (const name of queue)
    for (const child of project.children(name)) {
      if (below.has(child)) continue
      below.add(child)
      queue.push(child)
    }
  const tops = [...gone.keys()].filter(name => !below.has(name))
  return tops.length === 0 ? [...gone.keys()] : tops
}

/** Returns a file in the place of an asset's own, which has its columns and those that went, and nothing else. */
function standIn(
  project: Project,
  analysis: ProjectAnalysis,
  name: string,
  gone: readonly Column[],
): readonly [path: string, text: string] {
  const columns = [...(analysis.of(name)?.columns ?? []), ...gone]
  const items = columns.map(column => columnSql(column, project.engine))
  const path = project.byName.get(name)?.path ?? ''
  return [path, `name: ${name}\ningest: none\ntransform: |\n  SELECT ${items.join(', ')}\n`]
}

function columnSql({ name, type }: Column, { quote }: Engine): string {
  const value = type === undefined ? 'NULL' : `CAST(NULL AS ${type})`
  return `${value} AS ${quote(name)}`
}

function errorKey({ path, range, code }: Diagnostic): string {
  return `${path}\n${range.start}\n${code}`
}

/** Gives each error to the column that it names, else to one that its asset has something of. */
function withBreaks(
  { project, textOf }: Workspace,
  removed: readonly Removed[],
  errors: readonly Diagnostic[],
): readonly Removed[] {
  const breaks = new Map<Removed, Breakage[]>()
  for (const { path, range } of errors) {
    const asset = project.assets.get(path)?.name
    const named = (textOf(path) ?? '').slice(range.start, range.end).toLowerCase()
    const reaching = removed.filter(({ reach }) => asset !== undefined && isReached(reach, asset))
    const cause = reaching.find(({ column }) => named.includes(column.toLowerCase())) ?? reaching[0]
    if (asset === undefined || cause === undefined) continue
    breaks.set(cause, [...(breaks.get(cause) ?? []), { asset, path, column: cause.column, range }])
  }
  return removed.map(each => ({ ...each, breaks: breaks.get(each) ?? [] }))
}

function isReached({ columns, uses }: ColumnReach, asset: string): boolean {
  return columns.some(each => each.asset === asset) || uses.some(each => each.asset === asset)
}
