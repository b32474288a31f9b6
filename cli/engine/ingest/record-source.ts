/**
 * The records of a source as DuckDB sees them: a table function over local files that reads only the columns
 * that a query needs. The SQL of raw tables is built on this for every format.
 */
import { type CsvGroup, csvFrom, fileList, parquetFrom, quoteLiteral, quoteName } from '@svc/server/catalog'
import { listStep, maskedType, type RawColumn, type SourceField, type SourceType } from '@svc/server/language'
import type { Conversion, SourceFormat, TextOptions } from './conversion.ts'
import { copyMasked } from './mask/mask-columns.ts'
import { maskJsonFiles } from './mask/mask-json.ts'
import type { Masking } from './mask/masking.ts'
import { columnConversion, readParts } from './nested-conversion.ts'
import type { UnparsedLines } from './unparsed-lines.ts'

export interface RecordSource {
  readonly recordType: SourceType
  /** How its texts write numbers and times. */
  readonly written: TextOptions
  /** The lines of its files that are no records. */
  readonly unparsed?: UnparsedLines | undefined
  /** Returns a FROM clause with one row per record that has at least these columns. */
  from(columns: readonly RawColumn[]): string
  /** Undefined if the source has no such value; the column is then NULL. */
  conversion(column: RawColumn): Conversion | undefined
  /**
   * Returns a FROM clause with one row per record in the same order, and the column `raw` with the whole
   * record as JSON.
   */
  raw(): string
  /** Returns the same records with types that are known better. */
  retyped(recordType: SourceType): RecordSource
  /** Copies the records with masked values into the spool, and returns those. */
  masked(masking: Masking): Promise<RecordSource>
  /**
   * An SQL condition that holds while the user's own files are unchanged; undefined if the files are svc's.
   */
  readonly guard: string | undefined
}

export interface JsonFiles {
  readonly files: readonly string[]
  readonly format: 'newline_delimited' | 'array'
  /** The size of the longest record in bytes. */
  readonly longestRecord: number
}

export function jsonSource(json: JsonFiles, recordType: SourceType, guard?: string): RecordSource {
  const convert = converter(recordType, 'json')
  return {
    recordType,
    guard,
    conversion: convert,
    written: {},
    retyped: type => jsonSource(json, type, guard),
    async masked(masking) {
      const masked = await maskJsonFiles(json, masking)
      // The files of a user may have changed since they were looked at.
      if (guard !== undefined) await masking.local.rows(`SELECT 1 WHERE ${guard}`)
      return jsonSource(masked, maskedType(recordType, masking.mask.rules))
    },
    raw() {
      const size = maximumObjectSize(json.longestRecord)
      return `(SELECT json AS raw FROM read_json_objects(${fileList(json.files)}, format='${json.format}'${size}))`
    },
    from(columns) {
      const tree = new ReadTree()
      for (const column of columns) {
        const how = convert(column)
        if (how === undefined) continue
        for (const { path, read } of readParts(how)) tree.add([...column.path, ...path], read)
      }
      // If a query needs no key, a key that no record has still gives one row per record.
      if (tree.isEmpty) tree.add(['_svc_nothing'], 'VARCHAR')
      const size = maximumObjectSize(json.longestRecord)
      return `read_json(${fileList(json.files)}, format='${json.format}', columns=${tree.columns()}${size})`
    },
  }
}

export function parquetSource(
  files: readonly string[],
  recordType: SourceType,
  guard?: string,
): RecordSource {
  const from = parquetFrom(files)
  const raw = () => `(SELECT to_json(record) AS raw FROM ${from} AS record)`
  return {
    recordType,
    guard,
    from: () => from,
    raw,
    conversion: converter(recordType, 'parquet'),
    written: {},
    retyped: type => parquetSource(files, type, guard),
    async masked(masking) {
      const file = { name: 'masked.parquet', layout: 'FORMAT parquet' }
      const path = await copyMasked({ from, guard, fields: fieldsOf(recordType) }, masking, file)
      return parquetSource([path], maskedType(recordType, masking.mask.rules))
    },
  }
}

/** Reads files of one layout together, and combines the layouts by column name. */
export function csvSource(
  groups: readonly CsvGroup[],
  recordType: SourceType,
  options: TextOptions,
  guard?: string,
): RecordSource {
  const convert = converter(recordType, 'csv', options)
  return {
    recordType,
    guard,
    conversion: convert,
    written: options,
    retyped: type => csvSource(groups, type, options, guard),
    async masked(masking) {
      const masked: CsvGroup[] = []
      for (const [index, group] of groups.entries()) {
        const fields = group.columns.map(name => ({ name, type: text }))
        const columns = { from: csvFrom([group], new Map()), guard, fields }
        const file = { name: `masked-${index + 1}.parquet`, layout: 'FORMAT parquet' }
        masked.push({ ...group, records: await copyMasked(columns, masking, file) })
      }
      return csvSource(masked, maskedType(recordType, masking.mask.rules), { ...options, isText: true })
    },
    raw: () => `(SELECT to_json(record) AS raw FROM ${csvFrom(groups, new Map())} AS record)`,
    from(columns) {
      const types = new Map<string, string>()
      for (const column of columns) types.set(column.path[0] ?? '', convert(column)?.read ?? 'VARCHAR')
      return csvFrom(groups, types)
    },
  }
}

const text: SourceType = { kind: 'scalar', type: 'VARCHAR' }

export function fieldsOf(type: SourceType): readonly SourceField[] {
  return type.kind === 'struct' ? type.fields : []
}

const defaultObjectSize = 16 * 1024 * 1024

function maximumObjectSize(longestRecord: number): string {
  return longestRecord * 2 > defaultObjectSize ? `, maximum_object_size=${longestRecord * 2}` : ''
}

function converter(recordType: SourceType, format: SourceFormat, written?: TextOptions) {
  return (column: RawColumn): Conversion | undefined => {
    const sourceType = typeAt(recordType, column.path)
    return sourceType === undefined ? undefined : columnConversion(column, sourceType, format, written)
  }
}

/** Returns the type of the value at a path; undefined if the source has none. */
export function typeAt(recordType: SourceType, path: readonly string[]): SourceType | undefined {
  if (path.length === 0) return undefined
  let type: SourceType | undefined = recordType
  for (const step of path) {
    if (step === listStep) type = type?.kind === 'list' ? type.element : undefined
    else type = type?.kind === 'struct' ? type.fields.find(field => field.name === step)?.type : undefined
  }
  return type
}

/** The keys that a query reads, which become the `columns` argument of read_json. */
class ReadTree {
  private readonly children = new Map<string, ReadTree>()
  private type: string | undefined

  get isEmpty(): boolean {
    return this.children.size === 0
  }

  add(path: readonly string[], type: string): void {
    const [step, ...rest] = path
    if (step === undefined) {
      this.type = type
      return
    }
    const child = this.children.get(step) ?? new ReadTree()
    this.children.set(step, child)
    child.add(rest, type)
  }

  columns(): string {
    const entries = [...this.children].map(
      ([name, tree]) => `${quoteLiteral(name)}: ${quoteLiteral(tree.typeText())}`,
    )
    return `{${entries.join(', ')}}`
  }

  private typeText(): string {
    if (this.type !== undefined) return this.type
    const element = this.children.get(listStep)
    if (element !== undefined) return `${element.typeText()}[]`
    const fields = [...this.children].map(([name, tree]) => `${quoteName(name)} ${tree.typeText()}`)
    return `STRUCT(${fields.join(', ')})`
  }
}
