/**
 * Reads `ingest.options` of a file source: which options exist for each format, and their valid values. Used
 * by the check of the file and by the reader of the data.
 */

import type { FileIngest, JsonValue } from '../schema/definition.ts'
import type { NodePath } from '../syntax/node.ts'
import { nearestNames } from '../text/nearest-names.ts'
import { encodingNamed, encodingNames } from './text-encodings.ts'

/** Files below a folder of the project, and how they are written. */
export type LocalFiles = Pick<
  FileIngest,
  'endpoint' | 'resource' | 'format' | 'options' | 'limits' | 'partitions'
>

export type FileFormat = 'csv' | 'json' | 'ndjson' | 'parquet'

export interface FileOptions {
  readonly delimiter?: string
  readonly header?: boolean
  readonly quote?: string
  readonly escape?: string
  readonly comment?: string
  /** Texts that mean NULL, besides the empty one. */
  readonly nullStrings?: readonly string[]
  /** By its name in `text-encodings.ts`. */
  readonly encoding?: string
  /** The number of lines to skip at the top. */
  readonly skip?: number
  /** Short lines get NULL in the missing columns. */
  readonly nullPadding?: boolean
  /** The column names for files without a header. */
  readonly columns?: readonly string[]
  readonly decimalSeparator?: string
  /** How dates are written, in the letters of strftime. */
  readonly dateFormat?: string
  readonly timestampFormat?: string
  /** The path of the records in a JSON file. */
  readonly records?: string
}

export interface FileOptionProblem {
  readonly message: string
  readonly hint: string
  readonly at: NodePath
}

interface OptionRule {
  readonly formats: readonly FileFormat[]
  readonly must: string
  readonly read: (value: JsonValue) => FileOptions | undefined
  /** Returns the parameter of the CSV reader. */
  readonly csv?: (options: FileOptions) => CsvParameter | undefined
}

export interface CsvParameter {
  /** The name of the parameter of `read_csv`. */
  readonly name: string
  readonly value: string | boolean | number | readonly string[]
}

type ValueOption = Exclude<keyof FileOptions, 'columns' | 'records'>

/** Makes an option whose value is passed to the CSV reader unchanged. */
function csvOption<Name extends ValueOption>(
  name: Name,
  parameter: string,
  must: string,
  read: (value: JsonValue) => FileOptions[Name] | undefined,
): OptionRule {
  return {
    formats: ['csv'],
    must,
    read(value) {
      const parsed = read(value)
      return parsed === undefined ? undefined : { [name]: parsed }
    },
    csv({ [name]: value }) {
      return value === undefined ? undefined : { name: parameter, value }
    },
  }
}

const oneCharacter = (value: JsonValue) =>
  typeof value === 'string' && value.length <= 1 ? value : undefined

const isOn = (value: JsonValue) => (typeof value === 'boolean' ? value : undefined)

const timeFormat = (value: JsonValue) =>
  typeof value === 'string' && /%[a-zA-Z]/.test(value) ? value : undefined

const decimalPoint = csvOption('decimalSeparator', 'decimal_separator', '"." or ","', value =>
  value === '.' || value === ',' ? value : undefined,
)

/** The options: valid values, how each is read, and the parameter for the reader. */
const rules: Readonly<Record<string, OptionRule>> = {
  delimiter: csvOption('delimiter', 'delim', 'one to four characters, such as ";" or "\\t"', value =>
    typeof value === 'string' && /^.{1,4}$/su.test(value) ? value : undefined,
  ),
  header: csvOption('header', 'header', 'true or false', isOn),
  quote: csvOption('quote', 'quote', 'one character, or "" for none', oneCharacter),
  escape: csvOption('escape', 'escape', 'one character, or "" for none', oneCharacter),
  comment: csvOption('comment', 'comment', 'one character', oneCharacter),
  decimal: decimalPoint,
  decimal_separator: { ...decimalPoint, csv: () => undefined },
  date_format: csvOption('dateFormat', 'dateformat', 'a format such as "%d.%m.%Y"', timeFormat),
  timestamp_format: csvOption(
    'timestampFormat',
    'timestampformat',
    'a format such as "%d.%m.%Y %H:%M:%S"',
    timeFormat,
  ),
  null_string: {
    formats: ['csv'],
    must: 'a text or a list of texts',
    read: value => {
      const texts = Array.isArray(value) ? value : [value]
      return texts.every(text => typeof text === 'string') ? { nullStrings: texts as string[] } : undefined
    },
    csv: ({ nullStrings }) => nullStrings && { name: 'nullstr', value: ['', ...nullStrings] },
  },
  encoding: csvOption('encoding', 'encoding', `one of ${encodingNames.join(', ')}`, value =>
    typeof value === 'string' ? encodingNamed(value) : undefined,
  ),
  skip: csvOption('skip', 'skip', 'a number of lines', value =>
    typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined,
  ),
  null_padding: csvOption('nullPadding', 'null_padding', 'true or false', isOn),
  columns: {
    formats: ['csv'],
    must: 'a list of names',
    read: value =>
      Array.isArray(value) && value.length > 0 && value.every(name => typeof name === 'string')
        ? { columns: value as string[] }
        : undefined,
  },
  records: {
    formats: ['json'],
    must: 'a path such as data.items',
    read: value => (typeof value === 'string' ? { records: value } : undefined),
  },
}

/** Returns the parameters of the CSV reader. */
export function csvParameters(options: FileOptions): readonly CsvParameter[] {
  return Object.values(rules).flatMap(({ csv }) => csv?.(options) ?? [])
}

/** Every option by name, with its formats and its valid values. */
export const fileOptionRules: readonly (Pick<OptionRule, 'formats' | 'must'> & {
  readonly name: string
})[] = Object.entries(rules).map(([name, { formats, must }]) => ({ name, formats, must }))

const endings: Readonly<Record<string, FileFormat>> = {
  csv: 'csv',
  tsv: 'csv',
  txt: 'csv',
  json: 'json',
  geojson: 'json',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  parquet: 'parquet',
  pq: 'parquet',
}

/** Returns how a file is packed by its name, in capital letters too. */
export function packingOf(fileName: string): 'gz' | 'zst' | undefined {
  const ending = /\.(gz|zst)$/i.exec(fileName)?.[1]?.toLowerCase()
  return ending === 'gz' || ending === 'zst' ? ending : undefined
}

/** Whether the reader of the database would take the file for one that is not packed: it knows small letters. */
export function hidesPacking(fileName: string): boolean {
  return packingOf(fileName) !== undefined && !/\.(gz|zst)$/.test(fileName)
}

/** Returns the format for a file name; a trailing `.gz` does not count. */
export function formatOf(fileName: string): FileFormat | undefined {
  const ending = /\.([a-z0-9]+)(?:\.gz)?$/i.exec(fileName)?.[1]
  return ending === undefined ? undefined : endings[ending.toLowerCase()]
}

/** Reads the options. Without a format, options of all formats are accepted. */
export function readFileOptions(files: LocalFiles) {
  const format = files.format ?? formatOf(files.resource)
  const problems: FileOptionProblem[] = []
  let options: FileOptions = {}
  for (const [name, value] of Object.entries(files.options)) {
    const at: NodePath = ['ingest', 'options', name]
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
    const read = rule?.read(value)
    if (rule === undefined)
      problems.push({ message: `unknown option "${name}"`, hint: hintFor(name, format), at })
    else if (format !== undefined && !rule.formats.includes(format))
      problems.push({ message: `${format} files have no option "${name}"`, hint: hintFor(name, format), at })
    else if (read === undefined)
      problems.push({ message: `option "${name}" must be ${rule.must}`, hint: '', at })
    else options = { ...options, ...read }
  }
  return { options, problems }
}

function hintFor(name: string, format: FileFormat | undefined): string {
  const known = Object.keys(rules).filter(key => format === undefined || rules[key]?.formats.includes(format))
  if (known.length === 0) return `${format} files need no options.`
  const near = nearestNames(name, known, 1)[0]
  return near === undefined || near === name ? `Options are: ${known.join(', ')}.` : `did you mean "${near}"?`
}
