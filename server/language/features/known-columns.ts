/** Columns of an asset and of its source as far as they are known, also while its SQL is broken. */
import type { Column } from '../analysis.ts'
import type { Asset } from '../project/project.ts'
import type { RawColumn } from '../source/source-shape.ts'
import type { Column as BoundColumn } from '../sql/binder/model.ts'
import type { Knowledge } from './knowledge.ts'
import { transformOf } from './names/mentions.ts'
import { typeOfValue } from './sql/column-types.ts'
import { namedColumns } from './sql/tables-in-sight.ts'

/** Returns the output columns that the catalogue last knew, or else those of the present SQL. */
export function outputColumns(knowledge: Knowledge, asset: Asset): readonly Column[] {
  const analysed = knowledge.analysis.of(asset.name)
  if (analysed !== undefined && analysed.columns.length > 0) return analysed.columns
  return knownColumns(knowledge, transformOf(knowledge, asset)?.bound.output.columns ?? [])
}

/** Returns the names of the transform's CTEs that a unit test may refer to. */
export function cteNames(knowledge: Knowledge, asset: Asset): readonly string[] {
  const names = transformOf(knowledge, asset)?.bound.query?.ctes.map(({ name }) => name.text)
  return [...new Set(names)].filter(name => name !== '')
}

/** Returns undefined if the transform has no CTE of that name. */
export function cteColumns(knowledge: Knowledge, asset: Asset, cte: string): readonly Column[] | undefined {
  const { sameName } = knowledge.project.engine
  const boundCte = transformOf(knowledge, asset)?.bound.ctes.findLast(each =>
    sameName(each.cte.name.text, cte),
  )
  return boundCte && knownColumns(knowledge, boundCte.columns)
}

function knownColumns({ project }: Knowledge, columns: readonly BoundColumn[]): readonly Column[] {
  return namedColumns(columns).map(({ name, value }) => ({
    name,
    type: typeOfValue(project.engine.types, value),
  }))
}

/** Returns the columns of the source without those that svc adds; empty if they are not known. */
export function sourceColumns(knowledge: Knowledge, asset: Asset, child?: string): readonly RawColumn[] {
  const table = knowledge.sources.get(asset.name)?.find(each => each.child === child)
  return (table?.columns ?? []).filter(column => !column.system)
}
