/**
 * The SQL of a kind, derived once from its description. Names are quoted, because `column` and `values` are
 * keywords.
 */
import { remember } from '../http/remember.ts'
import type { RowColumns, RowInsert } from '../storage/index.ts'
import type { Kind } from './kind.ts'
import { contentFields } from './record.ts'

export interface Statements {
  /** Columns and tables, for queries that are built. */
  readonly columns: string
  readonly source: string
  /** `select … from … ` with everything that an answer needs; a `where` is appended to it. */
  readonly select: string
  readonly byId: string
  /** Live records only. */
  readonly byIdentifier: string
  /** Returns the row, and the `twin` with its name; no row means that the identifier is taken. */
  readonly insert: RowInsert
  /** Updates the version that was read; no row means that another writer was faster. */
  readonly update: string
  readonly setDeleted: string
  readonly many: ManyStatements
}

/** For many records in one statement; `rows` is a FROM item with the name `item`. */
export type ManyStatements = ReturnType<typeof manyStatements>

const kept = ['origin', 'version', 'created_at', 'created_by', 'updated_at', 'updated_by', 'deleted_at']

export const statementsOf = remember(write)

function write(kind: Kind): Statements {
  const { name: table } = kind
  const fields = contentFields(kind).map(field => field.name)
  const words = kind.named ? ['search_title', 'search_body'] : []
  const content = [...fields, 'search_key', ...words, 'origin']
  const own = ['id', 'project_id', ...fields, ...kept]
  const joined = Object.entries(kind.joined?.columns ?? {}).map(([name, source]) => `${source} as ${name}`)
  const columns = [...own.map(name => `${table}."${name}"`), ...joined].join(', ')
  const source = `${table} ${kind.joined?.joins ?? ''}`
  const select = `select ${columns} from ${source}`
  const inserted = ['project_id', ...content, 'created_at', 'created_by', 'updated_at', 'updated_by']
  const returned = own.map(name => `"${name}"`).join(', ')
  const twin = `, (select twin.identifier from ${table} as twin where twin.project_id = ${table}.project_id
    and twin.name = ${table}.name and twin.id <> ${table}.id and twin.deleted_at is null limit 1) as twin`
  return {
    columns,
    source,
    select,
    byId: `${select} where ${table}.id = ?`,
    byIdentifier: `${select} where ${table}.project_id = ? and ${table}.identifier = ? and ${table}.deleted_at is null`,
    insert: {
      into: table,
      columns: inserted,
      end: `on conflict do nothing returning ${returned}${kind.named ? twin : ''}`,
      key: kind.named ? ['project_id', 'identifier'] : ['term', 'asset', 'column'],
    },
    update: `update ${table} set ${content.map(name => `"${name}" = ?`).join(', ')}, version = version + 1,
      updated_at = ?, updated_by = ? where id = ? and version = ? returning ${returned}`,
    setDeleted: `update ${table} set deleted_at = ?, version = version + 1, updated_at = ?, updated_by = ?
      where id = ? and version = ? returning ${returned}`,
    many: manyStatements(kind, own),
  }
}

function manyStatements(kind: Kind, own: readonly string[]) {
  const { name: table } = kind
  const columns: RowColumns = Object.fromEntries([
    ...contentFields(kind).map(
      ({ name, schema }) => [name, schema['type'] === 'integer' ? 'integer' : 'text'] as const,
    ),
    ...['search_key', 'search_title', 'search_body'].map(name => [name, 'text'] as const),
  ])
  const names = Object.keys(columns)
  const returned = own.map(name => `${table}."${name}"`).join(', ')
  const text = 'cast(? as text)'
  return {
    /** The columns of a row, in the order of `cellsOf` and `searchCells`. */
    columns,
    /** Returns the rows that were inserted; one that is missing was in the way. */
    insertRows: (
      rows: string,
    ) => `insert into ${table} (project_id, origin, created_at, created_by, updated_at, updated_by,
        ${names.map(name => `"${name}"`).join(', ')})
      select cast(? as integer), ${[text, text, text, text, text].join(', ')}, ${names.map(name => `item."${name}"`).join(', ')}
      from ${rows} where true on conflict do nothing returning ${own.map(name => `"${name}"`).join(', ')}`,
    /** Updates the versions `item_version` of the records `item_id`. */
    updateRows: (
      rows: string,
    ) => `update ${table} set ${names.map(name => `"${name}" = item."${name}"`).join(', ')},
        origin = ${text}, version = ${table}.version + 1, updated_at = ${text}, updated_by = ${text}
      from ${rows} where ${table}.id = item.item_id and ${table}.version = item.item_version returning ${returned}`,
  }
}
