/** Recomputes the hash chain of the audit log: a changed, added or removed row breaks it. */

import { type AuditRow, auditHash, pages, type Queries, serviceLedger } from '../storage/index.ts'
import { lastAnchors } from './audit-anchors.ts'

export type AuditReport = Awaited<ReturnType<typeof checkAudit>>

const pageSize = 1000
const mostProblems = 20

export async function checkAudit(queries: Queries) {
  const heads = await queries.all<{ id: number; head: string }>('select id, head from ledger order by id')
  const anchors = await lastAnchors(queries)
  const problems: string[] = []
  let entries = 0
  for (const { id, head } of heads) {
    let last = anchors[id]?.hash ?? ''
    const pruned = anchors[id]?.through ?? 0
    for await (const rows of pages<Entry>(queries, entriesOfLedger, [id], pageSize)) {
      entries += rows.length
      for (const { hash, id: entry, ...content } of rows) {
        if (entry <= pruned) problems.push(`${chainName(id)}: entry ${entry} was pruned and is there again`)
        if (auditHash(last, content) !== hash) {
          problems.push(
            `${chainName(id)}: entry ${entry} is not what was written, or one before it is missing`,
          )
        }
        // Continues with the stored hash, so that one change is reported once.
        last = hash
      }
    }
    if (last !== head) problems.push(`${chainName(id)}: entries at the end are missing`)
  }
  const strays = await queries.all<{ ledger_id: number }>(
    'select distinct ledger_id from audit where ledger_id not in (select id from ledger)',
  )
  problems.push(...strays.map(({ ledger_id }) => `${chainName(ledger_id)}: has entries but no end`))
  return { entries, chains: heads.length, problems: problems.slice(0, mostProblems) }
}

type Entry = { readonly [K in keyof AuditRow]: AuditRow[K] } & { readonly id: number }

const entriesOfLedger = `select id, ledger_id, revision, at, actor, action, target, request_id, details, token_id, hash from audit
  where ledger_id = ? and id > ? order by id`

function chainName(ledger: number): string {
  return ledger === serviceLedger ? 'the service' : `project ${ledger}`
}
