/**
 * Caches the revisions of projects in a SQLite file. No other process writes it, so the cache is valid until
 * a write of this process.
 */
import { type LedgerHead, serviceLedger } from './ledger.ts'
import type { Change, Queries } from './storage.ts'

export interface Revisions {
  /** Returns undefined if the project does not exist or was deleted. */
  read(project: number): Promise<number | undefined>
  /** Call this after a COMMIT. */
  note(heads: readonly LedgerHead[], changes: readonly Change[]): void
}

const selectRevision = `select ledger.revision from ledger join project on project.id = ledger.id
  where project.id = ? and project.deleted_at is null`

/** From the database, whoever wrote it. */
export async function readRevision(reads: Queries, project: number): Promise<number | undefined> {
  return (await reads.first<{ revision: number }>(selectRevision, [project]))?.revision
}

export function createRevisions(reads: Queries): Revisions {
  const known = new Map<number, number>()
  let commits = 0
  return {
    async read(project) {
      const revision = known.get(project)
      if (revision !== undefined) return revision
      const before = commits
      const fresh = await readRevision(reads, project)
      // A concurrent write may be newer than what was read.
      if (fresh !== undefined && before === commits) known.set(project, fresh)
      return fresh
    },
    note(heads, changes) {
      commits++
      for (const { id, revision } of heads) if (id !== serviceLedger) known.set(id, revision)
      // The change may have created or deleted the project.
      for (const { project, action } of changes) {
        if (project !== undefined && action.startsWith('project.')) known.delete(project)
      }
    },
  }
}
