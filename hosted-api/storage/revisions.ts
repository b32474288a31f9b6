/** The revisions of projects in a SQLite file: nobody else writes it, so what is known stands until a write of our own. */
import { type LedgerHead, serviceLedger } from './ledger.ts'
import type { Change, Queries } from './storage.ts'

export interface Revisions {
  /** Undefined: the project is not there, or not any more. */
  read(project: number): Promise<number | undefined>
  /** After a COMMIT. */
  note(heads: readonly LedgerHead[], changes: readonly Change[]): void
}

export const selectRevision = `select ledger.revision from ledger join project on project.id = ledger.id
  where project.id = ? and project.deleted_at is null`

export function createRevisions(reads: Queries): Revisions {
  const known = new Map<number, number>()
  let commits = 0
  return {
    async read(project) {
      const revision = known.get(project)
      if (revision !== undefined) return revision
      const before = commits
      const row = await reads.first<{ revision: number }>(selectRevision, [project])
      // A write that came meanwhile may be newer than what was read.
      if (row !== undefined && before === commits) known.set(project, row.revision)
      return row?.revision
    },
    note(heads, changes) {
      commits++
      for (const { id, revision } of heads) if (id !== serviceLedger) known.set(id, revision)
      // Whether the project is there at all may be what has changed.
      for (const { project, action } of changes) {
        if (project !== undefined && action.startsWith('project.')) known.delete(project)
      }
    },
  }
}
