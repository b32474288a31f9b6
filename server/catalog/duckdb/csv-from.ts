/** CSV files of one layout each, and the FROM clause that reads them all. */
import { stat } from 'node:fs/promises'
import type { FileOptions } from '../../language/index.ts'
import { csvLayout } from './csv-layout.ts'
import type { LocalReader } from './local-reader.ts'
import { partitionParameters } from './partition-parameters.ts'
import { escapeGlob, quoteLiteral } from './quoting.ts'

export interface CsvGroup {
  readonly files: readonly string[]
  /** Parameters of read_csv apart from names and types. */
  readonly parameters: string
  readonly columns: readonly string[]
  /** The types that the first lines seem to have. */
  readonly guesses: readonly string[]
  /** The keys of folders that are read as columns. */
  readonly partitions?: readonly string[]
  /** A Parquet file with the records as texts, where some lines of the files are none. */
  readonly records?: string
}

/** Returns the files by layout; none for files that are empty. Throws DuckDB's error for what is no CSV. */
export async function csvGroups(
  local: LocalReader,
  paths: readonly string[],
  options: FileOptions,
): Promise<readonly CsvGroup[]> {
  const groups = new Map<string, CsvGroup>()
  for (const path of paths) {
    if ((await stat(path)).size === 0) continue
    const { parameters, columns } = await csvLayout(local, path, options)
    const names = columns.map(column => column.name)
    const guesses = columns.map(column => column.guess)
    const key = JSON.stringify([parameters, names])
    const group = groups.get(key) ?? { files: [], parameters, columns: names, guesses }
    groups.set(key, { ...group, files: [...group.files, path] })
  }
  return [...groups.values()]
}

/** Returns the FROM clause; columns that `types` does not name are read as text. */
export function csvFrom(groups: readonly CsvGroup[], types: ReadonlyMap<string, string>): string {
  const parts = groups.map(group => {
    if (group.records !== undefined)
      return `read_parquet(${fileList([group.records])}, hive_partitioning=false)`
    const columns = group.columns.map(
      name => `${quoteLiteral(name)}: ${quoteLiteral(types.get(name) ?? 'VARCHAR')}`,
    )
    return `read_csv(${fileList(group.files)}${group.parameters}${partitionParameters(group.partitions ?? [])}, columns={${columns.join(', ')}})`
  })
  if (parts.length === 1) return parts[0] as string
  return `(${parts.map(part => `SELECT * FROM ${part}`).join(' UNION ALL BY NAME ')})`
}

export function fileList(files: readonly string[]): string {
  const texts = files.map(file => quoteLiteral(escapeGlob(file)))
  return texts.length === 1 ? (texts[0] as string) : `[${texts.join(', ')}]`
}
