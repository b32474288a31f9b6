/**
 * A project, to which records belong and to which a token has access. The contract has no calls for projects.
 */
import { Type } from '@sinclair/typebox'
import { closed, orNull, RecordId, type Shape, Time, visible } from '../http/index.ts'
import type { Queries } from '../storage/index.ts'

export const ProjectName = Type.String({ minLength: 1, maxLength: 255, ...visible, examples: ['shop'] })
export const ProjectDescription = Type.String({ maxLength: 64 * 1024 })

export const ProjectSchema = closed({
  id: RecordId,
  name: Type.String(),
  description: Type.String(),
  identifier: orNull(Type.String({ description: 'The id that its uploads say; null before the first.' })),
  revision: Type.Integer({ minimum: 0, description: 'Grows with every change of the project.' }),
  version: Type.Integer({ minimum: 1 }),
  created_at: Time,
  created_by: Type.String(),
  updated_at: Time,
  updated_by: Type.String(),
  deleted_at: Type.Optional(Time),
})
export type ProjectRecord = Shape<typeof ProjectSchema>

export const projectColumns = `project.id, project.name, project.description, project.identifier,
  coalesce(ledger.revision, 0) as revision, project.version,
  project.created_at, project.created_by, project.updated_at, project.updated_by, project.deleted_at`
export const projectSource = 'project left join ledger on ledger.id = project.id'

export type ProjectRow = Omit<ProjectRecord, 'deleted_at'> & { readonly deleted_at: string | null }

export function projectRecord({ deleted_at, ...row }: ProjectRow): ProjectRecord {
  return deleted_at === null ? row : { ...row, deleted_at }
}

/** Also finds deleted projects. */
export async function findProject(queries: Queries, id: number): Promise<ProjectRecord | undefined> {
  const query = `select ${projectColumns} from ${projectSource} where project.id = ?`
  const row = await queries.first<ProjectRow>(query, [id])
  return row === undefined ? undefined : projectRecord(row)
}
