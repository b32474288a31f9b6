/** The keys of loads that a run makes or reuses. */
import { loadKey } from '../plan/identities.ts'
import { loadBehindLive } from '../plan/last-load.ts'
import { type SaltedKey, saltedKey } from '../plan/renewal.ts'
import { sha256 } from '../workspace/open-workspace.ts'
import type { PreparedRun } from './prepare-run.ts'
import type { Run } from './run.ts'

/** Returns the key of a load by the content of its source. */
export function loadKeyOf(
  { runId }: Pick<Run, 'runId'>,
  { state, identities, renewal }: Pick<PreparedRun, 'state' | 'identities' | 'renewal'>,
  name: string,
  loadId: string,
): SaltedKey {
  const plain = loadKey(name, identities, loadId, sha256)
  const facts = { state, renewal, runId, hash: sha256 }
  return saltedKey(name, plain, loadBehindLive(state, name), facts) ?? { key: plain, salt: undefined }
}
