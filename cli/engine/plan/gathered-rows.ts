/** Rows that the loads of an asset have gathered, and that its source need not have any more: what a removal loses. */
import type { Project } from '@svc/server/language'
import type { CatalogRecord, StateSnapshot } from '../state/state.ts'
import { holdsVersions } from './last-load.ts'

/** Returns what is live and has no file any more. */
export function removedFrom({ live }: StateSnapshot, { byName }: Project): CatalogRecord[] {
  return [...live.values()].filter(({ asset }) => !byName.has(asset))
}

/**
 * Returns what goes with the last kept run of a removed asset: a new name for it does not keep them, they are those of the
 * old one. `definition`: its canonical text, as far as it is known.
 */
export function goesWith(
  state: StateSnapshot,
  name: string,
  definition: string | undefined,
): string | undefined {
  if (holdsVersions(state, name))
    return 'earlier versions of its records, which no source has any more, go with the last kept run'
  if (definition === undefined || !gathers(definition)) return undefined
  return 'what its loads have gathered goes with the last kept run, and its source need not have it any more'
}

function gathers(definition: string): boolean {
  const { ingest } = JSON.parse(definition) as { readonly ingest?: { readonly write?: string } }
  return ingest?.write === 'append' || ingest?.write === 'merge'
}
