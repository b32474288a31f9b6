/**
 * A full disk may make SQLite end a transaction by itself, in the middle of it. What others still write in it would then
 * be a transaction each, kept though nobody was told so: such inserts are refused. A row of a temporary table says that
 * the transaction runs; SQLite takes it back with the rest.
 */
import type { SqliteConnection } from './sqlite-driver.ts'

export const beginGuarded = 'begin immediate; insert into temp.running_transaction values (1)'
export const commitGuarded = 'delete from temp.running_transaction; commit'

/** For all tables that there are. */
export async function guardTransactions(writer: SqliteConnection): Promise<void> {
  const tables = await writer.all(
    `select name from main.sqlite_master where type = 'table' and name not like 'sqlite!_%' escape '!'`,
    [],
  )
  const triggers = tables.map(({ name }) => {
    return `create temp trigger "guard_${name}" before insert on main."${name}"
      when not exists (select 1 from running_transaction)
      begin select raise(abort, 'no transaction runs'); end;`
  })
  await writer.exec(`create temp table running_transaction (one integer); ${triggers.join('\n')}`)
}
