/** Which rows of a project are to be seen: those of its newest complete upload. */
import type { Cell, Queries } from '../../storage/index.ts'

/** The upload that the project shows; 0: there was none. */
export async function headOf(queries: Queries, project: number): Promise<number> {
  const row = await queries.first('select upload_id from metadata_head where project_id = ?', [project])
  return Number(row?.['upload_id'] ?? 0)
}

/**
 * Condition on a table with `from_upload` and `to_upload`; takes the head twice. The plus keeps planners from using an
 * index for it: nearly all rows fulfil it.
 */
export function visible(table: string): string {
  return `+${table}.from_upload <= ? and (${table}.to_upload is null or ${table}.to_upload > ?)`
}

export function jsonOf<T>(cell: Cell | undefined): T {
  return JSON.parse(String(cell)) as T
}

export function nullableJson<T>(cell: Cell | undefined): T | null {
  return cell === null || cell === undefined ? null : jsonOf<T>(cell)
}

export function textOrNull(cell: Cell | undefined): string | null {
  return cell === null || cell === undefined ? null : String(cell)
}
