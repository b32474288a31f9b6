/** CSV files of one layout each, and the FROM clause that reads them all. */
import { jsonFrom } from './json-from.ts'
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
  /** A Parquet file with the records as texts, where values were masked. */
  readonly records?: string
  /** The files are lines of JSON, each an object of texts, where the layouts are too many; `longest` is the longest line. */
  readonly jsonLines?: { readonly longest: number }
}

/** Lines of JSON up to this size need no word. */
const usualLine = 8 << 20

/** Returns the FROM clause; columns that `types` does not name are read as text. */
export function csvFrom(groups: readonly CsvGroup[], types: ReadonlyMap<string, string>): string {
  const parts = groups.map(group => {
    if (group.records !== undefined)
      return `read_parquet(${fileList([group.records])}, hive_partitioning=false)`
    const columns = group.columns.map(
      name => `${quoteLiteral(name)}: ${quoteLiteral(types.get(name) ?? 'VARCHAR')}`,
    )
    if (group.jsonLines !== undefined) return jsonLinesFrom(group, group.jsonLines.longest)
    return `read_csv(${fileList(group.files)}${group.parameters}${partitionParameters(group.partitions ?? [])}, columns={${columns.join(', ')}})`
  })
  if (parts.length === 1) return parts[0] as string
  return `(${parts.map(part => `SELECT * FROM ${part}`).join(' UNION ALL BY NAME ')})`
}

function jsonLinesFrom({ files, columns, partitions = [] }: CsvGroup, longest: number): string {
  return jsonFrom(fileList(files), {
    format: 'newline_delimited',
    columns: columns.map(name => [name, 'VARCHAR']),
    largest: longest > usualLine ? longest * 2 : undefined,
    partitions: partitionParameters(partitions),
  })
}

export function fileList(files: readonly string[]): string {
  const texts = files.map(file => quoteLiteral(escapeGlob(file)))
  return texts.length === 1 ? (texts[0] as string) : `[${texts.join(', ')}]`
}
