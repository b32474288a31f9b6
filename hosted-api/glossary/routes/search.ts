import { Type } from '@sinclair/typebox'
import {
  type AnyRoute,
  closed,
  defineRoute,
  mostRecordId,
  ok,
  oneOf,
  type Principal,
  RecordId,
  requireScope,
  type Scope,
  visible,
} from '../../http/index.ts'
import type { Row } from '../../storage/index.ts'
import { entryKinds } from '../kinds.ts'
import { type SqlPart, searchQuery } from '../search-query.ts'
import { wordsOf } from '../search-words.ts'

const searchable = [...entryKinds.map(({ name }) => name), 'asset'] as const
type Searchable = (typeof searchable)[number]
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
    alsoShows: [scopeOf('asset')],
    project: { from: 'query', parameter: 'project' },
    query: closed({
      q: Type.String({ minLength: 1, maxLength: 255, ...visible }),
      kind: Type.Optional(
        Type.Array(oneOf(searchable), {
          description: `All that the token may read when left out: \`asset\` needs \`${scopeOf('asset')}\`.`,
        }),
      ),
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
      const { q, kind, limit = fewHits } = call.query as unknown as SearchQuery
      const kinds = readable(kind, call.principal)
      const where = projectsOf(call.project, call.principal.projects)
      const { reads } = call.storage
      const query = searchQuery(reads.engine, q, kinds, where, Math.min(limit, mostHits))
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
  readonly kind?: readonly Searchable[]
  readonly limit?: number
}

/** The scope that reading a record of this kind needs at its own address. */
function scopeOf(kind: Searchable): Scope {
  return kind === 'asset' ? 'metadata:read' : 'glossary:read'
}

/** @throws Problem `forbidden` if the token may not read a kind that was asked for */
function readable(asked: readonly Searchable[] | undefined, principal: Principal): readonly Searchable[] {
  for (const kind of asked ?? []) requireScope({ scope: scopeOf(kind) }, principal)
  return asked ?? searchable.filter(kind => principal.scopes.has(scopeOf(kind)))
}

function projectsOf(project: number | undefined, projects: 'all' | ReadonlySet<number>): SqlPart {
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
