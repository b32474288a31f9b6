/**
 * What cannot be said of a file before its whole project is read, or of a file that belongs to none: whether a name
 * exists, who reads it, who else has it.
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
