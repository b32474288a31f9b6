/**
 * Runs that were refused before they had the warehouse: its lease or its file is somebody else's, its address is wrong, or
 * `svc.yaml` cannot be read. Their rows wait in a file for the next command that has it, so that the history has every run.
 */
import { appendFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { jsonLines, readText } from '../artifacts/read-file.ts'
import { SvcError } from '../errors.ts'
import { insertHistory } from '../state/changes.ts'
import { emptyState, type HistoryRecord } from '../state/state.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Run } from './run.ts'
import { refusedRow } from './run-history.ts'

type Refused = Pick<Run, 'workspace' | 'request' | 'runId' | 'startedAt'>

function waitingPath({ root, environment }: Workspace): string {
  return join(root, '.svc', environment.name, 'refused.ndjson')
}

/** Keeps the row of a run that has none. Where it cannot be kept, the log of the run has its end all the same. */
export async function keepRefused(run: Refused, error: unknown): Promise<void> {
  const { workspace } = run
  try {
    const row = refusedRow(run, emptyState(workspace.environment.stateName), error)
    const path = waitingPath(workspace)
    mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 })
    appendFileSync(path, `${JSON.stringify(row)}\n`, { mode: 0o600 })
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

/** Enters the rows that wait for this environment into its history. Returns whether there were any. */
export async function enterRefused(
  session: WarehouseSession,
  workspace: Workspace,
  generation: number,
): Promise<boolean> {
  const path = waitingPath(workspace)
  const { stateName } = workspace.environment
  const taken = path.replace(/\.ndjson$/, `.${encodeURIComponent(stateName)}.ndjson`)
  // Rows that are added meanwhile go into a new file; those that a killed command had taken come first.
  if (!existsSync(taken) && existsSync(path)) renameSync(path, taken)
  const rows = rowsIn(taken)
  if (rows.length === 0) return false
  const known = new Set((await session.state.runs()).map(({ run_id }) => run_id))
  const own = rows.filter(({ environment, run_id }) => environment === stateName && !known.has(run_id))
  if (own.length > 0)
    await session.state.commit(own.flatMap(row => insertHistory({ ...row, from_generation: generation })))
  const others = rows.filter(({ environment }) => environment !== stateName)
  for (const row of others) appendFileSync(path, `${JSON.stringify(row)}\n`, { mode: 0o600 })
  rmSync(taken, { force: true })
  return own.length > 0
}

function rowsIn(path: string): HistoryRecord[] {
  return jsonLines<HistoryRecord>(readText(path) ?? '').filter(row => typeof row?.run_id === 'string')
}
