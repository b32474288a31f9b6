/** Formatting, apart from the rest of the language: only who formats loads the formatter of SQL. */

export {
  documentKind,
  type FormatOptions,
  type Formatted,
  formatDocument,
  formatEdits,
  formatRangeEdits,
  hasPython,
  type LeftAlone,
} from './format-document.ts'
export type { FormatEdit } from './line-edits.ts'
