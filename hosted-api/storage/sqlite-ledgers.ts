/**
 * Writes the ledger rows of a group of transactions: a statement for every hundred audit rows or so, one per ledger for
 * its head.
 */
import { type AuditRow, appendInParts, byLedger, type LedgerHead, mostTogether } from './ledger.ts'
import type { SqliteConnection } from './sqlite-driver.ts'
import type { Change } from './storage.ts'

/**
 * @param transactions the changes of each, in order: each is one more revision of its projects
 * @param mayGoOn called before each statement with audit rows; may throw, because somebody else waits
 */
export async function writeLedgers(
  writer: SqliteConnection,
  transactions: readonly (readonly Change[])[],
  at: string,
  mayGoOn: () => void,
): Promise<readonly LedgerHead[]> {
  const heads = new Map<number, LedgerHead>()
  const rows: AuditRow[] = []
  const flush = () => {
    mayGoOn()
    return writer.all(insertAudit, [JSON.stringify(rows.splice(0))])
  }
  for (const changes of transactions) {
    for (const [id, group] of byLedger(changes)) {
      const last = heads.get(id) ?? (await readHead(writer, id))
      for (const appended of appendInParts(last, group, at)) {
        heads.set(id, appended.head)
        rows.push(...appended.rows)
        if (rows.length >= mostTogether) await flush()
      }
    }
  }
  if (rows.length > 0) await flush()
  for (const { id, revision, head } of heads.values()) await writer.all(upsertLedger, [id, revision, head])
  return [...heads.values()]
}

async function readHead(writer: SqliteConnection, id: number): Promise<LedgerHead> {
  const [row] = await writer.all('select id, revision, head from ledger where id = ?', [id])
  return row === undefined
    ? { id, revision: 0, head: '' }
    : { id, revision: Number(row['revision']), head: String(row['head']) }
}

const auditColumns = [
  'ledger_id',
  'revision',
  'at',
  'actor',
  'action',
  'target',
  'request_id',
  'details',
  'token_id',
  'hash',
] as const satisfies readonly (keyof AuditRow)[]

// Materialized as in `objectRows`.
const insertAudit = `insert into audit (${auditColumns.join(', ')})
  with list as materialized (select value from json_each(?))
  select ${auditColumns.map(column => `json_extract(value, '$.${column}')`).join(', ')} from list`

const upsertLedger = `insert into ledger (id, revision, head) values (?, ?, ?)
  on conflict (id) do update set revision = excluded.revision, head = excluded.head`
