/** The options of every command that opens the database. */
import { type Command, Option } from 'commander'
import { type SqliteDriver, sqliteDrivers } from '../storage/index.ts'

export interface DatabaseOptions {
  readonly db: string
  /** None: the first one that can be loaded. */
  readonly dbDriver?: SqliteDriver
  /** Whether a database that does not exist is made. A restore makes its own. */
  readonly create?: boolean
}

export function addDatabaseOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--db <address>', 'sqlite:///path/to/file or postgres://user@host/database')
        .env('SVC_HOSTED_DB')
        .makeOptionMandatory(),
    )
    .addOption(
      new Option(
        '--db-driver <name>',
        'SQLite driver (default: sqlite3, or libsql where that is not there)',
      ).choices(sqliteDrivers),
    )
}

/** For commands to which a new database is of use. */
export function addCreateOption(command: Command): Command {
  return command.option('--create', 'make the database if it does not exist', false)
}
