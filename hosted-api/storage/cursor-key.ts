/** A secret of this store that outlives a restart and that all servers of one database share. */
import { randomBytes } from 'node:crypto'
import type { Storage } from './storage.ts'

/** The key that cursors are signed with, made at the first start. */
export async function readCursorKey(storage: Storage): Promise<Buffer> {
  const known = await select(storage)
  if (known !== undefined) return known
  await storage.write(tx =>
    tx.all(`insert into setting (key, value) values ('cursor_key', ?) on conflict do nothing`, [
      randomBytes(32).toString('base64'),
    ]),
  )
  // Of two servers that start at once one has won.
  return (await select(storage)) ?? readCursorKey(storage)
}

async function select(storage: Storage): Promise<Buffer | undefined> {
  const row = await storage.reads.first<{ value: string }>(
    `select value from setting where key = 'cursor_key'`,
  )
  return row === undefined ? undefined : Buffer.from(row.value, 'base64')
}
