/** The parameters of readers of files for folders named `key=value`. */
import { quoteLiteral } from './quoting.ts'

/**
 * Returns the parameters, beginning with a comma. The values come as texts. Without keys the reader is told to leave the
 * folders alone: by itself it would take any `key=value` of the whole path for a column, also over one of the file.
 */
export function partitionParameters(keys: readonly string[]): string {
  if (keys.length === 0) return ', hive_partitioning=false'
  const types = keys.map(key => `${quoteLiteral(key)}: VARCHAR`).join(', ')
  return `, hive_partitioning=true, hive_types={${types}}`
}
