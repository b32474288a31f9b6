/**
 * Writes the ledger rows of a transaction on PostgreSQL and ends it. The row of a ledger is locked from then to the end, so that
 * writers of one project run one after another. What happens meanwhile is up to the database alone: the commit is sent together
 * with the statement that locks, because a lock that waits for an event loop makes all other writers wait for it, too. A long
 * write gives the lock back while others wait, and writes its audit rows again behind theirs.
 */
import { byLedger, contentOf, hashedEnd, mostTogether } from './ledger.ts'
import type { Change, Tx } from './storage.ts'

/** How often a long write gives way: then it runs to its end, however many others come. */
const mostYields = 20

type LedgerTx = Pick<Tx, 'all'>

export interface LedgerOptions {
  readonly at: string
  readonly isLong: boolean
  /** Sends the statement that ends the transaction; where one before it fails, the database undoes everything. */
  readonly commit: () => Promise<unknown>
}

export class PostgresLedgers {
  /** How many short writes of this process are about to write a ledger. */
  readonly #waiting = new Map<number, number>()

  async commit(tx: LedgerTx, changes: readonly Change[], options: LedgerOptions): Promise<void> {
    const groups = byLedger(changes)
    if (groups.length === 0) await options.commit()
    for (const [index, [id, group]] of groups.entries()) {
      const commit = index === groups.length - 1 ? options.commit : async () => {}
      await (options.isLong
        ? this.#writeLong(tx, id, group, { ...options, commit })
        : this.#writeShort(tx, id, group, { ...options, commit }))
    }
  }

  async #writeLong(
    tx: LedgerTx,
    id: number,
    changes: readonly Change[],
    options: LedgerOptions,
  ): Promise<void> {
    await tx.all('savepoint ledger')
    for (let yields = 0; ; yields++) {
      const mustYield = () => yields < mostYields && (this.#waiting.get(id) ?? 0) > 0
      if (await append(tx, id, changes, options, mustYield)) return
      // This unlocks the row: whoever waits for it is the next.
      await tx.all('rollback to savepoint ledger')
    }
  }

  async #writeShort(
    tx: LedgerTx,
    id: number,
    changes: readonly Change[],
    options: LedgerOptions,
  ): Promise<void> {
    const others = (change: number) => this.#waiting.set(id, (this.#waiting.get(id) ?? 0) + change)
    others(1)
    try {
      await append(tx, id, changes, options)
    } finally {
      if (others(-1).get(id) === 0) this.#waiting.delete(id)
    }
  }
}

/** Returns false if it stopped because others wait. */
async function append(
  tx: LedgerTx,
  id: number,
  changes: readonly Change[],
  { at, commit }: LedgerOptions,
  mustYield: () => boolean = () => false,
): Promise<boolean> {
  for (let start = 0; start < changes.length; start += mostTogether) {
    if (start > 0 && mustYield()) return false
    const rows = changes.slice(start, start + mostTogether).map((change, index) => {
      const content = contentOf(change, at)
      return { ...content, place: index + 1, hashed: hashedEnd(content) }
    })
    const isFirst = start === 0
    const written = tx.all(appendRows, [JSON.stringify(rows), id, isFirst ? 1 : 0, id, id, id])
    const isLast = start + mostTogether >= changes.length
    // Without a wait in between, both are sent at once.
    await (isLast ? Promise.all([written, commit()]) : written)
  }
  return true
}

/**
 * Locks the ledger, hashes the rows as `auditHash` does, and writes both. All rows of a transaction have the same revision, so
 * only the first statement of one adds to it.
 */
const appendRows = `with recursive
  item as materialized (
    select * from json_to_recordset(?) as listed (place integer, at text, actor text, action text, target text,
      request_id text, details text, token_id integer, hashed text)
  ),
  last as materialized (select revision, head from ledger where id = ? for update),
  next as materialized (select coalesce((select revision from last), 0) + cast(? as integer) as revision),
  chain (place, head) as (
    select 0, coalesce((select cast(head as text) from last), '')
    union all
    select item.place, encode(sha256(convert_to(
      '["' || chain.head || '",' || cast(? as integer) || ',' || next.revision || ',' || item.hashed, 'UTF8')), 'hex')
    from chain join item on item.place = chain.place + 1 cross join next
  ),
  written as (
    insert into audit (ledger_id, revision, at, actor, action, target, request_id, details, token_id, hash)
    select cast(? as integer), next.revision, item.at, item.actor, item.action, item.target, item.request_id, item.details,
      item.token_id, chain.head
    from item join chain on chain.place = item.place cross join next order by item.place
  )
  insert into ledger (id, revision, head)
  select cast(? as integer), next.revision, (select head from chain order by place desc limit 1) from next
  on conflict (id) do update set revision = excluded.revision, head = excluded.head`
