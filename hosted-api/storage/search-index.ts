/**
 * The full-text indexes of SQLite get the new rows of a transaction in one statement, before its COMMIT. A trigger for each
 * row would make a segment of the index for each statement, which takes longer than the row itself: SQLite opens a savepoint
 * for a statement with triggers, and the index is flushed for it.
 */

export const searchedTables = ['term', 'metric', 'dimension', 'policy', 'asset_state']

const changes = new RegExp(`^(?:insert into|update) [\`"]?(${searchedTables.join('|')})\\b`)

/** Returns the table with an index whose rows a statement may have added, or given words. */
export function searchedTable(text: string): string | undefined {
  return changes.exec(text)?.[1]
}

/** Rows are indexed in the order of their numbers, so the new ones are those behind the last. */
export function indexNewRows(table: string): string {
  const index = `${table}_search`
  return `insert into ${index} (rowid, search_title, search_body)
    select id, search_title, search_body from ${table}
    where id > (select coalesce(max(id), 0) from ${index}_docsize) and search_title is not null`
}
