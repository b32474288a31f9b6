/** Somebody to whom the modes of files mean something: for root they do not. */
import { statSync } from 'node:fs'
import { svcLauncher } from './cli.ts'

export interface User {
  readonly uid: number
  readonly gid: number
}

const nobody = 65_534

/** Undefined, and said so: this machine gives no way to become one. */
export function ordinaryUser(): User | undefined {
  const uid = process.getuid?.()
  if (uid === undefined) return refused('this system knows no modes of files')
  if (uid !== 0) return { uid, gid: process.getgid?.() ?? uid }
  const open = [svcLauncher, process.execPath].every(isOpenToAll)
  return open ? { uid: nobody, gid: nobody } : refused('only root may read the repository or run this Node')
}

function refused(reason: string): undefined {
  console.log(`permissions are not tried here: ${reason}`)
  return undefined
}

/** Every folder on the way may be entered by anybody, and the file be read. */
function isOpenToAll(path: string): boolean {
  const parts = path.split('/')
  return parts.every((_, index) => {
    const stat = statSync(parts.slice(0, index + 1).join('/') || '/')
    const needed = stat.isDirectory() ? 0o001 : 0o004
    return (stat.mode & needed) === needed
  })
}
