/** The id of a process that has ended. */
import { spawnSync } from 'node:child_process'

export function deadPid(): number {
  return spawnSync(process.execPath, ['-e', '0']).pid
}
