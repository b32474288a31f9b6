import type { Asset } from '../project/project.ts'
import type { NodePath } from '../syntax/node.ts'
import type { ProjectCheck } from './check.ts'
import { hasColumn, knownColumns, knownOwnColumns } from './columns.ts'
import { removeHere } from './fix.ts'
import { itemRange } from './places.ts'
import { unknownColumn } from './suggestion.ts'

export const constraintUnknownColumn: ProjectCheck = {
  code: 'constraint-unknown-column',
  doc: 'A key of `contract.constraints` names a column that its asset does not deliver.',
  *run(asset, { analysis, others, project: { engine } }) {
    const keys = keysOf(asset)
    if (keys.length === 0) return
    const own = knownOwnColumns(analysis)
    for (const { names, path, of } of keys) {
      const owner = of ?? asset.name
      const columns = of === undefined || of === asset.name ? own : knownColumns(others?.of(of))
      for (const name of names) {
        if (columns === undefined || hasColumn(columns, name, engine)) continue
        const place = { path: asset.path, range: itemRange(asset, path, name) }
        yield unknownColumn(name, place, { owner, columns })
      }
    }
  },
  fix: (problem, asset) => removeHere(problem, asset, 'Remove it from the keys'),
}

interface Named {
  readonly names: readonly string[]
  readonly path: NodePath
  /** The other asset whose columns they are. */
  readonly of?: string
}

function keysOf({ definition }: Asset): readonly Named[] {
  const { primaryKey = [], unique = [], foreignKeys = [] } = definition.contract?.constraints ?? {}
  const at = ['contract', 'constraints']
  return [
    { names: primaryKey, path: [...at, 'primary_key'] },
    ...unique.map((names, index) => ({ names, path: [...at, 'unique', index] })),
    ...foreignKeys.flatMap(({ columns, references, to }, index) => [
      { names: columns, path: [...at, 'foreign_keys', index, 'columns'] },
      { names: to, path: [...at, 'foreign_keys', index, 'to'], of: references },
    ]),
  ]
}
