/**
 * The query of a search. Every word has to be the beginning of a word of the record. The order says where the words
 * are, and is the same on both engines: the whole name, the beginning of the name, all of them in names, elsewhere.
 */
import type { Cell, Engine } from '../storage/index.ts'
import { searchWords } from './search-text.ts'

const mostWords = 10

export interface SqlPart {
  readonly text: string
  readonly values: readonly Cell[]
}

/** Undefined: the question has no word, and so no answer. */
export function searchQuery(
  engine: Engine,
  question: string,
  kinds: readonly string[],
  scope: SqlPart,
  limit: number,
): SqlPart | undefined {
  const words = searchWords(question).slice(0, mostWords)
  if (words.length === 0) return undefined
  const parts = kinds.map(kind => partOf(engine, kind, words, scope))
  return {
    text: `select kind, id, identifier, name, description, project_id from
      (${parts.map(part => part.text).join(' union all ')}) as hit order by place, name, kind, id limit ?`,
    values: [...parts.flatMap(part => part.values), limit],
  }
}

interface Source {
  readonly table: string
  readonly columns: string
  readonly from: string
  readonly live: string
}

const assetSource: Source = {
  table: 'asset_state',
  columns: `asset.id, asset.identifier, found.name, coalesce(found.description, found.path) as description,
    found.project_id`,
  from: `asset_state as found join asset on asset.id = found.asset_id
    join metadata_head as head on head.project_id = found.project_id`,
  live: `asset.removed_at is null and found.from_upload <= head.upload_id
    and (found.to_upload is null or found.to_upload > head.upload_id)`,
}

function sourceOf(kind: string): Source {
  if (kind === 'asset') return assetSource
  return {
    table: kind,
    columns: 'found.id, found.identifier, found.name, found.description, found.project_id',
    from: `${kind} as found`,
    live: 'found.deleted_at is null',
  }
}

function partOf(engine: Engine, kind: string, words: readonly string[], scope: SqlPart): SqlPart {
  const source = sourceOf(kind)
  const { inTitle, anywhere } = matchesOf(engine, source.table, words)
  // Words are letters and digits, which `like` takes as they are.
  const name = words.join(' ')
  return {
    text: `select '${kind}' as kind, ${source.columns}, case when found.search_title like ? then 0
        when found.search_title like ? then 1 when ${inTitle.text} then 2 else 3 end as place
      from ${source.from} where ${source.live} and found.${scope.text} and ${anywhere.text}`,
    values: [`${name}\n%`, `${name}%`, ...inTitle.values, ...scope.values, ...anywhere.values],
  }
}

/** Conditions: all words in names, and all words anywhere. */
function matchesOf(engine: Engine, table: string, words: readonly string[]) {
  if (engine === 'postgres') {
    const query = words.map(word => `'${word}':*`).join(' & ')
    const title = `array_to_tsvector(array_remove(string_to_array(replace(found.search_title, chr(10), ' '), ' '), ''))`
    return {
      inTitle: { text: `${title} @@ cast(? as tsquery)`, values: [query] },
      anywhere: { text: 'found.search_vector @@ cast(? as tsquery)', values: [query] },
    }
  }
  const query = words.map(word => `"${word}" *`).join(' AND ')
  const rows = `found.id in (select rowid from ${table}_search where ${table}_search match ?)`
  return {
    inTitle: { text: rows, values: [`search_title : (${query})`] },
    anywhere: { text: rows, values: [query] },
  }
}
