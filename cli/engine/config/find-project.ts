/** Finds the project of a command from the folder in which it was started. */
import { resolve } from 'node:path'
import { findRoot } from '@svc/server/workspace'
import { SvcError } from '../errors.ts'

export { findRoot as findProjectOrNothing, settingsFile } from '@svc/server/workspace'

/** Returns the root's absolute path. Throws SvcError `no-project` if there is none. */
export function findProject(cwd: string): string {
  const root = findRoot(cwd)
  if (root !== undefined) return root
  throw new SvcError(
    'no-project',
    `no project here: neither svc.yaml nor models/*.svc in ${resolve(cwd)} or above`,
    {
      hint: svc => `Make one in this folder with: ${svc('init')}.`,
    },
  )
}
