import { Type } from '@sinclair/typebox'
import {
  type AnyRoute,
  closed,
  defineRoute,
  mostRecordId,
  ok,
  oneOf,
  RecordId,
  visible,
} from '../../http/index.ts'
import type { Row } from '../../storage/index.ts'
import { entryKinds } from '../kinds.ts'
import { type SqlPart, searchQuery } from '../search-query.ts'
import { wordsOf } from '../search-words.ts'

const searchable = [...entryKinds.map(({ name }) => name), 'asset'] as const
const mostHits = 200
const fewHits = 50
const fewWords = 3

const Hit = closed({
  kind: oneOf(searchable),
  id: RecordId,
  identifier: Type.String(),
  name: Type.String(),
  description: Type.String(),
  project: RecordId,
  href: Type.String(),
})

/** GET /search: returns everything with words that begin like all words of the question, names first. */
export function searchRoute(): AnyRoute {
  return defineRoute({
    id: 'search',
    method: 'GET',
    path: '/api/svc/search',
    tag: 'search',
    summary:
      'Search terms, metrics, dimensions, policies and assets: names, descriptions, columns, owners, tags',
    scope: 'glossary:read',
    project: { from: 'query', parameter: 'project' },
    query: closed({
      q: Type.String({ minLength: 1, maxLength: 255, ...visible }),
      kind: Type.Optional(Type.Array(oneOf(searchable))),
      project: Type.Optional(RecordId),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: mostRecordId, description: `Hits; ${mostHits} at most.` }),
      ),
    }),
    responses: { 200: Type.Array(Hit) },
    cached: true,
    isLong: true,
    isShort: isShortSearch,
    handle: async call => {
      const { q, kind = searchable, limit = fewHits } = call.query as unknown as SearchQuery
      const scope = scopeOf(call.project, call.principal.projects)
      const { reads } = call.storage
      const query = searchQuery(reads.engine, q, kind, scope, Math.min(limit, mostHits))
      const rows = query === undefined ? [] : await reads.all(query.text, query.values)
      return ok(rows.map(hitOf))
    },
  })
}

function isShortSearch({ q, limit = fewHits }: Readonly<Record<string, unknown>>): boolean {
  return Number(limit) <= fewHits && wordsOf(String(q)).length <= fewWords
}

interface SearchQuery {
  readonly q: string
  readonly kind?: readonly string[]
  readonly limit?: number
}

function scopeOf(project: number | undefined, projects: 'all' | ReadonlySet<number>): SqlPart {
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
