/**
 * Runs that were refused before they had the warehouse: its lease or its file is somebody else's, its address is wrong, or
 * `svc.yaml` cannot be read. Their rows wait in a file for the next command that has it, so that the history has every run.
 */
import { appendFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { jsonLines, readText } from '../artifacts/read-file.ts'
import { SvcError } from '../errors.ts'
import { insertHistory } from '../state/changes.ts'
import { emptyState, type HistoryRecord } from '../state/state.ts'
import { isAlive } from '../warehouse/lease/process-identity.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Run } from './run.ts'
import { refusedRow } from './run-history.ts'

type Refused = Pick<Run, 'workspace' | 'request' | 'runId' | 'startedAt'>

const waiting = 'refused.ndjson'

function folderOf({ root, environment }: Workspace): string {
  return join(root, '.svc', environment.name)
}

/** Keeps the row of a run that has none. Where it cannot be kept, the log of the run has its end all the same. */
export async function keepRefused(run: Refused, error: unknown): Promise<void> {
  const { workspace } = run
  try {
    const row = refusedRow(run, emptyState(workspace.environment.stateName), error)
    mkdirSync(folderOf(workspace), { recursive: true, mode: 0o700 })
    letWait(workspace, row)
    if (error instanceof SvcError && error.code === 'lease-held') await enterBeside(workspace)
  } catch {
    // What refused the run is what is told.
  }
}

/** Adding rows needs no lease, only the warehouse; whoever has that now, or the next command, does it otherwise. */
async function enterBeside(workspace: Workspace): Promise<void> {
  const warehouse = await workspace.warehouse()
  const session = await warehouse.open('write', { waitMs: 0, signal: workspace.signal })
  try {
    const { generation } = await session.state.read(workspace.environment.stateName, { historyLimit: 1 })
    await enterRefused(session, workspace, generation)
  } finally {
    await session.close()
  }
}

function letWait(workspace: Workspace, row: HistoryRecord): void {
  appendFileSync(join(folderOf(workspace), waiting), `${JSON.stringify(row)}\n`, { mode: 0o600 })
}

/** Enters the rows that wait for this environment into its history. Returns whether there were any. */
export async function enterRefused(
  session: WarehouseSession,
  workspace: Workspace,
  generation: number,
): Promise<boolean> {
  const taken = takeWaiting(workspace)
  if (taken.length === 0) return false
  const { stateName } = workspace.environment
  const rows = new Map(taken.flatMap(rowsIn).map(row => [row.run_id, row]))
  // A command that was killed may have entered what it had taken.
  for (const { run_id } of await session.state.runs()) rows.delete(run_id)
  const own = [...rows.values()].filter(({ environment }) => environment === stateName)
  if (own.length > 0)
    await session.state.commit(own.flatMap(row => insertHistory({ ...row, from_generation: generation })))
  for (const row of rows.values()) if (row.environment !== stateName) letWait(workspace, row)
  for (const path of taken) rmSync(path, { force: true })
  return own.length > 0
}

/**
 * Takes the file of what waits, and those that a killed command had taken: of several that ask at the same moment, one gets each.
 * Rows that are added meanwhile go into a new file.
 */
function takeWaiting(workspace: Workspace): readonly string[] {
  const folder = folderOf(workspace)
  if (!existsSync(folder)) return []
  const { pid, newRunId } = workspace.world
  return readdirSync(folder).flatMap(name => {
    const [isWaiting, taker] = /^refused(?:\.([0-9]+)\..+)?\.ndjson$/.exec(name) ?? []
    if (isWaiting === undefined || (taker !== undefined && isAlive(Number(taker)))) return []
    const own = join(folder, `refused.${pid}.${newRunId()}.ndjson`)
    try {
      renameSync(join(folder, name), own)
      return [own]
    } catch {
      // Another command was quicker, or nothing can be moved here: what waits goes on waiting.
      return []
    }
  })
}

function rowsIn(path: string): HistoryRecord[] {
  return jsonLines<HistoryRecord>(readText(path) ?? '').filter(row => typeof row?.run_id === 'string')
}
