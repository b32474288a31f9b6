/** What SQL over the records of a source calls them, beside the columns of the source. */
import { internalName } from '@svc/server/language'

/** The row of a record: a FROM clause with records has this alias. */
export const recordName = internalName('record')
/** The column of a record as a whole, in JSON. */
export const rawName = internalName('raw')

/** Returns a FROM clause with the rows of another as JSON. */
export function rowsAsJson(from: string): string {
  return `(SELECT to_json(${recordName}) AS ${rawName} FROM ${from} AS ${recordName})`
}

/** Limits a FROM clause to `maxRows` rows, and adds the guard condition. */
export function limitedRecords(from: string, guard: string | undefined, maxRows: number | undefined): string {
  if (guard === undefined && maxRows === undefined) return from
  const where = guard === undefined ? '' : ` WHERE ${guard}`
  return `(SELECT * FROM ${from}${where}${maxRows === undefined ? '' : ` LIMIT ${maxRows}`})`
}
