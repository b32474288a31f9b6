/** The five kinds (interface.md 2.2-2.6); hosted.md 5.2 decides what the contract leaves open. */
import type { EntryKind } from '../../server/language/glossary/entries.ts'
import type { Kind } from './kind.ts'
import { dimension } from './kinds/dimension.ts'
import { link } from './kinds/link.ts'
import { metric } from './kinds/metric.ts'
import { policy } from './kinds/policy.ts'
import { term } from './kinds/term.ts'

export { identifier, identifierPattern, namedFields } from './kinds/shared.ts'

export const kinds: Readonly<Record<EntryKind, Kind>> = { term, metric, dimension, policy, link }
export const allKinds: readonly Kind[] = Object.values(kinds)
export const entryKinds: readonly Kind[] = allKinds.filter(kind => kind.named)
