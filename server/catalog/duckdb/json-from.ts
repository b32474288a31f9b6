/** The FROM clause of files of JSON records. */
import { quoteLiteral } from './quoting.ts'

export interface JsonRecords {
  readonly format: 'newline_delimited' | 'array'
  /** The type of each key that is read. */
  readonly columns: readonly (readonly [name: string, type: string])[]
  /** In bytes, where it is more than DuckDB's own. */
  readonly largest?: number | undefined
  /** Parameters of folders that are read as columns. */
  readonly partitions?: string
}

/**
 * Where one column is named, DuckDB guesses whether each value is an object with that key or the value itself: an object of 200
 * keys is then read as a whole, and so is one without any. `records` says that each is an object.
 *
 * @param files a literal, or a list of literals
 */
export function jsonFrom(files: string, { format, columns, largest, partitions = '' }: JsonRecords): string {
  const types = columns.map(([name, type]) => `${quoteLiteral(name)}: ${quoteLiteral(type)}`)
  const size = largest === undefined ? '' : `, maximum_object_size=${largest}`
  return `read_json(${files}, format='${format}', records=true, columns={${types.join(', ')}}${size}${partitions})`
}
