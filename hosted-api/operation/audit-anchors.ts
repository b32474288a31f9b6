/**
 * Where the chains of the audit log begin after entries were pruned. The newest entry `audit.prune` of the service says
 * it, and is itself part of a chain.
 */
import { type Queries, serviceLedger } from '../storage/index.ts'

export const pruneAction = 'audit.prune'

/** By ledger: the last entry that was pruned, and its hash, with which the chain goes on. */
export type Anchors = Readonly<Record<string, { readonly through: number; readonly hash: string }>>

export async function lastAnchors(queries: Queries): Promise<Anchors> {
  const row = await queries.first(
    `select details from audit where ledger_id = ? and action = ? order by id desc limit 1`,
    [serviceLedger, pruneAction],
  )
  if (row === undefined) return {}
  return (JSON.parse(String(row['details'])) as { readonly anchors: Anchors }).anchors
}
