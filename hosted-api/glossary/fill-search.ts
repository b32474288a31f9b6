/** Cuts records into words that an earlier version of the service has written. */
import type { Cell, Row, Storage } from '../storage/index.ts'
import { entryKinds } from './kinds.ts'
import { contentOf, recordText } from './record.ts'
import type { SearchText } from './search-text.ts'
import { statementsOf } from './statements.ts'

const pageRows = 200

export async function fillEntrySearch(storage: Storage): Promise<void> {
  for (const kind of entryKinds) {
    const select = `${statementsOf(kind).select} where ${kind.name}.search_title is null`
    await fillSearch(storage, kind.name, select, row => recordText(kind, contentOf(kind, row)))
  }
}

/** @param select the rows of the table that have no words yet, with their `id` */
export async function fillSearch(
  storage: Storage,
  table: string,
  select: string,
  textOf: (row: Row) => SearchText,
): Promise<void> {
  for (;;) {
    const rows = await storage.reads.all(`${select} order by ${table}.id limit ${pageRows}`)
    if (rows.length === 0) return
    const texts = rows.map((row): readonly Cell[] => {
      const { title, body } = textOf(row)
      return [title, body, row['id'] ?? null]
    })
    await storage.write(async tx => {
      for (const values of texts)
        await tx.all(`update ${table} set search_title = ?, search_body = ? where id = ?`, values)
    })
  }
}
