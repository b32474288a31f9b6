import { targetNames } from '../destinations/target.ts'
import { locate, nodeAt } from '../project/locate.ts'
import type { Asset, Settings } from '../project/project.ts'
import type { Range } from '../text/range.ts'
import type { ProjectCheck } from './check.ts'
import { hasColumn, knownOwnColumns } from './columns.ts'
import { unknownColumn } from './suggestion.ts'

export const publishUnknownColumn: ProjectCheck = {
  code: 'publish-unknown-column',
  doc: 'A target under `publish`, or its destination in `svc.yaml`, names a column that the asset does not have, as its key or as a field.',
  *run(asset, { project: { engine, settings }, analysis }) {
    const columns = knownOwnColumns(analysis)
    if (columns === undefined) return
    const owner = { owner: asset.name, columns }
    for (const target of targetNames(asset)) {
      for (const { column, range } of ownColumns(asset, target)) {
        if (!hasColumn(columns, column, engine))
          yield unknownColumn(column, { path: asset.path, range }, owner, 'in publish')
      }
      const range = locate(asset, ['publish', target], 'key')
      for (const { column, key } of sharedColumns(asset, target, settings)) {
        if (hasColumn(columns, column, engine)) continue
        // The name stands in another file, where no fix of this one belongs.
        const { message, hint } = unknownColumn(
          column,
          { path: asset.path, range },
          owner,
          `in destinations.${target}.${key} of svc.yaml`,
        )
        yield { range, message, ...(hint !== undefined && { hint }) }
      }
    }
  },
}

interface NamedColumn {
  readonly column: string
  readonly range: Range
}

function ownColumns(asset: Asset, target: string): readonly NamedColumn[] {
  const { key = [], fields = {} } = asset.definition.publish[target] ?? {}
  const at = ['publish', target]
  const isList = nodeAt(asset.tree, [...at, 'key'])?.kind === 'sequence'
  return [
    ...key.map((column, index) => ({ column, path: isList ? [...at, 'key', index] : [...at, 'key'] })),
    ...Object.entries(fields).map(([name, column]) => ({ column, path: [...at, 'fields', name] })),
  ].map(({ column, path }) => ({ column, range: locate(asset, path) }))
}

/** The columns that `svc.yaml` names for every asset that is published there; keys of the asset's own lead. */
function sharedColumns({ definition }: Asset, target: string, { destinations }: Settings) {
  const own = definition.publish[target] ?? {}
  const { key = [], fields = {} } = destinations[target] ?? {}
  return [
    ...(own.key === undefined ? key.map(column => ({ column, key: 'key' })) : []),
    ...(own.fields === undefined
      ? Object.entries(fields).map(([name, column]) => ({ column, key: `fields.${name}` }))
      : []),
  ]
}
