/**
 * The warnings of runs (decisions 9, "Nothing in silence"): what is not as expected of a source, a load or a target, and is no
 * reason to refuse it. A warning is an event with a code, and what can be counted in it is a number, so that no program
 * has to read the sentence.
 */
import { count, nullable, object, oneOf, optional, place, type Shape, text } from './schema.ts'

/** code -> what it means, in one sentence, for the reference. */
export const warningCodes = {
  'absent-column': 'A column that the contract promises is not in the source, and is NULL in every row.',
  'changed-files': 'Files that were loaded once have changed since, and their records are loaded again.',
  'empty-files': 'Files without even a header brought no records.',
  'empty-lines': 'Empty lines between the records of a text file are no records.',
  'future-cursor':
    'Records lie further in the future than their clock can: each load reads what comes behind them again.',
  'guessed-header': 'A line of a text file is taken for its header, or for a record, and could as well be the other.',
  'limited-rows': 'A load ended at `limits.max_rows`, and the source may have more.',
  'lost-history': 'The file of an asset is gone, and with it what its loads have gathered.',
  'null-records': 'Records of the source are null: each is a row of NULLs.',
  'repeated-header': 'Records of a text file repeat its header.',
  'skipped-lines': 'Lines above the header of a text file were passed over.',
  'unreachable-link': 'Links in a folder of files lead nowhere.',
} as const satisfies Readonly<Record<string, string>>

export type WarningCode = keyof typeof warningCodes

export const warningProperties = {
  code: oneOf(...(Object.keys(warningCodes) as WarningCode[])),
  /** Null if it is about no single asset. */
  asset: nullable(text),
  message: text,
  hint: optional(nullable(text)),
  /** How many records, values, files or lines it is about, if they can be counted. */
  count: optional(count),
  /** The first of them, never a personal value. */
  example: optional(text),
  place: optional(nullable(place)),
}

export const Warning = object(warningProperties)
export type Warning = Shape<typeof Warning>
