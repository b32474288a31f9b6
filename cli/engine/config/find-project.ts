/** The project that a command is about: found from the folder that it was started in. */
import { resolve } from 'node:path'
import { findRoot } from '@svc/server/workspace'
import { SvcError } from '../errors.ts'

export { defaultModels, findRoot as findProjectOrNothing, settingsFile } from '@svc/server/workspace'

/** The root's absolute path. SvcError `no-project` where there is none. */
export function findProject(cwd: string): string {
  const root = findRoot(cwd)
  if (root !== undefined) return root
  throw new SvcError(
    'no-project',
    `no project here: neither svc.yaml nor models/*.svc in ${resolve(cwd)} or above`,
    {
      hint: 'Make one in this folder with: svc init.',
    },
  )
}
