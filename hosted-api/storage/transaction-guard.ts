/**
 * On a full disk SQLite may end a transaction by itself. Later inserts would then be committed one by one
 * although their writers got an error, so they are refused. A row in a temporary table shows that the
 * transaction is running; SQLite rolls it back with the rest.
 */
import type { SqliteConnection } from './sqlite-driver.ts'
import { sqliteNames } from './tables.ts'

export const beginGuarded = 'begin immediate; insert into temp.running_transaction values (1)'
export const commitGuarded = 'delete from temp.running_transaction; commit'

/** Adds the guard to all existing tables. */
export async function guardTransactions(writer: SqliteConnection): Promise<void> {
  const tables = await writer.all(sqliteNames, [])
  const triggers = tables.map(({ name }) => {
    return `create temp trigger "guard_${name}" before insert on main."${name}"
      when not exists (select 1 from running_transaction)
      begin select raise(abort, 'no transaction runs'); end;`
  })
  await writer.exec(`create temp table running_transaction (one integer); ${triggers.join('\n')}`)
}
