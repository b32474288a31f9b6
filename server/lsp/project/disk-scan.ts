/** Finds added, changed and removed files of a project by comparing file stamps, without reading contents. */
import { join } from 'node:path'
import type { MayOpen } from '../../catalog/index.ts'
import { fileStamp, listAssets } from '../../workspace/index.ts'
import type { Log } from '../log.ts'
import { listedOrNone } from './project-files.ts'

export function diskScan(root: string, log: Log, mayOpen: MayOpen) {
  let before = new Map<string, string>()
  const stampOf = (path: string): string => {
    const file = join(root, path)
    return (mayOpen(file) ? fileStamp(file)?.text : undefined) ?? ''
  }
  return {
    /** Records that these files are as they were read. */
    remember(paths: Iterable<string>): void {
      for (const path of paths) before.set(path, stampOf(path))
    },
    /** Returns sorted paths. `others` are files to compare besides the assets. */
    changes(models: string, others: readonly string[]): string[] {
      const found = [...listedOrNone(log, () => listAssets(root, models, mayOpen)), ...others]
      const now = new Map(found.map(path => [path, stampOf(path)]))
      const gone = [...before.keys()].filter(path => !now.has(path))
      const changed = found.filter(path => now.get(path) !== (before.get(path) ?? ''))
      before = now
      return [...changed, ...gone].sort()
    },
  }
}
