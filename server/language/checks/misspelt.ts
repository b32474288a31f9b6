/** Judges names of a policy that nothing in the project has. */
import type { Policy } from '../glossary/glossary.ts'
import type { Diagnostic } from '../text/diagnostic.ts'

type Found = Pick<Diagnostic, 'message' | 'hint' | 'suggestions' | 'fixes'>

/**
 * A name that is nearly one of the project's, or a column of an asset that has no such, is misspelt: that is as bad as what the
 * policy would have found. Another one may be meant for other projects, or for what is still to come.
 */
export function misspelt(
  { enforcement }: Policy,
  found: Found,
  isOfAsset = false,
): Found & Pick<Diagnostic, 'severity'> {
  const isMisspelt = isOfAsset || (found.suggestions ?? []).length > 0
  return { ...found, severity: isMisspelt && enforcement === 'strict' ? 'error' : 'warning' }
}
