/**
 * Partitions of a folder of files: folders named `key=value` stand for columns that the files do not have. Pure: it looks
 * at names alone, so that the editor and a load say the same.
 */
import { decoded } from '../text/decoded.ts'
import type { SourceField, SourceType } from './source-shape.ts'

/** What writers call the folder of rows without a value. */
const nothing = '__HIVE_DEFAULT_PARTITION__'

/**
 * Returns the columns that the names of folders stand for, in their order; none where not all files are in folders with
 * the same keys. `names` are those of files below the endpoint, with `/` between folders.
 */
export function partitionsOf(names: readonly string[]): readonly SourceField[] {
  const [first, ...others] = names.map(pairsOf)
  if (first === undefined || first.size === 0) return []
  const keys = [...first.keys()]
  const isSame = (other: ReadonlyMap<string, string>) =>
    other.size === first.size && keys.every(key => other.has(key))
  if (!others.every(isSame)) return []
  return keys.map(key => ({
    name: key,
    type: typeOf([first, ...others].flatMap(pairs => pairs.get(key) ?? [])),
  }))
}

/** Returns the part of a file's name that says which partition it belongs to. */
export function partitionPath(name: string): string {
  return [...pairsOf(name)].map(([key, value]) => `${encodeURIComponent(key)}=${escaped(value)}`).join('/')
}

/** A reader would take a folder `key=NULL` for no value; it is the text, as that of any other folder. */
export function isNullText(value: string): boolean {
  return /^null$/i.test(value)
}

function escaped(value: string): string {
  if (!isNullText(value)) return encodeURIComponent(value)
  return `%${value.charCodeAt(0).toString(16)}${value.slice(1)}`
}

/** Whether a folder of the file stands for the text NULL. */
export function hasNullText(name: string): boolean {
  return [...pairsOf(name).values()].some(isNullText)
}

function pairsOf(name: string): ReadonlyMap<string, string> {
  const folders = name.split('/').slice(0, -1)
  return new Map(
    folders.flatMap(folder => {
      const at = folder.indexOf('=')
      // Writers escape what a file system may refuse as addresses do.
      return at < 1 ? [] : [[folder.slice(0, at), decoded(folder.slice(at + 1))] as const]
    }),
  )
}

/** A number of two digits may begin with 0, as months do; a longer one is a code, which is no number without its zeros. */
const wholeNumber = /^-?(0|[1-9]\d{0,17}|0\d)$/

function typeOf(values: readonly string[]): SourceType {
  const known = values.filter(value => value !== nothing && value !== '')
  if (known.length === 0) return { kind: 'unknown' }
  if (known.every(value => wholeNumber.test(value))) return { kind: 'scalar', type: 'BIGINT' }
  return { kind: 'scalar', type: known.every(isDay) ? 'DATE' : 'VARCHAR' }
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

/** Returns the record with the columns of its folders behind its own. */
export function withPartitions(record: SourceType, partitions: readonly SourceField[]): SourceType {
  if (partitions.length === 0 || record.kind !== 'struct') return record
  return { kind: 'struct', fields: [...record.fields, ...partitions] }
}

/** Returns the name that a column of the files has as well; undefined if there is none. */
export function clashOf(record: SourceType, partitions: readonly SourceField[]): string | undefined {
  if (record.kind !== 'struct') return undefined
  const own = new Set(record.fields.map(({ name }) => name.toLowerCase()))
  return partitions.find(({ name }) => own.has(name.toLowerCase()))?.name
}

export function clashText(name: string): { readonly message: string; readonly hint: string } {
  return {
    message: `the files have a column "${name}", and their folders are named by it too`,
    hint: 'Write partitions: none, so that names of folders are no columns.',
  }
}
