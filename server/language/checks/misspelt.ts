/** Judges names of a policy that nothing in the project has. */
import type { Policy } from '../glossary/glossary.ts'
import type { Diagnostic } from '../text/diagnostic.ts'
import { nearestNames } from '../text/nearest-names.ts'

type Found = Pick<Diagnostic, 'message' | 'hint' | 'suggestions' | 'fixes'>

/**
 * A name that is nearly one of the project's, or a column of an asset that has no such, is misspelt: that is as bad as what the
 * policy would have found. Another one may be meant for other projects, or for what is still to come.
 */
export function misspelt(
  written: string,
  { enforcement }: Policy,
  found: Found,
  isOfAsset = false,
): Found & Pick<Diagnostic, 'severity'> {
  const isMisspelt = isOfAsset || found.suggestions?.some(name => isNearly(written, name)) === true
  return { ...found, severity: isMisspelt && enforcement === 'strict' ? 'error' : 'warning' }
}

/** Suggestions are generous. Here each part has to be near for itself: `publish.other` is no slip of `publish.there`. */
function isNearly(written: string, name: string): boolean {
  const parts = written.split(/[.:]/)
  const others = name.split(/[.:]/)
  return parts.length === others.length && parts.every((part, at) => isSlip(part, others[at] ?? ''))
}

function isSlip(part: string, other: string): boolean {
  if (part === other) return true
  return Math.abs(part.length - other.length) <= mostMissing && nearestNames(part, [other]).length > 0
}

/** `orders_archive` is another name than `orders`. */
const mostMissing = 2
