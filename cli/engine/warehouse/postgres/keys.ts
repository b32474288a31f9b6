/** Keys of tables as PostgreSQL holds them, and what a table may have besides: a tablespace, settings of its build. */
import type { Column } from '@svc/server/language'
import type { OptionsSql } from '../around.ts'
import { brokenKey, columnsOfKey, type TableKey } from '../table-keys.ts'
import type { Relation } from '../warehouse.ts'
import type { Connection } from './connections.ts'
import { postgresDialect as dialect } from './dialect.ts'
import { codeOf, type ServerError, statementFailure } from './failures.ts'

const { identifier, literal } = dialect

/** The indexes of a table are made where it is. */
export const optionsSql: OptionsSql = {
  tablespace: name => `SELECT set_config('default_tablespace', ${literal(name)}, true)`,
  setting: (name, value) => `SELECT set_config(${literal(name)}, ${literal(value)}, true)`,
}

interface KeyedTable {
  readonly target: Relation
  readonly columns: readonly Column[]
}

/** Throws SvcError `build-failed` where rows break the key. */
export async function addKey(
  connection: Connection,
  { target, columns }: KeyedTable,
  key: TableKey,
  label: string,
): Promise<void> {
  const sql = `ALTER TABLE ${dialect.relation(target)} ADD ${keySql(key, columns)}`
  try {
    await connection.query(sql)
  } catch (error) {
    // A value that is missing, comes twice, or names no row.
    if (!/^23(?:502|503|505)$/.test(codeOf(error)))
      throw statementFailure(error, label, { code: 'build-failed', sql })
    const { message, detail = '' } = error as ServerError
    throw brokenKey(key, message, detail.replace(/\.$/, ''), error)
  }
}

function keySql({ list, columns: names, references }: TableKey, columns: readonly Column[]): string {
  const listed = (all: readonly string[]) => `(${all.map(identifier).join(', ')})`
  const own = listed(columnsOfKey(names, columns, dialect))
  if (list !== 'foreign_keys' || references === undefined)
    return `${list === 'primary_key' ? 'PRIMARY KEY' : 'UNIQUE'} ${own}`
  return `FOREIGN KEY ${own} REFERENCES ${dialect.relation(references.relation)} ${listed(references.columns)}`
}
