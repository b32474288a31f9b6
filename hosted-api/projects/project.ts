/**
 * A project, to which records belong and to which a token has access. The contract has no calls for projects.
 */
import { type TObject, Type } from '@sinclair/typebox'
import { orNull, RecordId, Time, visible } from '../http/index.ts'
import type { Queries, Row } from '../storage/index.ts'

export const ProjectName = Type.String({ minLength: 1, maxLength: 255, ...visible, examples: ['shop'] })
export const ProjectDescription = Type.String({ maxLength: 64 * 1024 })

export const ProjectSchema: TObject = Type.Object(
  {
    id: RecordId,
    name: Type.String(),
    description: Type.String(),
    identifier: {
      ...orNull(Type.String()),
      description: 'The id that its uploads say; null before the first.',
    },
    revision: Type.Integer({ minimum: 0, description: 'Grows with every change of the project.' }),
    version: Type.Integer({ minimum: 1 }),
    created_at: Time,
    created_by: Type.String(),
    updated_at: Time,
    updated_by: Type.String(),
    deleted_at: Type.Optional(Time),
  },
  { additionalProperties: false },
)
export interface ProjectRecord {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly identifier: string | null
  readonly revision: number
  readonly version: number
  readonly created_at: string
  readonly created_by: string
  readonly updated_at: string
  readonly updated_by: string
  readonly deleted_at?: string
}

export const projectColumns = `project.id, project.name, project.description, project.identifier, project.version,
  project.created_at, project.created_by, project.updated_at, project.updated_by, project.deleted_at,
  coalesce(ledger.revision, 0) as revision`
export const projectSource = 'project left join ledger on ledger.id = project.id'

export function projectRecord(row: Row): ProjectRecord {
  const { id, name, description, identifier, revision, version, deleted_at, ...rest } = row
  return {
    id: Number(id),
    name: String(name),
    description: String(description),
    identifier: identifier === null || identifier === undefined ? null : String(identifier),
    revision: Number(revision),
    version: Number(version),
    created_at: String(rest['created_at']),
    created_by: String(rest['created_by']),
    updated_at: String(rest['updated_at']),
    updated_by: String(rest['updated_by']),
    ...(deleted_at === null || deleted_at === undefined ? {} : { deleted_at: String(deleted_at) }),
  }
}

/** Also finds deleted projects. */
export async function findProject(queries: Queries, id: number): Promise<ProjectRecord | undefined> {
  const row = await queries.first(`select ${projectColumns} from ${projectSource} where project.id = ?`, [id])
  return row === undefined ? undefined : projectRecord(row)
}
