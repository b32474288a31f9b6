/** Renders the assets of a selector: names only for scripts, a table for people, JSON for programs. */
import type { JsonOf } from '@svc/server/contract'
import type { Asset, Project } from '@svc/server/language'
import type { Style } from './style.ts'
import { renderTable } from './table.ts'

export interface ListReport {
  readonly selector: string | undefined
  readonly project: Project
  /** Parents first. */
  readonly names: readonly string[]
}

export function renderList(report: ListReport, long: boolean, style: Style): string[] {
  if (!long || report.names.length === 0) return [...report.names]
  const rows = assetsOf(report).map(asset => [
    asset.name,
    asset.definition.deploy.materialize,
    asset.definition.ingest.type === 'none' ? '-' : asset.definition.ingest.type,
    asset.path,
    asset.definition.tags.join(', '),
  ])
  return renderTable(
    [
      { title: 'Asset', maxWidth: 40 },
      { title: 'Materialize' },
      { title: 'Ingest' },
      { title: 'File' },
      { title: 'Tags' },
    ],
    rows,
    style,
  )
}

function assetsOf({ project, names }: ListReport): Asset[] {
  return names.flatMap(name => project.byName.get(name) ?? [])
}

export function listJson(report: ListReport): JsonOf<'ls'> {
  return {
    selector: report.selector ?? null,
    assets: assetsOf(report).map(({ name, path, definition }) => ({
      name,
      path,
      kind: definition.ingest.type === 'none' ? 'model' : 'source',
      ingest: definition.ingest.type,
      materialize: definition.deploy.materialize,
      description: definition.description ?? null,
      owner: definition.owner ?? null,
      tags: definition.tags,
      upstream: report.project.parents(name),
      downstream: report.project.children(name),
    })),
  }
}
