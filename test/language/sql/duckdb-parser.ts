/** DuckDB's own parser, which the reader is held against. */
import { DuckDBInstance } from '@duckdb/node-api'

export interface DuckdbParser {
  /** The parser's objection; undefined: it takes the text as a query. */
  objection(sql: string): Promise<string | undefined>
  /** Its tree, as JSON. */
  tree(sql: string): Promise<unknown>
  rows(sql: string): Promise<readonly (readonly unknown[])[]>
  close(): void
}

interface Serialized {
  readonly error?: boolean
  readonly error_type?: string
  readonly error_message?: string
}

export async function openParser(): Promise<DuckdbParser> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const rows = async (sql: string) => (await connection.runAndReadAll(sql)).getRows()
  const tree = async (sql: string): Promise<Serialized> => {
    const quoted = `'${sql.replaceAll("'", "''")}'`
    const [row] = await rows(`SELECT json_serialize_sql(${quoted}::VARCHAR)`)
    return JSON.parse(String(row?.[0])) as Serialized
  }
  const objection = async (sql: string) => {
    const found = await tree(sql)
    // PIVOT and its like parse, but are no SELECT to the serializer.
    return found.error && found.error_type !== 'not implemented' ? found.error_message : undefined
  }
  return {
    objection,
    tree,
    rows,
    close: () => {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

/** Tags as names of the same length, so that the parser takes the text. */
export function withoutTags(sql: string): string {
  return sql.replace(/\{\{.*?\}\}/g, tag => 't'.padEnd(tag.length, 't'))
}
