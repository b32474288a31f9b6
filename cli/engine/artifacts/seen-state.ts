/**
 * The files of an environment are copies of the state tables. Other environments, other machines, restored backups and deleted
 * folders change the tables without these files, so whoever is about to tell what they say looks first whether they are still
 * of the state that the tables have.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Project } from '@svc/server/language'
import type { LiveTimes } from '../quality/live-times.ts'
import type { PublishRecord, StateSnapshot } from '../state/state.ts'
import { type OpenedWorkspace, sha256 } from '../workspace/open-workspace.ts'
import { testKeys } from './test-history.ts'
import { writeWhole } from './write-file.ts'

const seenFile = 'seen_state'

/** What the files are made of, as it is in the tables. */
export interface Seen {
  readonly state: StateSnapshot | undefined
  readonly times: LiveTimes | undefined
  /** The last attempt of each target. */
  readonly publishes: readonly PublishRecord[]
}

/** Returns a text that is another one when the tables would tell something else of the assets, tests and targets that there are. */
export function stateMark({ state, times, publishes }: Seen, project: Project): string {
  const runs = state?.history.slice(0, runsLookedAt) ?? []
  return sha256(
    JSON.stringify([
      state?.generation ?? 0,
      sorted(
        [...(state?.live.values() ?? [])].map(row => [row.asset, row.build_key, row.run_id, row.deployed_at]),
      ),
      runs.map(({ run_id, status, finished_at }) => [run_id, status, finished_at]),
      sorted(
        [...(state?.tests.values() ?? [])].map(({ asset, name, status, ran_at }) => [
          asset,
          name,
          status,
          ran_at,
        ]),
      ),
      sorted([...(times?.loadTimes ?? [])].map(entry => [...entry])),
      sorted([...(times?.gone ?? [])].map(entry => [...entry])),
      sorted(publishes.map(({ run_id, status }) => [run_id, status])),
      [...project.byName.keys()].sort(),
      [...testKeys(project)].sort(),
    ]),
  )
}

/** Those of every reading of the tables. */
const runsLookedAt = 5

function sorted(rows: readonly (readonly string[])[]): readonly string[] {
  return rows.map(row => row.join('\n')).sort()
}

/** Returns whether the files in the folder of an environment are of that state. */
export function isSeen(folder: string, mark: string, catalog: string): boolean {
  try {
    return existsSync(join(folder, catalog)) && readFileSync(join(folder, seenFile), 'utf8') === mark
  } catch {
    return false
  }
}

export async function noteSeen(workspace: OpenedWorkspace, mark: string): Promise<void> {
  writeWhole(join(await workspace.stateFolder(), seenFile), mark, workspace.world.pid)
}
