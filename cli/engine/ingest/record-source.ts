/**
 * The records of a source as DuckDB sees them: a table function over local files that reads only the columns
 * that a query needs. The SQL of raw tables is built on this for every format.
 */
import {
  type CsvGroup,
  csvFrom,
  fileList,
  jsonFrom,
  parquetFrom,
  partitionParameters,
  quoteName,
} from '@svc/server/catalog'
import {
  fieldNamed,
  internalName,
  listStep,
  maskedType,
  type RawColumn,
  type SourceField,
  type SourceType,
} from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { type Conversion, conversion, type SourceFormat, type TextOptions } from './conversion.ts'
import type { Masking } from './mask/mask.ts'
import { copyMasked } from './mask/mask-columns.ts'
import { maskJsonFiles } from './mask/mask-json.ts'
import { columnConversion, readParts } from './nested-conversion.ts'
import { rawName, rowsAsJson } from './record-names.ts'
import type { UnparsedLines } from './unparsed-lines.ts'

const nothingName = internalName('nothing')

export interface RecordSource {
  readonly recordType: SourceType
  /** How its texts write numbers and times. */
  readonly written: TextOptions
  /** Whether a text in it may have the character NUL; absent where nobody has looked. */
  readonly hasNul?: boolean
  /** The lines of its files that are no records. */
  readonly unparsed?: UnparsedLines | undefined
  /** Returns a FROM clause with one row per record that has at least these columns. */
  from(columns: readonly RawColumn[]): string
  /** Undefined if the source has no such value; the column is then NULL. */
  conversion(column: RawColumn): Conversion | undefined
  /**
   * Returns a FROM clause with one row per record in the same order, and the column `rawName` with the whole
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
  /** The rows stay where they are: what others write there later is read in the same way, and nobody looks at it before. */
  readonly inPlace?: true
}

export interface JsonFiles {
  readonly files: readonly string[]
  readonly format: 'newline_delimited' | 'array'
  /** The size of the longest record in bytes. */
  readonly longestRecord: number
  /** The keys of folders that are read as columns. */
  readonly keys?: readonly string[]
}

export interface ParquetFiles {
  readonly files: readonly string[]
  /** The keys of folders that are read as columns. */
  readonly keys: readonly string[]
}

export function jsonSource(json: JsonFiles, recordType: SourceType, guard?: string): RecordSource {
  const keys = json.keys ?? []
  const convert = converter(recordType, 'json', {}, keys)
  const folders = partitionParameters(keys)
  return {
    recordType,
    guard,
    conversion: convert,
    written: {},
    retyped: type => jsonSource(json, type, guard),
    async masked(masking) {
      refuseMaskedKeys(keys, masking)
      const masked = await maskJsonFiles(json, masking)
      // The files of a user may have changed since they were looked at.
      if (guard !== undefined) await masking.local.rows(`SELECT 1 WHERE ${guard}`)
      return jsonSource(masked, maskedType(recordType, masking.mask.rules))
    },
    raw() {
      const largest = largestOf(json)
      const size = largest === undefined ? '' : `, maximum_object_size=${largest}`
      return `(SELECT json AS ${rawName} FROM read_json_objects(${fileList(json.files)}, format='${json.format}'${size}, hive_partitioning=false))`
    },
    from(columns) {
      const tree = new ReadTree()
      for (const column of columns) {
        const how = convert(column)
        if (how === undefined || isKey(column, keys)) continue
        for (const { path, read } of readParts(how)) tree.add([...column.path, ...path], read)
      }
      // If a query needs no key, a key that no record has still gives one row per record.
      if (tree.isEmpty) tree.add([nothingName], 'VARCHAR')
      return jsonFrom(fileList(json.files), {
        format: json.format,
        columns: tree.columns(),
        largest: largestOf(json),
        partitions: folders,
      })
    },
  }
}

export function parquetSource(
  { files, keys }: ParquetFiles,
  recordType: SourceType,
  guard?: string,
  /** The columns that are texts whatever their type: those of folders. */
  texts: readonly string[] = keys,
): RecordSource {
  const from = parquetFrom(files, keys)
  const raw = () => rowsAsJson(parquetFrom(files))
  return {
    recordType,
    guard,
    from: () => from,
    raw,
    conversion: converter(recordType, 'parquet', {}, texts),
    written: {},
    retyped: type => parquetSource({ files, keys }, type, guard, texts),
    async masked(masking) {
      const file = { name: 'masked.parquet', layout: 'FORMAT parquet' }
      const path = await copyMasked({ from, guard, fields: fieldsOf(recordType) }, masking, file)
      const masked = maskedType(recordType, masking.mask.rules)
      return parquetSource({ files: [path], keys: [] }, masked, undefined, texts)
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
  const keys = groups[0]?.partitions ?? []
  const convert = converter(recordType, 'csv', options, keys)
  return {
    recordType,
    guard,
    conversion: convert,
    written: options,
    retyped: type => csvSource(groups, type, options, guard),
    async masked(masking) {
      const masked: CsvGroup[] = []
      for (const [index, group] of groups.entries()) {
        const fields = [...group.columns, ...keys].map(name => ({ name, type: text }))
        const columns = { from: csvFrom([group], new Map()), guard, fields }
        const file = { name: `masked-${index + 1}.parquet`, layout: 'FORMAT parquet' }
        masked.push({ ...group, records: await copyMasked(columns, masking, file) })
      }
      return csvSource(masked, maskedType(recordType, masking.mask.rules), { ...options, isText: true })
    },
    raw: () => rowsAsJson(csvFrom(groups, new Map())),
    from(columns) {
      return csvFrom(groups, readTypes(columns, convert))
    },
  }
}

/** Returns as which type each column of a file is read. */
export function readTypes(
  columns: readonly RawColumn[],
  convert: RecordSource['conversion'],
): ReadonlyMap<string, string> {
  return new Map(columns.map(column => [column.path[0] ?? '', convert(column)?.read ?? 'VARCHAR']))
}

const text: SourceType = { kind: 'scalar', type: 'VARCHAR' }

export function fieldsOf(type: SourceType): readonly SourceField[] {
  return type.kind === 'struct' ? type.fields : []
}

const defaultObjectSize = 16 * 1024 * 1024

function largestOf({ longestRecord }: JsonFiles): number | undefined {
  return longestRecord * 2 > defaultObjectSize ? longestRecord * 2 : undefined
}

/** @param keys the columns that come from folders, as texts */
function converter(
  recordType: SourceType,
  format: SourceFormat,
  written: TextOptions,
  keys: readonly string[],
) {
  return (column: RawColumn): Conversion | undefined => {
    const sourceType = typeAt(recordType, column.path)
    if (sourceType === undefined) return undefined
    if (isKey(column, keys)) return conversion(column, sourceType, 'csv', { isText: true })
    return columnConversion(column, sourceType, format, written)
  }
}

/** Records are masked in their bytes, and the names of folders are none of them. */
function refuseMaskedKeys(keys: readonly string[], { mask }: Masking): void {
  const masked = keys.find(key => mask.rules.kindAt([key]) !== undefined)
  if (masked === undefined) return
  throw new SvcError(
    'source-shape',
    `ingest.mask: "${masked}" is the name of folders, which no mask of JSON reaches`,
    {
      hint: `Leave it out with ingest.exclude.`,
    },
  )
}

function isKey({ path }: RawColumn, keys: readonly string[]): boolean {
  return path.length === 1 && keys.includes(path[0] ?? '')
}

/** Returns the type of the value at a path; undefined if the source has none. */
export function typeAt(recordType: SourceType, path: readonly string[]): SourceType | undefined {
  if (path.length === 0) return undefined
  let type: SourceType | undefined = recordType
  for (const step of path) {
    if (step === listStep) type = type?.kind === 'list' ? type.element : undefined
    else type = type?.kind === 'struct' ? fieldNamed(type.fields, step)?.type : undefined
  }
  return type
}

/** The keys that a query reads, with the type of each. */
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

  columns(): [name: string, type: string][] {
    return [...this.children].map(([name, tree]) => [name, tree.typeText()])
  }

  private typeText(): string {
    if (this.type !== undefined) return this.type
    const element = this.children.get(listStep)
    if (element !== undefined) return `${element.typeText()}[]`
    const fields = [...this.children].map(([name, tree]) => `${quoteName(name)} ${tree.typeText()}`)
    return `STRUCT(${fields.join(', ')})`
  }
}
