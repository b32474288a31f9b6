/** Determines the visible rows of a project: those of its newest complete upload. */
import type { Pace } from '../../http/pace.ts'
import { columnsOf } from '../../storage/column-text.ts'
import type { Cell, Queries } from '../../storage/index.ts'
import type { PackColumn } from '../pack/pack.ts'

/** What a request reads: what the upload `head` made visible. */
export interface Reading {
  readonly queries: Queries
  readonly head: number
  readonly pace: Pace
}

/** Returns the visible upload of the project; 0 if there was none. */
export async function headOf(queries: Queries, project: number): Promise<number> {
  const row = await queries.first('select upload_id from metadata_head where project_id = ?', [project])
  return Number(row?.['upload_id'] ?? 0)
}

/**
 * Returns a condition on a table with `from_upload` and `to_upload`; its two parameters are the head. The
 * plus keeps planners from using an index, because nearly all rows match.
 */
export function visible(table: string): string {
  return `+${table}.from_upload <= ? and (${table}.to_upload is null or ${table}.to_upload > ?)`
}

export function jsonOf<T>(cell: Cell | undefined): T {
  return JSON.parse(String(cell)) as T
}

/** Returns null if the columns are unknown. */
export function nullableColumns(cell: Cell | undefined): readonly PackColumn[] | null {
  return cell === null || cell === undefined ? null : columnsOf(String(cell))
}

export function textOrNull(cell: Cell | undefined): string | null {
  return cell === null || cell === undefined ? null : String(cell)
}
