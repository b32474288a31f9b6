import { nodeAt } from '../project/locate.ts'
import type { Asset } from '../project/project.ts'
import { type PlacedColumn, placedColumns } from '../source/parent-columns.ts'
import { forEachOf } from '../sources/index.ts'
import type { ProjectCheck } from './check.ts'
import { hasColumn, knownColumns } from './columns.ts'
import { unknownColumn } from './suggestion.ts'

export const forEachColumn: ProjectCheck = {
  code: 'for-each-column',
  doc: '`for_each`, or a placeholder of it, names a column that the other asset does not deliver.',
  *run(asset, { others, project: { engine } }) {
    const parent = forEachOf(asset.definition.ingest)?.asset
    if (parent === undefined) return
    const columns = knownColumns(others?.of(parent))
    if (columns === undefined) return
    for (const { column, range } of [...listedColumns(asset), ...placedColumns(asset.text, asset.tree)]) {
      // The schema says what is empty.
      if (column === '' || hasColumn(columns, column, engine)) continue
      yield unknownColumn(column, { path: asset.path, range }, { owner: parent, columns })
    }
  },
}

function listedColumns({ tree }: Asset): readonly PlacedColumn[] {
  return ['columns', 'carry'].flatMap(key => {
    const node = nodeAt(tree, ['ingest', 'for_each', key])
    const items = node?.kind === 'sequence' ? node.items : node === undefined ? [] : [node]
    return items.flatMap(item =>
      item.kind === 'scalar' ? [{ column: String(item.value), range: item.bodyRange }] : [],
    )
  })
}
