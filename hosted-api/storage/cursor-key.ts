/** A secret of this database that survives restarts and that all its servers share. */
import { randomBytes } from 'node:crypto'
import type { Storage } from './storage.ts'

/** Returns the key that signs cursors; it is created at the first start. */
export async function readCursorKey(storage: Storage): Promise<Buffer> {
  const known = await select(storage)
  if (known !== undefined) return known
  await storage.write(tx =>
    tx.all(`insert into setting (key, value) values ('cursor_key', ?) on conflict do nothing`, [
      randomBytes(32).toString('base64'),
    ]),
  )
  // If two servers start at once, one of them created the key.
  return (await select(storage)) ?? readCursorKey(storage)
}

async function select(storage: Storage): Promise<Buffer | undefined> {
  const row = await storage.reads.first<{ value: string }>(
    `select value from setting where key = 'cursor_key'`,
  )
  return row === undefined ? undefined : Buffer.from(row.value, 'base64')
}
