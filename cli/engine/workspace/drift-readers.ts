/**
 * Finds the readers of a column of a source that is missing or has another type: places in the asset's own
 * SQL, and downstream places that depend on it. Pure.
 */
import type { DriftChange } from '@svc/server/contract'
import type { AssetAnalysis, ColumnOrigin, Project, ProjectAnalysis } from '@svc/server/language'
import type { Breakage } from '../plan/plan.ts'

export type DriftReader = Breakage

export interface DriftReach {
  /** The readers in the order of the project, the asset itself first. */
  readonly readers: readonly DriftReader[]
  /** The output columns that are made from it, in the asset and downstream. */
  readonly columns: readonly { readonly asset: string; readonly column: string }[]
}

/** Returns nothing for a new column, which has no readers yet. */
export function driftReach(
  project: Project,
  analysis: ProjectAnalysis,
  name: string,
  change: DriftChange,
): DriftReach {
  if (change.kind === 'added') return { readers: [], columns: [] }
  const { fold, sameName } = project.engine
  const isSource = ({ asset, source, column }: ColumnOrigin) =>
    asset === name && source === (change.child ?? '') && (!change.column || sameName(column, change.column))
  const readers: DriftReader[] = []
  const columns: { asset: string; column: string }[] = []
  const queue = [{ asset: name, isOrigin: isSource }]
  const seen = new Set<string>()
  for (const { asset, isOrigin } of queue) {
    const reader = analysis.of(asset)
    if (reader === undefined) continue
    readers.push(...placesIn(project, reader, isOrigin))
    for (const column of madeOf(reader, isOrigin)) {
      const key = `${asset}\n${fold(column)}`
      if (seen.has(key)) continue
      seen.add(key)
      columns.push({ asset, column })
      const isColumn = (origin: ColumnOrigin) =>
        origin.asset === asset && origin.source === undefined && sameName(origin.column, column)
      for (const child of project.children(asset)) queue.push({ asset: child, isOrigin: isColumn })
    }
  }
  return { readers: placesOnce(readers), columns }
}

/** Reports a place once, even if it names two columns with the same origin. */
function placesOnce(readers: readonly DriftReader[]): DriftReader[] {
  const known = new Map(
    readers.map(reader => [`${reader.path}\n${reader.range.start}\n${reader.column}`, reader]),
  )
  return [...known.values()]
}

function placesIn(
  project: Project,
  reader: AssetAnalysis,
  isOrigin: (origin: ColumnOrigin) => boolean,
): DriftReader[] {
  const path = project.byName.get(reader.name)?.path ?? ''
  return reader.uses
    .filter(({ origin }) => isOrigin(origin))
    .map(({ origin, range }) => ({ asset: reader.name, path, column: origin.column, range }))
}

function madeOf(reader: AssetAnalysis, isOrigin: (origin: ColumnOrigin) => boolean): string[] {
  return reader.lineage.filter(({ from }) => from.some(isOrigin)).map(({ column }) => column)
}
