/**
 * Writes the ledger rows of a transaction on PostgreSQL. The row of a ledger is locked from then to the end, so that writers of
 * one project run one after another. A long write gives it back while others wait, and writes its audit rows again behind theirs.
 */
import { appendInParts, byLedger, type LedgerHead } from './ledger.ts'
import type { Change, Tx } from './storage.ts'

/** How often a long write gives way: then it runs to its end, however many others come. */
const mostYields = 20

type LedgerTx = Pick<Tx, 'all' | 'firstForUpdate'>

export class PostgresLedgers {
  /** How many short writes of this process wait for the row of a ledger. */
  readonly #waiting = new Map<number, number>()

  async write(tx: LedgerTx, changes: readonly Change[], at: string, isLong: boolean): Promise<void> {
    for (const [id, group] of byLedger(changes)) {
      if (isLong) await this.#writeLong(tx, id, group, at)
      else await append(tx, await this.#lockShort(tx, id), group, at)
    }
  }

  async #writeLong(tx: LedgerTx, id: number, changes: readonly Change[], at: string): Promise<void> {
    await tx.all('savepoint ledger')
    for (let yields = 0; ; yields++) {
      const mustYield = () => yields < mostYields && (this.#waiting.get(id) ?? 0) > 0
      if (await append(tx, await lock(tx, id), changes, at, mustYield)) return
      // This unlocks the row: whoever waits for it is the next.
      await tx.all('rollback to savepoint ledger')
    }
  }

  async #lockShort(tx: LedgerTx, id: number): Promise<LedgerHead> {
    const others = (change: number) => this.#waiting.set(id, (this.#waiting.get(id) ?? 0) + change)
    others(1)
    try {
      return await lock(tx, id)
    } finally {
      if (others(-1).get(id) === 0) this.#waiting.delete(id)
    }
  }
}

async function lock(tx: LedgerTx, id: number): Promise<LedgerHead> {
  const row = await tx.firstForUpdate<LedgerRow>('select id, revision, head from ledger where id = ?', [id])
  return row ?? { id, revision: 0, head: '' }
}

/** Returns false if it stopped because others wait. */
async function append(
  tx: LedgerTx,
  last: LedgerHead,
  changes: readonly Change[],
  at: string,
  mustYield: () => boolean = () => false,
): Promise<boolean> {
  let head = last
  for (const part of appendInParts(last, changes, at)) {
    if (head !== last && mustYield()) return false
    await tx.all(insertAudit, [JSON.stringify(part.rows)])
    head = part.head
  }
  await tx.all(upsertLedger, [head.id, head.revision, head.head])
  return true
}

type LedgerRow = { readonly [K in keyof LedgerHead]: LedgerHead[K] }

const insertAudit = `insert into audit (ledger_id, revision, at, actor, action, target, request_id, details, token_id, hash)
  select ledger_id, revision, at, actor, action, target, request_id, details, token_id, hash
  from json_to_recordset(?) as row (ledger_id integer, revision integer, at text, actor text, action text,
    target text, request_id text, details text, token_id integer, hash text)`

const upsertLedger = `insert into ledger (id, revision, head) values (?, ?, ?)
  on conflict (id) do update set revision = excluded.revision, head = excluded.head`
