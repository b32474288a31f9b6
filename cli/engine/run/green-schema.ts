/** The schema of one run's builds: never renamed, never written again after its run (decisions 2). */
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import { readBuild } from './compile-asset.ts'
import type { RunProgress } from './run-progress.ts'

export const greenPrefix = 'svc_g_'

export function greenSchema(runId: string): string {
  return `${greenPrefix}${runId}`
}

/**
 * Views of what the run reused, so that its green schema can be looked at as a whole. For a run that stops before the
 * promotion: where everything is promoted, production shows the same, and a thousand views take a quarter of a second.
 */
export async function showReused(
  session: WarehouseSession,
  schema: string,
  progress: RunProgress,
): Promise<void> {
  const { dialect } = session
  const statements = [...progress.assets].flatMap(([name, { status, build }]) => {
    if (status !== 'unchanged' || build === undefined) return []
    return [
      `CREATE VIEW ${dialect.relation({ schema, name })} AS SELECT * FROM ${readBuild(build, 'view', '', dialect)}`,
    ]
  })
  if (statements.length > 0) await session.transaction(statements.map(sql => ({ sql })))
}
