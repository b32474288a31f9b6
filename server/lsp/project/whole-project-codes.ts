/**
 * Codes of diagnostics that need the whole project, so they are withheld before it is read, and for a file
 * that belongs to none: whether a name exists, who reads it, what else has it.
 */
import type { Diagnostic } from '../../language/index.ts'

const codes: ReadonlySet<string> = new Set([
  'disabled-parent',
  'duplicate-name',
  'ephemeral-without-reader',
  'exposure-duplicate',
  'relationship-unknown-column',
  'source-columns-unknown',
  'unknown-ref',
  'unknown-term',
  'unknown-var',
])

export function withoutWholeProjectCodes(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.filter(({ code }) => !codes.has(code))
}
