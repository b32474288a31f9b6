/** What the parts of a publish share. */
import type { Asset, PublishTarget } from '@svc/server/language'
import type { Secrets } from '../ingest/credentials.ts'
import type { EmitEvent } from '../run/events.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import type { OpenedWorkspace } from '../workspace/open-workspace.ts'
import type { Attempt } from './attempt.ts'
import type { OpenDestination } from './destination.ts'

export interface PublishRequest {
  readonly asset: string
  readonly to: string
  readonly isDryRun: boolean
  /** Whether everything is sent, also what the target has acknowledged. */
  readonly isFull: boolean
  readonly allowsMassChange: boolean
  /** Whether new warnings stop it before anything is sent; the default is what the environment says. */
  readonly isStrict?: boolean | undefined
}

/** What the parts of a publish share. */
export interface Publishing {
  readonly workspace: OpenedWorkspace
  readonly asset: Asset
  readonly target: PublishTarget
  readonly request: PublishRequest
  readonly attempt: Attempt
  readonly destination: OpenDestination
  readonly secrets: Secrets
  /** The folder of the journal. */
  readonly folder: string
  readonly emit: EmitEvent
}

/** A publish that sends: it has the lease of its target. */
export interface UnderLease extends Publishing {
  /** Throws SvcError `lease-lost`; asked before anything is sent, because another publish has sent it otherwise. */
  readonly assertHeld: () => Promise<void>
}

export async function closing<T>(session: WarehouseSession, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } finally {
    await session.close()
  }
}
