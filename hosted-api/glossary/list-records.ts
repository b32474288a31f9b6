/** The list of a kind: its filters as parameters, and the resulting query. */
import { type TObject, type TSchema, Type } from '@sinclair/typebox'
import type { Knex } from 'knex'
import {
  type Call,
  type CursorSigner,
  closed,
  type ListQuery,
  listParameters,
  listReply,
  RecordId,
  type Reply,
  Time,
} from '../http/index.ts'
import { remember } from '../http/remember.ts'
import type { Row } from '../storage/index.ts'
import { recordSchema } from './body-schemas.ts'
import type { Field, Kind } from './kind.ts'
import { recordOf } from './record.ts'
import { type Relation, referencesOf, referrersOf } from './relations.ts'
import { whereWords } from './search-words.ts'
import { statementsOf } from './statements.ts'

export function listQuerySchema(kind: Kind): TObject {
  const named = kind.named ? { identifier: Type.String(), name: Type.String() } : {}
  const filters = kind.fields.filter(field => field.filter).map(field => [field.name, filterSchema(field)])
  const related = relatedOf(kind).map(({ far }) => [far.field.name, RecordId])
  const all: Record<string, TSchema> = {
    ...named,
    ...Object.fromEntries(filters),
    ...Object.fromEntries(related),
  }
  return closed({
    project: Type.Optional(RecordId),
    q: Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, description: 'Words; each of them has to occur.' }),
    ),
    ...Object.fromEntries(Object.entries(all).map(([name, schema]) => [name, Type.Optional(schema)])),
    updated_since: Type.Optional(Time),
    include: Type.Optional(Type.Unsafe<'deleted'>({ type: 'string', enum: ['deleted'] })),
    ...listParameters(Object.keys(sortableOf(kind)), membersOf(kind)),
  })
}

/** For an enumeration, several values may be given. */
function filterSchema({ schema, doc }: Field): TSchema {
  return schema['enum'] === undefined
    ? { ...schema, description: doc }
    : Type.Array(schema, { description: doc })
}

export type RecordListQuery = ListQuery & Readonly<Record<string, unknown>>

export async function listRecords(
  kind: Kind,
  call: Call<unknown, RecordListQuery>,
  signer: CursorSigner,
): Promise<Reply> {
  const { projects } = call.principal
  return listReply(call, {
    rows: filtered(kind, call),
    sortable: sortableOf(kind),
    key: `${kind.name}.id`,
    item: (row: Row) => recordOf(kind, row),
    members: membersOf(kind),
    signer,
    audience: projects === 'all' ? 'all' : [...projects].sort((a, b) => a - b).join(),
  })
}

/** Returns the members that `fields` may select. */
const membersOf = remember((kind: Kind): readonly string[] => Object.keys(recordSchema(kind).properties))

const sortableOf = remember((kind: Kind): Readonly<Record<string, string>> => {
  const own = kind.named ? ['name', 'identifier'] : ['term', 'asset']
  const names = ['id', ...own, 'version', 'created_at', 'updated_at']
  return Object.fromEntries(names.map(name => [name, `${kind.name}.${name}`]))
})

function filtered(
  kind: Kind,
  { storage, project, principal, query }: Call<unknown, RecordListQuery>,
): Knex.QueryBuilder {
  const { build } = storage.reads
  const { columns, source } = statementsOf(kind)
  const table = kind.name
  const rows = build.select(build.raw(columns)).from(build.raw(source))
  if (project !== undefined) rows.where(`${table}.project_id`, project)
  else if (principal.projects === 'all') rows.whereIn(`${table}.project_id`, liveProjects(build))
  else rows.whereIn(`${table}.project_id`, liveProjects(build).whereIn('id', [...principal.projects]))
  if (query['include'] !== 'deleted') rows.whereNull(`${table}.deleted_at`)
  if (query['updated_since'] !== undefined)
    rows.where(`${table}.updated_at`, '>=', isoTime(query['updated_since']))
  if (query['q'] !== undefined)
    whereWords(rows, kind.joined?.searched ?? `${table}.search_key`, String(query['q']))
  for (const { near, far } of relatedOf(kind)) {
    const number = query[far.field.name]
    if (number !== undefined) rows.whereIn(`${table}.id`, joinedBy(build, near, far, Number(number)))
  }
  const names = [
    ...(kind.named ? ['identifier', 'name'] : []),
    ...kind.fields.filter(f => f.filter).map(f => f.name),
  ]
  for (const name of names) {
    const value = query[name]
    if (Array.isArray(value)) rows.whereIn(`${table}.${name}`, value)
    else if (value !== undefined) rows.where(`${table}.${name}`, value as string | number)
  }
  return rows
}

function liveProjects(build: Knex): Knex.QueryBuilder {
  return build('project').select('id').whereNull('deleted_at')
}

/** Returns what records of other kinds join this kind with: a link joins terms (`near`) with assets (`far`). */
const relatedOf = remember((kind: Kind): readonly { readonly near: Relation; readonly far: Relation }[] =>
  referrersOf(kind).flatMap(near =>
    referencesOf(near.kind)
      .filter(far => far.field !== near.field)
      .map(far => ({ near, far })),
  ),
)

function joinedBy(build: Knex, near: Relation, far: Relation, number: number): Knex.QueryBuilder {
  return build(near.kind.name)
    .select(near.field.name)
    .where({ [far.field.name]: number })
    .whereNull('deleted_at')
}

/** Times are compared as text, so they need the form in which they are stored. */
function isoTime(value: unknown): string {
  return new Date(String(value)).toISOString()
}

export const listAnswer = (kind: Kind): TSchema => Type.Array(recordSchema(kind))
