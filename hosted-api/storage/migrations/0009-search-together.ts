import type { Migration, MigrationStep } from './migration.ts'

const searched = ['term', 'metric', 'dimension', 'policy', 'asset_state']

/**
 * On SQLite the rows of a transaction get into the index together (`search-index.ts`); the triggers look after those that are
 * in it already. These have the numbers up to the last one that the index has, and a title.
 */
export const searchTogether: Migration = {
  name: '0009_search_together',
  steps: (_build, engine) => (engine === 'postgres' ? [] : searched.flatMap(stepsOf)),
}

function stepsOf(table: string): readonly MigrationStep[] {
  const index = `${table}_search`
  const insert = `insert into ${index} (rowid, search_title, search_body)
    select new.id, new.search_title, new.search_body where new.search_title is not null;`
  const remove = `insert into ${index} (${index}, rowid, search_title, search_body)
    select 'delete', old.id, old.search_title, old.search_body where old.search_title is not null;`
  const isIndexed = `old.id <= (select max(id) from ${index}_docsize)`
  return [
    ...['insert', 'delete', 'update'].map(event => `drop trigger ${index}_${event}`),
    `create trigger ${index}_delete after delete on ${table} when ${isIndexed} begin ${remove} end`,
    `create trigger ${index}_update after update of search_title, search_body on ${table}
      when ${isIndexed} and (old.search_title is not new.search_title or old.search_body is not new.search_body)
      begin ${remove} ${insert} end`,
  ]
}
