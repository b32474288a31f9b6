/** Whether git tracks files that each command writes: a checkout would put older ones in their place. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { warehouseFilesIn } from '../engine/config/warehouse-files.ts'
import type { OpenedWorkspace } from '../engine/workspace/open-workspace.ts'
import type { DoctorCheck } from '../render/doctor.ts'
import { advise } from './doctor-check.ts'

const timeoutMs = 5000

/** Returns nothing where no such file is tracked, or nobody can tell: no git, or no repository. */
export async function checkTracked({ root, project }: OpenedWorkspace): Promise<DoctorCheck[]> {
  const { warehouse, environments } = project.settings
  const addresses = [warehouse, ...Object.values(environments).map(each => each.warehouse)]
  const paths = [...new Set(warehouseFilesIn(root, addresses)), '.svc']
  const tracked = await trackedAmong(root, paths)
  const [first] = tracked
  if (first === undefined) return []
  const shown = tracked.length === 1 ? first : `${first} and ${tracked.length - 1} more`
  return [
    advise(
      'git',
      `git tracks ${shown}: a checkout puts an older one in its place`,
      `svc init writes .gitignore; then take them out of git, where they stay on the disk: git rm -r --cached ${paths.map(path => JSON.stringify(path)).join(' ')}`,
    ),
  ]
}

async function trackedAmong(root: string, paths: readonly string[]): Promise<readonly string[]> {
  const words = ['--literal-pathspecs', 'ls-files', '-z', '--', ...paths]
  try {
    const { stdout } = await promisify(execFile)('git', words, { cwd: root, timeout: timeoutMs })
    return stdout.split('\0').filter(path => path !== '')
  } catch {
    return []
  }
}
