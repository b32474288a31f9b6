/** Finds added, changed and removed files of a project by comparing file stamps, without reading contents. */
import { join } from 'node:path'
import type { MayOpen } from '../../catalog/index.ts'
import { fileStamp, listAssets } from '../../workspace/index.ts'
import type { Log } from '../log.ts'
import { listedOrNone } from './project-files.ts'

export class DiskScan {
  readonly #root: string
  readonly #log: Log
  readonly #mayOpen: MayOpen
  #stamps = new Map<string, string>()

  constructor(root: string, log: Log, mayOpen: MayOpen) {
    this.#root = root
    this.#log = log
    this.#mayOpen = mayOpen
  }

  /** Records that these files are as they were read. */
  remember(paths: Iterable<string>): void {
    for (const path of paths) this.#stamps.set(path, this.#stampOf(path))
  }

  /** Returns sorted paths. `others` are files to compare besides the assets. */
  changes(models: string, others: readonly string[]): string[] {
    const assets = listedOrNone(this.#log, () => listAssets(this.#root, models, this.#mayOpen))
    const found = [...assets, ...others]
    const stamps = new Map(found.map(path => [path, this.#stampOf(path)]))
    const gone = [...this.#stamps.keys()].filter(path => !stamps.has(path))
    const changed = found.filter(path => stamps.get(path) !== (this.#stamps.get(path) ?? ''))
    this.#stamps = stamps
    return [...changed, ...gone].sort()
  }

  #stampOf(path: string): string {
    const file = join(this.#root, path)
    return (this.#mayOpen(file) ? fileStamp(file)?.text : undefined) ?? ''
  }
}
