/**
 * Formatting, separate from the rest of the language so that the SQL formatter is loaded only when needed.
 */

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
