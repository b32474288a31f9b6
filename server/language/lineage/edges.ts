/** The lineage of a project as edges, from its files and what is known of their SQL. Pure. */
import type { LineageEdge } from '../../contract/index.ts'
import type { AssetAnalysis, ColumnOrigin, ProjectAnalysis } from '../analysis.ts'
import { readTarget, targetNames } from '../destinations/target.ts'
import { doorOf } from '../personal/at-the-door.ts'
import { isHidden } from '../personal/flow.ts'
import type { Asset, Project } from '../project/project.ts'
import type { LineageBook } from './column-path.ts'

/** Returns what flows into an asset, and out of the project from it. */
export function edgesOf(asset: Asset, project: Project, analysis: ProjectAnalysis): LineageEdge[] {
  const { name, definition } = asset
  return [
    ...project.parents(name).map(parent => refEdge(parent, name, analysis.of(name))),
    ...definition.exposures.map(exposure => exposureEdge(name, exposure.name)),
    ...targetNames(asset).map(target => publishEdge(name, target)),
  ]
}

/** Returns a project's lineage as it is now; a catalogue has that of the last run. */
export function lineageBook(project: Project, analysis: ProjectAnalysis): LineageBook {
  return lineageOf([...project.byName.values()], project, analysis)
}

/** Returns the lineage of an asset and of all below it, which is enough to follow one of its columns down. */
export function lineageBelow(name: string, project: Project, analysis: ProjectAnalysis): LineageBook {
  const below = new Set([name])
  for (const each of below) for (const child of project.children(each)) below.add(child)
  const assets = [...below].flatMap(each => project.byName.get(each) ?? [])
  return lineageOf(assets, project, analysis)
}

/** Returns what flows into these assets, and out of the project from them. */
export function lineageOf(
  assets: readonly Asset[],
  project: Project,
  analysis: ProjectAnalysis,
): LineageBook {
  return {
    assets: assets.map(({ name }) => ({
      name,
      columns: (analysis.of(name)?.columns ?? []).map(column => ({ name: column.name, pii: false })),
    })),
    lineage: assets.flatMap(asset => edgesOf(asset, project, analysis)),
    publishes: assets.flatMap(asset =>
      targetNames(asset).map(target => ({
        name: target,
        asset: asset.name,
        ...sentTo(asset, target, project),
      })),
    ),
    exposures: assets.flatMap(({ name, definition }) =>
      definition.exposures.map(exposure => ({ name: exposure.name, asset: name })),
    ),
  }
}

/** Returns which columns a target gets; all of them where it names none. */
export function sentTo(asset: Asset, name: string, { settings }: Pick<Project, 'settings'>) {
  const { target } = readTarget(asset, name, settings)
  return {
    fields: target?.fields ?? null,
    ...(target?.fields !== undefined && target.key.length > 0 && { key: target.key }),
  }
}

function refEdge(parent: string, name: string, analysis: AssetAnalysis | undefined): LineageEdge {
  const isOfParent = (origin: ColumnOrigin) => origin.asset === parent && origin.source === undefined
  const columns = (analysis?.lineage ?? []).flatMap(each =>
    each.from.filter(isOfParent).map(origin => ({
      from: origin.column,
      to: each.column,
      ...(each.kind === 'derived' && { transform: each.transform ?? 'computed' }),
      ...(isHidden(each, origin) && { masking: true as const }),
    })),
  )
  const uses = (analysis?.rowUses ?? []).flatMap(({ origin, clauses }) =>
    isOfParent(origin) ? [{ column: origin.column, clauses: [...clauses] }] : [],
  )
  return { from: parent, to: name, kind: 'ref', columns, ...(uses.length > 0 && { uses }) }
}

function exposureEdge(asset: string, exposure: string): LineageEdge {
  return { from: asset, to: exposure, kind: 'exposure', columns: [] }
}

/** What is sent is in the catalogue. */
function publishEdge(asset: string, target: string): LineageEdge {
  return { from: asset, to: doorOf(target), kind: 'publish', columns: [] }
}
