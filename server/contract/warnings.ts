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
  'clock-behind':
    'The clock of this machine is behind that of the last load, whose versions would end before they begin.',
  'empty-files': 'Files without even a header brought no records.',
  'future-cursor':
    'Records lie further in the future than their clock can: each load reads what comes behind them again.',
  'kept-rows': 'Rows of earlier loads lack what the definition of their source says now.',
  'limited-rows': 'A load ended at `limits.max_rows`, and the source may have more.',
  'lost-history':
    'What the loads of an asset have gathered goes: its file is gone, its source is another one, or a full refresh begins anew.',
  'null-records': 'Records of the source are null: each is a row of NULLs.',
  'repeated-header': 'Records of a text file repeat its header.',
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
