/** Columns of an asset and of its source as far as they are known, also while its SQL is broken. */
import type { Column } from '../analysis.ts'
import type { Asset } from '../project/project.ts'
import type { RawColumn } from '../source/source-shape.ts'
import type { Knowledge } from './knowledge.ts'
import { namedOnly } from './sql/output-columns.ts'
import { readSql } from './sql/scope-at.ts'
import { sqlWorld } from './sql/sql-world.ts'

/** Output columns: of the SQL as it stands, with the types that the catalogue last knew. */
export function outputColumns(knowledge: Knowledge, asset: Asset): readonly Column[] {
  const analysed = knowledge.analysis.of(asset.name)
  if (analysed !== undefined && analysed.columns.length > 0) return analysed.columns
  if (asset.sql === undefined) return []
  const reading = readSql(asset.sql.text, sqlWorld(knowledge, asset))
  const [statement] = reading.statements
  return statement === undefined ? [] : namedOnly(reading.outputs.output(statement)).columns
}

/** Columns of the source, those that svc adds left out; empty while nothing is known. */
export function sourceColumns(knowledge: Knowledge, asset: Asset, child?: string): readonly RawColumn[] {
  const table = knowledge.sources.get(asset.name)?.find(each => each.child === child)
  return (table?.columns ?? []).filter(column => !column.system)
}
