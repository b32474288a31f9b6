/** The glossary of a context pack (interface.md 2.8): one list of entries, each with its kind. */
import type { GlossaryFile } from '@svc/server/contract'

export type PackEntry =
  | ({ readonly kind: 'term' } & GlossaryFile['terms'][number])
  | ({ readonly kind: 'metric' } & GlossaryFile['metrics'][number])
  | ({ readonly kind: 'dimension' } & GlossaryFile['dimensions'][number])
  | ({ readonly kind: 'policy' } & GlossaryFile['policies'][number])

/** Returns the entries of a document, in its order. */
export function packGlossary({ terms, metrics, dimensions, policies }: GlossaryFile): readonly PackEntry[] {
  return [
    ...terms.map(term => ({ kind: 'term', ...term }) as const),
    ...metrics.map(metric => ({ kind: 'metric', ...metric }) as const),
    ...dimensions.map(dimension => ({ kind: 'dimension', ...dimension }) as const),
    ...policies.map(policy => ({ kind: 'policy', ...policy }) as const),
  ]
}
