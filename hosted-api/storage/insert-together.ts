/**
 * Rows that the writes of a group insert at the same time get into their table in one statement: the ways to SQLite's thread
 * are most of what a write takes.
 */
import { grouped } from './grouped.ts'
import type { Cell, Row, RowInsert } from './storage.ts'

/** The text that inserts so many rows. */
export function insertText({ into, columns, end }: RowInsert, rows: number): string {
  const row = `(${columns.map(() => '?').join(', ')})`
  return `insert into ${into} (${columns.map(name => `"${name}"`).join(', ')})
    values ${Array.from({ length: rows }, () => row).join(', ')} ${end}`
}

interface Waiting {
  readonly values: readonly Cell[]
  readonly key: string
  resolve(row: Row | undefined): void
  reject(error: unknown): void
}

type RunText = (text: string, values: readonly Cell[]) => Promise<readonly Row[]>

export class InsertsTogether {
  readonly #run: RunText
  readonly #waiting = new Map<RowInsert, Waiting[]>()

  constructor(run: RunText) {
    this.#run = run
  }

  /** Resolves with what the statement returns of the row; undefined if another record is in the way. */
  add(insert: RowInsert, values: readonly Cell[]): Promise<Row | undefined> {
    return new Promise((resolve, reject) => {
      const key = JSON.stringify(insert.key.map(name => values[insert.columns.indexOf(name)]))
      const waiting = this.#waiting.get(insert) ?? []
      if (waiting.length === 0) {
        this.#waiting.set(insert, waiting)
        // The writes that have begun together come here in the same turn of promises.
        process.nextTick(() => this.#flush(insert))
      }
      waiting.push({ values, key, resolve, reject })
    })
  }

  /** Rows with the same key have a statement each: what one returns would not say which of them it is. */
  #flush(insert: RowInsert): void {
    const waiting = [...grouped(this.#waiting.get(insert) ?? [], ({ key }) => key).values()]
    this.#waiting.delete(insert)
    for (let turn = 0; ; turn++) {
      const rows = waiting.flatMap(same => same[turn] ?? [])
      if (rows.length === 0) return
      void this.#insert(insert, rows)
    }
  }

  async #insert(insert: RowInsert, rows: readonly Waiting[]): Promise<void> {
    try {
      const values = rows.flatMap(row => row.values)
      const found = await this.#run(insertText(insert, rows.length), values)
      const returned = new Map(found.map(row => [JSON.stringify(insert.key.map(name => row[name])), row]))
      for (const { key, resolve } of rows) resolve(returned.get(key))
    } catch (error) {
      if (rows.length === 1) return rows[0]?.reject(error)
      // The statement is undone; each row is told what is wrong with it alone.
      for (const row of rows) await this.#insert(insert, [row])
    }
  }
}
