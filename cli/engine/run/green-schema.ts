/** The schema of one run's builds: it is never renamed, and never changed after its run (decisions 2). */
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import { readBuild } from './compile-asset.ts'
import type { RunProgress } from './run-progress.ts'

/** The prefix of all schemas that hold builds or samples. */
export const ownPrefix = 'svc_'
export const greenPrefix = `${ownPrefix}g_`

export function greenSchema(runId: string): string {
  return `${greenPrefix}${runId}`
}

/**
 * Creates views of reused builds, so that users can inspect the green schema as a whole. This is needed only
 * if a run stops before the promotion; otherwise production shows the same, and a thousand views take a
 * quarter of a second.
 */
export async function showReused(
  session: WarehouseSession,
  schema: string,
  progress: RunProgress,
): Promise<void> {
  const { dialect } = session
  const statements = [...progress.assets].flatMap(([name, { status, build }]) => {
    if ((status !== 'unchanged' && status !== 'taken_over') || build === undefined) return []
    return [
      `CREATE VIEW ${dialect.relation({ schema, name })} AS SELECT * FROM ${readBuild(build, 'view', '', dialect)}`,
    ]
  })
  if (statements.length > 0) await session.transaction(statements)
}
