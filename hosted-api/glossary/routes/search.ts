import { Type } from '@sinclair/typebox'
import { type AnyRoute, type Call, defineRoute, ok, oneOf, RecordId } from '../../http/index.ts'
import type { Cell, Row } from '../../storage/index.ts'
import { closed } from '../body-schemas.ts'
import { entryKinds } from '../kinds.ts'
import { fold } from '../record.ts'
import { containing, wordsOf } from '../search-words.ts'

const searchable = [...entryKinds.map(({ name }) => name), 'asset'] as const
const mostHits = 200
const fewHits = 50

const Hit = closed({
  kind: oneOf(searchable),
  id: RecordId,
  identifier: Type.String(),
  name: Type.String(),
  description: Type.String(),
  project: RecordId,
  href: Type.String(),
})

/** GET /search: returns everything that contains all words, exact names first. */
export function searchRoute(): AnyRoute {
  return defineRoute({
    id: 'search',
    method: 'GET',
    path: '/api/svc/search',
    tag: 'search',
    summary: 'Search terms, metrics, dimensions, policies and assets',
    scope: 'glossary:read',
    project: { from: 'query', parameter: 'project' },
    query: closed({
      q: Type.String({ minLength: 1, maxLength: 255, pattern: '\\S' }),
      kind: Type.Optional(Type.Array(oneOf(searchable))),
      project: Type.Optional(RecordId),
      limit: Type.Optional(Type.Integer({ minimum: 1, description: `Hits; ${mostHits} at most.` })),
    }),
    responses: { 200: Type.Array(Hit) },
    cached: true,
    handle: async call => {
      const { text, values } = searchQuery(call)
      const rows = await call.storage.reads.all(text, values)
      return ok(rows.map(hitOf))
    },
  })
}

interface SearchQuery {
  readonly q: string
  readonly kind?: readonly string[]
  readonly limit?: number
}

/** Builds one query over the tables of all kinds; the best matches in names come first. */
function searchQuery({ query, project, principal }: Call<unknown, unknown>): {
  readonly text: string
  readonly values: readonly Cell[]
} {
  const { q, kind = searchable, limit = fewHits } = query as SearchQuery
  const words = wordsOf(q)
  const scope = scopeOf(project, principal.projects)
  const parts = kind.map(name => partOf(name, words, scope))
  const text = `select * from (${parts.map(part => part.text).join(' union all ')}) as hit
    order by case when folded like ? escape '!' then 0 when folded like ? escape '!' then 1 else 2 end,
      name, kind, id limit ?`
  const beginning = containing(fold(q.trim())).slice(1, -1)
  const ranks = [`${beginning}\n%`, `${beginning}%`]
  return {
    text,
    values: [...parts.flatMap(part => part.values), ...ranks, Math.min(limit, mostHits)],
  }
}

interface Part {
  readonly text: string
  readonly values: readonly Cell[]
}

/**
 * The name is the first line of the searched text. Names of assets are ASCII, which every engine can fold.
 */
function partOf(kind: string, words: readonly string[], scope: Part): Part {
  const isAsset = kind === 'asset'
  const [gone, description] = isAsset ? ['removed_at', 'path'] : ['deleted_at', 'description']
  const key = isAsset ? "(lower(name) || '\n')" : 'search_key'
  const matches = words.map(() => `and ${key} like ? escape '!'`).join(' ')
  return {
    text: `select '${kind}' as kind, id, identifier, name, ${description} as description, project_id,
      ${key} as folded from ${kind} where ${gone} is null and ${scope.text} ${matches}`,
    values: [...scope.values, ...words.map(containing)],
  }
}

function scopeOf(project: number | undefined, projects: 'all' | ReadonlySet<number>): Part {
  if (project !== undefined) return { text: 'project_id = ?', values: [project] }
  const live = 'project_id in (select id from project where deleted_at is null'
  if (projects === 'all') return { text: `${live})`, values: [] }
  const numbers = [...projects]
  return { text: `${live} and id in (${numbers.map(() => '?').join(', ') || 'null'}))`, values: numbers }
}

function hitOf(row: Row): object {
  const { kind, id, identifier, name, description, project_id } = row
  const plural = entryKinds.find(each => each.name === kind)?.plural
  const href =
    plural === undefined ? `/api/svc/metadata/assets/${id}/metadata` : `/api/svc/glossary/${plural}/${id}`
  return {
    kind,
    id: Number(id),
    identifier,
    name,
    description: excerpt(String(description)),
    project: Number(project_id),
    href,
  }
}

const longestExcerpt = 200

function excerpt(text: string): string {
  const characters = [...text]
  return characters.length <= longestExcerpt ? text : `${characters.slice(0, longestExcerpt - 1).join('')}…`
}
