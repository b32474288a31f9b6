/** Columns of an asset and of its source as far as they are known, also while its SQL is broken. */
import type { Column } from '../analysis.ts'
import type { Asset } from '../project/project.ts'
import type { RawColumn } from '../source/source-shape.ts'
import type { Knowledge } from './knowledge.ts'
import { boundBlocks } from './sql/bound-sql.ts'
import { typeText } from './sql/column-types.ts'
import { namedColumns } from './sql/tables-in-sight.ts'

/** Output columns: of the SQL as it stands, with the types that the catalogue last knew. */
export function outputColumns(knowledge: Knowledge, asset: Asset): readonly Column[] {
  const analysed = knowledge.analysis.of(asset.name)
  if (analysed !== undefined && analysed.columns.length > 0) return analysed.columns
  const transform = boundBlocks(knowledge, asset).find(({ block }) => block.path[0] === 'transform')
  return namedColumns(transform?.bound.output.columns ?? []).map(({ name, value }) => ({
    name,
    type: typeText(value.type),
  }))
}

/** Columns of the source, those that svc adds left out; empty while nothing is known. */
export function sourceColumns(knowledge: Knowledge, asset: Asset, child?: string): readonly RawColumn[] {
  const table = knowledge.sources.get(asset.name)?.find(each => each.child === child)
  return (table?.columns ?? []).filter(column => !column.system)
}
