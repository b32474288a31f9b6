/** Makes or migrates the state tables for a command that is about to write, and tells of a migration, which is for good. */
import type { Warning } from '@svc/server/contract'
import { buildId } from '../config/build-id.ts'
import type { StateMigration } from '../state/state-store.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import type { EmitEvent } from './events.ts'

export async function initialiseState(session: WarehouseSession, emit: EmitEvent): Promise<void> {
  const migration = await session.state.initialise()
  if (migration !== undefined) emit({ type: 'warning', ...migrationWarning(migration) })
}

export function migrationWarning({ from, to }: StateMigration): Warning {
  return {
    code: 'state-migrated',
    asset: null,
    message: `the state tables of this warehouse were changed from version ${from} to ${to}, and an older svc refuses them from now on`,
    hint: `Update svc wherever this warehouse is used, CI too; this one is build ${buildId}.`,
    example: `${from} -> ${to}`,
  }
}
