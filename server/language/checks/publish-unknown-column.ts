import { targetNames } from '../destinations/target.ts'
import { locate, nodeAt } from '../project/locate.ts'
import type { Asset } from '../project/project.ts'
import type { ProjectCheck } from './check.ts'
import { hasColumn, knownOwnColumns } from './columns.ts'
import { unknownColumn } from './suggestion.ts'

export const publishUnknownColumn: ProjectCheck = {
  code: 'publish-unknown-column',
  doc: 'A target under `publish` names a column that the asset does not have, as its key or as a field.',
  *run(asset, { project, analysis }) {
    const columns = knownOwnColumns(analysis)
    if (columns === undefined) return
    for (const { column, path } of targetNames(asset).flatMap(target => namedColumns(asset, target))) {
      if (hasColumn(columns, column, project.engine)) continue
      const place = { path: asset.path, range: locate(asset, path) }
      yield unknownColumn(column, place, { owner: asset.name, columns }, 'in publish')
    }
  },
}

interface NamedColumn {
  readonly column: string
  readonly path: readonly (string | number)[]
}

/** What `svc.yaml` says for every asset has no place in this file. */
function namedColumns(asset: Asset, target: string): readonly NamedColumn[] {
  const { key = [], fields = {} } = asset.definition.publish[target] ?? {}
  const at = ['publish', target]
  const isList = nodeAt(asset.tree, [...at, 'key'])?.kind === 'sequence'
  return [
    ...key.map((column, index) => ({ column, path: isList ? [...at, 'key', index] : [...at, 'key'] })),
    ...Object.entries(fields).map(([name, column]) => ({ column, path: [...at, 'fields', name] })),
  ]
}
