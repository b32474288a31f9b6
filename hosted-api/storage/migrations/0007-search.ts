import type { Engine } from '../storage.ts'
import type { Migration, MigrationStep } from './migration.ts'

/** The tables with records that are searched. */
const searched = ['term', 'metric', 'dimension', 'policy', 'asset_state']

/**
 * The words of a record in two columns, `search_title` (name, identifier, synonyms) and `search_body` (everything
 * else), cut into words by the service, so that both engines find the same. Null: not cut yet.
 */
export const search: Migration = {
  name: '0007_search',
  steps: (_build, engine) => searched.flatMap(table => stepsOf(table, engine)),
}

function stepsOf(table: string, engine: Engine): readonly MigrationStep[] {
  const columns = ['search_title', 'search_body'].map(name => `alter table ${table} add column ${name} text`)
  return [...columns, ...(engine === 'postgres' ? vectorSteps(table) : indexSteps(table))]
}

function vectorSteps(table: string): readonly MigrationStep[] {
  return [
    `alter table ${table} add column search_vector tsvector generated always as (array_to_tsvector(array_remove(
      string_to_array(replace(coalesce(search_title, ''), chr(10), ' ') || ' ' || coalesce(search_body, ''), ' '), '')))
      stored`,
    `create index ${table}_search on ${table} using gin (search_vector)`,
  ]
}

/** The words stay in the table; triggers keep the index with them. Marks belong to words, as in Hindi. */
function indexSteps(table: string): readonly MigrationStep[] {
  const index = `${table}_search`
  const insert = `insert into ${index} (rowid, search_title, search_body)
    select new.id, new.search_title, new.search_body where new.search_title is not null;`
  const remove = `insert into ${index} (${index}, rowid, search_title, search_body)
    select 'delete', old.id, old.search_title, old.search_body where old.search_title is not null;`
  return [
    `create virtual table ${index} using fts5 (search_title, search_body, content = '${table}', content_rowid = 'id',
      prefix = '2 3', tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'")`,
    `create trigger ${index}_insert after insert on ${table} begin ${insert} end`,
    `create trigger ${index}_delete after delete on ${table} begin ${remove} end`,
    `create trigger ${index}_update after update of search_title, search_body on ${table}
      when old.search_title is not new.search_title or old.search_body is not new.search_body
      begin ${remove} ${insert} end`,
  ]
}
