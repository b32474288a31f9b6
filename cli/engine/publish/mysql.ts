/**
 * A table of MySQL or MariaDB: each batch is one transaction, in which the rows come into a table of the session
 * and go from there into the target by its key. What another unique index forbids is refused, and never another
 * row changed, which ON DUPLICATE KEY UPDATE would do.
 */
import mysql, { type Connection, type RowDataPacket } from 'mysql2'
import { mysqlConnection } from '../ingest/sql/mysql.ts'
import { failureOf } from '../ingest/sql/mysql-failures.ts'
import { quoteWith, tableParts } from '../ingest/sql/relation.ts'
import {
  type Batch,
  type DestinationRequest,
  type Field,
  Refused,
  type RowOutcome,
  type Unheld,
} from './destination.ts'
import { documentText, hasJson, isNested } from './json-sql.ts'
import { jsonTexts, textValues } from './row-text.ts'
import { judged } from './sql-failures.ts'
import {
  identityIn,
  keyOf,
  markOf,
  outcomeOfUpdate,
  own,
  repeatedKeys,
  SqlTable,
  type TableLook,
} from './sql-table.ts'

export function openMysqlTable(request: DestinationRequest): SqlTable<Connection> {
  return new MysqlTable(request, quote)
}

const quote = quoteWith('`')
const stage = own.publish_stage
const settings = [
  'SET NAMES utf8mb4',
  "SET SESSION time_zone = '+00:00'",
  // A value that does not fit is an error, never cut.
  "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO'",
]
/** Errors about values that have no SQLSTATE of their own. */
const ofRows = new Set([1048, 1062, 1264, 1265, 1292, 1366, 1406, 1451, 1452, 3140, 3819, 4025])

interface MysqlError extends Error {
  readonly errno?: number
  readonly sqlState?: string
}

class MysqlTable extends SqlTable<Connection> {
  #connection: Connection | undefined
  #hasStage = false

  textOf(sql: string, type: string): string {
    if (type === 'BLOB') return `hex(${sql})`
    // The shortest text of the largest FLOAT is a number above it, which MySQL refuses.
    if (type === 'FLOAT') return `CAST(CAST(${sql} AS DOUBLE) AS VARCHAR)`
    if (type === 'BOOLEAN') return `CAST(CAST(${sql} AS TINYINT) AS VARCHAR)`
    if (type === 'TIMESTAMP WITH TIME ZONE') return `strftime(${sql}, '%Y-%m-%d %H:%M:%S.%f')`
    return isNested(type) || hasJson(type) ? documentText(sql, type) : `CAST(${sql} AS VARCHAR)`
  }

  unheld(sql: string, type: string): Unheld | undefined {
    return repeatedKeys(sql, type, 'MySQL')
  }

  async close(): Promise<void> {
    this.#connection?.destroy()
    this.#connection = undefined
    this.#hasStage = false
  }

  protected typeOf(field: Field): string {
    return mysqlType(field)
  }

  protected async look(): Promise<TableLook | undefined> {
    const [table = '', schema] = [...tableParts(this.request.target.resource)].reverse()
    const where = `table_schema = ${schema === undefined ? 'DATABASE()' : mysql.escape(schema)} AND table_name = ${mysql.escape(table)}`
    const ask = (sql: string) => this.asking(connection => this.run(connection, sql))
    const columns = await ask(
      `SELECT column_name AS name FROM information_schema.columns WHERE ${where} ORDER BY ordinal_position`,
    )
    if (columns.length === 0) return undefined
    const indexes = await ask(
      `SELECT index_name AS place, column_name AS name FROM information_schema.statistics WHERE ${where} AND non_unique = 0`,
    )
    const names = new Set(indexes.map(({ place }) => String(place)))
    const columnsOf = (index: string) =>
      indexes.filter(({ place }) => String(place) === index).map(({ name }) => String(name))
    const [found] = await ask(`SELECT table_comment AS comment FROM information_schema.tables WHERE ${where}`)
    return {
      identity: identityIn(found?.['comment']),
      columns: columns.map(({ name }) => String(name)),
      uniqueKeys: [...names].map(columnsOf),
    }
  }

  protected override get tableOptions(): string {
    return ` COMMENT = ${mysql.escape(markOf(this.request.now()))}`
  }

  protected async connected(): Promise<Connection> {
    if (this.#connection !== undefined) return this.#connection
    const { target, signal } = this.request
    signal.throwIfAborted()
    const connection = mysql.createConnection({
      ...mysqlConnection(this.address, target.limits.timeoutMs),
      supportBigNumbers: true,
      bigNumberStrings: true,
      dateStrings: true,
    })
    connection.on('error', () => {
      this.#connection = undefined
    })
    await new Promise<void>((resolve, reject) => {
      connection.connect(error => (error === null ? resolve() : reject(error)))
    })
    this.#connection = connection
    this.#hasStage = false
    for (const sql of settings) await this.run(connection, sql)
    return connection
  }

  protected run(connection: Connection, sql: string): Promise<RowDataPacket[]> {
    return new Promise((resolve, reject) => {
      connection.query<RowDataPacket[]>(sql, (error, rows) =>
        error === null ? resolve(rows) : reject(error),
      )
    })
  }

  protected async judged(error: unknown): Promise<unknown> {
    const { errno = 0, sqlState = '' } = error as MysqlError
    const isOfRows = /^2[23]/.test(sqlState) || ofRows.has(errno)
    // A connection in doubt is not used again.
    if (!isOfRows) await this.close()
    const isPassing = errno === 1205 || errno === 1213
    const found = judged({ explained: failureOf(error), isOfRows, isPassing, shown: this.shown })
    return found instanceof Refused ? new Refused(withoutStage(found.message)) : found
  }

  protected override async begin(connection: Connection): Promise<void> {
    if (!this.#hasStage) {
      const empty = `SELECT ${this.names.join(', ')}, 0 AS ${own.row} FROM ${this.relation} LIMIT 0`
      await this.run(connection, `CREATE TEMPORARY TABLE ${stage} AS ${empty}`)
      this.#hasStage = true
    }
    await super.begin(connection)
    await this.run(connection, `DELETE FROM ${stage}`)
  }

  protected async write({ rows }: Batch): Promise<readonly RowOutcome[] | undefined> {
    const { mode } = this.request.target
    const found = await this.inTransaction(async connection => {
      await this.run(connection, this.#stageSql(rows.map(({ payload }) => textValues(payload))))
      if (mode !== 'insert') await this.#update(connection)
      if (mode === 'update') return this.#there(connection)
      await this.#insert(connection)
      return undefined
    })
    return found && rows.map((_, index) => outcomeOfUpdate(found.has(index)))
  }

  #stageSql(rows: readonly (readonly (string | null)[])[]): string {
    const values = rows.map((row, index) => {
      const texts = row.map((value, place) => literal(value, this.fields[place]?.type ?? ''))
      return `(${texts.join(', ')}, ${index})`
    })
    return `INSERT INTO ${stage} (${[...this.names, own.row].join(', ')}) VALUES ${values.join(', ')}`
  }

  get #joined(): string {
    return `${this.relation} AS ${own.target} JOIN ${stage} AS ${own.stage} ON ${this.sameKey(own.stage)}`
  }

  async #update(connection: Connection): Promise<void> {
    if (this.others.length === 0) return
    const set = this.others.map(name => `${own.target}.${name} = ${own.stage}.${name}`).join(', ')
    await this.run(connection, `UPDATE ${this.#joined} SET ${set}`)
  }

  async #insert(connection: Connection): Promise<void> {
    const from = this.names.map(name => `${own.stage}.${name}`).join(', ')
    const isThere = `SELECT 1 FROM ${this.relation} AS ${own.target} WHERE ${this.sameKey(own.stage)}`
    await this.run(
      connection,
      `INSERT INTO ${this.relation} (${this.names.join(', ')}) SELECT ${from} FROM ${stage} AS ${own.stage} WHERE NOT EXISTS (${isThere})`,
    )
  }

  async #there(connection: Connection): Promise<ReadonlySet<number>> {
    const rows = await this.run(connection, `SELECT ${own.stage}.${own.row} FROM ${this.#joined}`)
    return new Set(rows.map(row => Number(row[own.row])))
  }

  protected async remove({ rows }: Batch, at: string | undefined): Promise<void> {
    const key = keyOf(this.fields)
    const values = rows.map(row => {
      const texts = jsonTexts(row.key).map((value, place) => literal(keyText(value), key[place]?.type ?? ''))
      return `(${texts.join(', ')})`
    })
    const what =
      at === undefined
        ? `DELETE FROM ${this.relation}`
        : `UPDATE ${this.relation} SET ${quote(this.request.target.mark)} = ${literal(keyText(at), '')}`
    const sql = `${what} WHERE (${this.key.join(', ')}) IN (${values.join(', ')})`
    await this.asking(connection => this.run(connection, sql))
  }
}

const ofStage = new RegExp(`\`[^.]*\`\\.\`${stage}\`\\.| at row \\d+$`, 'g')

/** A reason names the column of the target: the table of the session and its rows are known to no one else. */
function withoutStage(message: string): string {
  return message.replace(ofStage, '')
}

/** A key is kept as JSON, where times are as ISO 8601 says, and booleans are words. */
function keyText(value: string | null): string | null {
  if (value === 'true' || value === 'false') return value === 'true' ? '1' : '0'
  const time = /^(\d{4}-\d\d-\d\d)T([\d:.]+)Z?$/.exec(value ?? '')
  return time === null ? value : `${time[1]} ${time[2]}`
}

function literal(value: string | null, type: string): string {
  if (value === null) return 'NULL'
  return type === 'BLOB' ? `X'${value}'` : mysql.escape(value)
}

function mysqlType({ type, isKey }: Field): string {
  const known: Readonly<Record<string, string>> = {
    ...{ BOOLEAN: 'BOOLEAN', TINYINT: 'TINYINT', SMALLINT: 'SMALLINT', INTEGER: 'INT', BIGINT: 'BIGINT' },
    ...{ UTINYINT: 'TINYINT UNSIGNED', USMALLINT: 'SMALLINT UNSIGNED', UINTEGER: 'INT UNSIGNED' },
    ...{ UBIGINT: 'BIGINT UNSIGNED', FLOAT: 'FLOAT', DOUBLE: 'DOUBLE', DATE: 'DATE', TIME: 'TIME(6)' },
    ...{ 'TIMESTAMP WITH TIME ZONE': 'DATETIME(6)', BLOB: 'LONGBLOB' },
  }
  if (isNested(type) || type === 'JSON') return 'JSON'
  if (type.startsWith('DECIMAL')) return type
  if (type.startsWith('TIMESTAMP')) return 'DATETIME(6)'
  // A key has a length, by which the server can index it.
  return known[type] ?? (isKey ? 'VARCHAR(255) COLLATE utf8mb4_bin' : 'LONGTEXT')
}
