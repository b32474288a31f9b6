/** What a source needs to give its records masked. */
import type { LocalReader } from '@svc/server/catalog'
import type { SourceLimits } from '@svc/server/language'
import type { Mask } from './mask.ts'

export interface Masking {
  readonly mask: Mask
  readonly local: LocalReader
  /** The private folder of the fetch, for the masked records. */
  readonly folder: string
  readonly limits: SourceLimits
  readonly signal: AbortSignal
}
