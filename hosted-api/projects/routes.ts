/** The routes of projects (hosted.md 5.5). */
import { Type } from '@sinclair/typebox'
import {
  type AnyRoute,
  asksForFew,
  type CursorSigner,
  closed,
  created,
  defineRoute,
  listParameters,
  listReply,
  notFound,
  ok,
  orNull,
  Problem,
  RecordId,
  type Reply,
  versionTag,
} from '../http/index.ts'
import { changeProject, createProject, requireAllProjects } from './change-project.ts'
import {
  findProject,
  ProjectDescription,
  ProjectName,
  type ProjectRecord,
  type ProjectRow,
  ProjectSchema,
  projectColumns,
  projectRecord,
  projectSource,
} from './project.ts'

const collection = '/api/svc/projects'
const path = `${collection}/:project_id`
const params = closed({ project_id: RecordId })
const noQuery = closed({})
const Changed = closed({ success: Type.Literal(true), project: ProjectSchema })
const Done = closed({ success: Type.Literal(true) })
const shared = {
  tag: 'projects',
  params,
  query: noQuery,
  project: { from: 'path', param: 'project_id' },
} as const

const sortNames = ['id', 'name', 'created_at', 'updated_at']

export function projectRoutes(signer: CursorSigner): readonly AnyRoute[] {
  return [list(signer), create, read, update, remove, restore]
}

function list(signer: CursorSigner): AnyRoute {
  return defineRoute({
    id: 'listProjects',
    method: 'GET',
    path: collection,
    tag: 'projects',
    summary: 'List the projects that the token sees',
    scope: 'any',
    project: { from: 'none' },
    query: closed({
      name: Type.Optional(Type.String()),
      ...listParameters(sortNames, Object.keys(ProjectSchema.properties)),
    }),
    responses: { 200: Type.Array(ProjectSchema) },
    isLong: true,
    isShort: asksForFew,
    handle: async call => {
      const { storage, principal, query } = call
      const { build } = storage.reads
      const rows = build
        .select(build.raw(projectColumns))
        .from(build.raw(projectSource))
        .whereNull('project.deleted_at')
      const seen = principal.projects === 'all' ? undefined : [...principal.projects].sort((a, b) => a - b)
      if (seen !== undefined) rows.whereIn('project.id', seen)
      if (query['name'] !== undefined) rows.where('project.name', String(query['name']))
      const sortable = sortNames.map(name => [name, `project.${name}`])
      return listReply(call, {
        rows,
        sortable: Object.fromEntries(sortable),
        key: 'project.id',
        item: row => projectRecord(row as ProjectRow),
        members: Object.keys(ProjectSchema.properties),
        signer,
        audience: seen?.join() ?? 'all',
      })
    },
  })
}

const create = defineRoute({
  id: 'createProject',
  method: 'POST',
  path: collection,
  tag: 'projects',
  summary: 'Create a project',
  scope: 'projects:admin',
  project: { from: 'none' },
  query: noQuery,
  body: closed({ name: ProjectName, description: Type.Optional(ProjectDescription) }),
  responses: { 201: Changed },
  handle: call => {
    requireAllProjects(call)
    return call.write(async tx => {
      const project = await createProject(tx, call, call.body)
      const { body, headers } = changed(project)
      return created(`${collection}/${project.id}`, body, headers)
    })
  },
})

const read = defineRoute({
  ...shared,
  id: 'getProject',
  method: 'GET',
  path,
  summary: 'Read a project',
  scope: 'any',
  responses: { 200: ProjectSchema },
  cached: true,
  handle: async call => {
    const project = await findProject(call.storage.reads, call.params.project_id)
    if (project === undefined) throw notFound('project')
    // The answer contains the revision, so the version alone would not show that something changed.
    return ok(project, { ETag: versionTag(project.version, project.revision) })
  },
})

const update = defineRoute({
  ...shared,
  id: 'updateProject',
  method: 'PATCH',
  path,
  summary: 'Rename or describe a project',
  scope: 'projects:admin',
  body: closed(
    { name: Type.Optional(ProjectName), description: Type.Optional(orNull(ProjectDescription)) },
    { minProperties: 1 },
  ),
  bodyRule: { accepts: ['application/json', 'application/merge-patch+json'] },
  responses: { 200: Changed },
  handle: call =>
    call.write(async tx => {
      const { name, description } = call.body
      const columns = {
        ...(name === undefined ? {} : { name }),
        ...(description === undefined ? {} : { description: description ?? '' }),
      }
      const project = await changeProject(tx, call, call.params.project_id, 'update', columns)
      return changed(project)
    }),
})

const remove = defineRoute({
  ...shared,
  id: 'deleteProject',
  method: 'DELETE',
  path,
  summary: 'Delete a project: everything in it is hidden, and can be restored',
  scope: 'projects:admin',
  responses: { 200: Done },
  handle: call => {
    requireAllProjects(call)
    return call.write(async tx => {
      const deletedAt = call.storage.clock().toISOString()
      await changeProject(tx, call, call.params.project_id, 'delete', { deleted_at: deletedAt })
      return ok({ success: true })
    })
  },
})

const restore = defineRoute({
  ...shared,
  id: 'restoreProject',
  method: 'POST',
  path: `${path}/restore`,
  summary: 'Restore a deleted project',
  scope: 'projects:admin',
  // A deleted project is hidden, so the handler searches for it.
  project: { from: 'none' },
  responses: { 200: Changed },
  handle: call => {
    requireAllProjects(call)
    return call.write(async tx => {
      const current = await findProject(tx, call.params.project_id)
      if (current === undefined) throw notFound('project')
      if (current.deleted_at === undefined) throw new Problem('in_use', 'The project is not deleted.')
      const project = await changeProject(tx, call, current.id, 'restore', { deleted_at: null })
      return changed(project)
    })
  },
})

function changed(project: ProjectRecord): Reply {
  return ok({ success: true, project }, { ETag: versionTag(project.version) })
}
