/** Finds the record of a path: by number, or by identifier and project. */
import { type Call, invalidAt, maySee, notFound, Problem, type ProjectSource } from '../http/index.ts'
import type { Cell, Row } from '../storage/index.ts'
import { isRecordNumber } from './identifier.ts'
import type { Kind } from './kind.ts'
import { statementsOf } from './statements.ts'

export interface Reference {
  readonly ref: string
}

/** Returns the project of `/terms/12`, or that of `/terms/term.customer?project=1`. */
export function projectOfReference(kind: Kind): ProjectSource<Reference, { project?: number }, unknown> {
  return {
    from: 'find',
    find: async ({ params, query, storage }) => {
      if (!isRecordNumber(params.ref)) return requireParameter(kind, query.project)
      const row = await storage.reads.first(`select project_id from ${kind.name} where id = ?`, [
        recordNumber(params.ref),
      ])
      const project = row === undefined ? undefined : Number(row['project_id'])
      // `?project=2` with a record of project 1 is treated as a record that does not exist.
      return query.project === undefined || query.project === project ? project : undefined
    },
  }
}

function requireParameter(kind: Kind, project: number | undefined): number {
  if (project !== undefined) return project
  const detail = `An identifier needs its project: /${kind.plural}/<identifier>?project=<number>.`
  throw invalidAt('?project', 'required', detail)
}

/** A number that is too large for any record is replaced by one that no record has. */
function recordNumber(ref: string): number {
  return Math.min(Number(ref), 2_147_483_647)
}

/** `reads.first`, or `tx.firstForUpdate` for callers that are about to change the row. */
export type ReadRow = (query: string, values: readonly Cell[]) => Promise<Row | undefined>

/** Returns the row of a reference in the project, deleted or not; undefined if there is none. */
export async function findRow(
  read: ReadRow,
  kind: Kind,
  project: number,
  ref: string,
): Promise<Row | undefined> {
  const { byId, byIdentifier } = statementsOf(kind)
  if (!isRecordNumber(ref)) return kind.named ? read(byIdentifier, [project, ref]) : undefined
  const row = await read(byId, [recordNumber(ref)])
  return row?.['project_id'] === project ? row : undefined
}

/** @throws Problem `not_found` */
export async function requireRow(read: ReadRow, kind: Kind, project: number, ref: string): Promise<Row> {
  const row = await findRow(read, kind, project, ref)
  if (row === undefined) throw notFound(kind.name)
  return row
}

/** @throws Problem `not_found`, also for a deleted record */
export async function requireLive(read: ReadRow, kind: Kind, project: number, ref: string): Promise<Row> {
  const row = await requireRow(read, kind, project, ref)
  if (row['deleted_at'] !== null) throw notFound(kind.name)
  return row
}

/** Returns the project of a new link, which is that of its term. */
export async function projectOfTerm(
  call: Call<unknown, unknown, { term: number }>,
): Promise<number | undefined> {
  const row = await call.storage.reads.first(
    'select project_id from term where id = ? and deleted_at is null',
    [call.body.term],
  )
  if (row === undefined || !maySee(call.principal, Number(row['project_id']))) {
    throw new Problem('not_found', 'There is no such term.', {
      errors: [{ pointer: '/term', code: 'not_found', detail: 'There is no such term.' }],
    })
  }
  return Number(row['project_id'])
}
