/** `GET /api/svc/audit`: lists changes with their author, newest first. */
import { type Static, Type } from '@sinclair/typebox'
import {
  type AnyRoute,
  type Call,
  closed,
  defineRoute,
  nextLink,
  ok,
  orNull,
  RecordId,
  Time,
} from '../http/index.ts'
import { type Cell, serviceLedger } from '../storage/index.ts'

const Entry = Type.Object(
  {
    id: RecordId,
    project: Type.Union([RecordId, Type.Null()], { description: 'Null: of the service itself.' }),
    revision: Type.Integer({ minimum: 1 }),
    at: Time,
    actor: Type.String({ description: 'The name of the token, which may not be unique: `token:ci`' }),
    token_id: orNull(RecordId),
    action: Type.String({ description: '`term.create`, `token.revoke`' }),
    target: Type.String({ description: '`term:12`' }),
    request_id: Type.String(),
    details: Type.Unknown(),
    hash: Type.String({ description: 'SHA-256 of the entry and of the hash before it.' }),
  },
  { $id: 'AuditEntry' },
)

const Query = closed({
  project: Type.Optional(RecordId),
  actor: Type.Optional(Type.String({ maxLength: 300 })),
  token: Type.Optional(RecordId),
  action: Type.Optional(
    Type.String({ maxLength: 100, description: '`term.create`, or `term.*` for all of a kind.' }),
  ),
  target: Type.Optional(Type.String({ maxLength: 300 })),
  since: Type.Optional(Type.String({ format: 'date-time', description: 'This time or later.' })),
  before: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Entries with a smaller id.' }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 })),
})

export function auditRoutes(): readonly AnyRoute[] {
  return [
    defineRoute({
      id: 'listAudit',
      method: 'GET',
      path: '/api/svc/audit',
      tag: 'audit',
      summary: 'Changes with their time and author, newest first, in the projects that the token sees.',
      scope: 'audit:read',
      project: { from: 'query', parameter: 'project' },
      query: Query,
      responses: { 200: Type.Array(Entry) },
      isLong: true,
      isShort: isShortPage,
      handle: async call => {
        const limit = call.query.limit ?? 100
        const entries = await readEntries(call, limit)
        const last = entries.length === limit ? entries.at(-1) : undefined
        return ok(entries, last === undefined ? {} : nextLink(call.url, { before: last.id }))
      },
    }),
  ]
}

/** Without a filter the newest entries are found at once; with one, all entries may have to be looked at. */
function isShortPage({
  limit = 100,
  before: _,
  project: __,
  ...filters
}: Readonly<Record<string, unknown>>): boolean {
  return Number(limit) <= 100 && Object.keys(filters).length === 0
}

type Entry = Static<typeof Entry>
type EntryRow = Omit<Entry, 'project' | 'details'> & { readonly ledger_id: number; readonly details: string }

async function readEntries(
  { query, principal, storage }: Call<unknown, Static<typeof Query>>,
  limit: number,
) {
  const filters: Filter[] = []
  if (query.project !== undefined) filters.push(['ledger_id = ?', query.project])
  if (query.actor !== undefined) filters.push(['actor = ?', query.actor])
  if (query.token !== undefined) filters.push(['token_id = ?', query.token])
  if (query.action !== undefined) filters.push(actionFilter(query.action))
  if (query.target !== undefined) filters.push(['target = ?', query.target])
  if (query.since !== undefined) filters.push(['at >= ?', new Date(query.since).toISOString()])
  if (query.before !== undefined) filters.push(['id < ?', query.before])
  const visible = principal.projects === 'all' ? [] : [...principal.projects]
  // Changes that belong to no project (tokens, projects themselves) concern all of them.
  const scope =
    principal.projects === 'all' ? 'true' : `ledger_id in (${visible.map(() => '?').join(', ') || 'null'})`
  const where = [scope, ...filters.map(([text]) => text)].join(' and ')
  const rows = await storage.reads.all<EntryRow>(
    `select id, ledger_id, revision, at, actor, token_id, action, target, request_id, details, hash from audit
     where ${where} order by id desc limit ?`,
    [...visible, ...filters.flatMap(([, ...values]) => values), limit],
  )
  return rows.map(entryOf)
}

/** A condition and its values. */
type Filter = readonly [string, ...Cell[]]

function actionFilter(action: string): Filter {
  if (!action.endsWith('.*')) return ['action = ?', action]
  const prefix = action.slice(0, -1)
  return ['substr(action, 1, ?) = ?', prefix.length, prefix]
}

function entryOf({ ledger_id, details, id, ...row }: EntryRow): Entry {
  const project = ledger_id === serviceLedger ? null : ledger_id
  return { id, project, ...row, details: JSON.parse(details) as unknown }
}
