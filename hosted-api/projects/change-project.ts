/** Changes projects inside a transaction. */
import { type Call, notFound, Problem, requireMatch } from '../http/index.ts'
import type { Cell, Tx } from '../storage/index.ts'
import { findProject, type ProjectRecord } from './project.ts'

export async function createProject(
  tx: Tx,
  call: Call,
  content: { readonly name: string; readonly description?: string },
): Promise<ProjectRecord> {
  const now = call.storage.clock().toISOString()
  const { actor } = call.principal
  const row = await tx.first(
    `insert into project (name, description, created_at, created_by, updated_at, updated_by)
     values (?, ?, ?, ?, ?, ?) returning id`,
    [content.name, content.description ?? '', now, actor, now, actor],
  )
  const id = Number(row?.['id'])
  // The ledger row is created from the start, so that a project without changes has revision 0.
  await tx.all(`insert into ledger (id, revision, head) values (?, 0, '')`, [id])
  note(tx, call, id, 'create')
  return requireRecord(tx, id)
}

/**
 * Updates columns of an existing project as a new version.
 * @throws Problem `version_mismatch`
 */
export async function changeProject(
  tx: Tx,
  call: Call,
  id: number,
  action: 'update' | 'delete' | 'restore',
  columns: Readonly<Record<string, Cell>>,
): Promise<ProjectRecord> {
  const current = await tx.firstForUpdate('select version from project where id = ?', [id])
  if (current === undefined) throw notFound('project')
  requireMatch(call.headers, Number(current['version']))
  const names = Object.keys(columns)
  await tx.all(
    `update project set ${names.map(name => `"${name}" = ?, `).join('')} version = version + 1,
     updated_at = ?, updated_by = ? where id = ?`,
    [...Object.values(columns), call.storage.clock().toISOString(), call.principal.actor, id],
  )
  note(tx, call, id, action)
  return requireRecord(tx, id)
}

/**
 * Only a token for all projects may create and delete projects, because another one could not see the result.
 */
export function requireAllProjects({ principal }: Call): void {
  if (principal.projects === 'all') return
  throw new Problem('forbidden', 'The token is bound to some projects: this needs one for all projects.')
}

/** Returns the record after the transaction, which adds one revision. */
async function requireRecord(tx: Tx, id: number): Promise<ProjectRecord> {
  const record = await findProject(tx, id)
  if (record === undefined) throw notFound('project')
  return { ...record, revision: record.revision + 1 }
}

function note(tx: Tx, call: Call, project: number, action: string): void {
  const { principal, requestId } = call
  tx.record({
    project,
    action: `project.${action}`,
    target: `project:${project}`,
    actor: principal.actor,
    requestId,
  })
}
